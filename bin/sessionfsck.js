#!/usr/bin/env node
try {
  const { main } = await import('../dist/cli.js');
  await main(process.argv);
} catch (error) {
  // Not Node's own exit code 1, which would say that findings remain.
  process.exitCode = 2;
  process.stderr.write(`error: sessionfsck cannot start: ${error instanceof Error ? error.message : error}\n       install it again; it needs Node 20.19 or later, and this is ${process.version}\n`);
}
