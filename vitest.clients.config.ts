import { defineConfig } from 'vitest/config';

/** Tests against published programs (`npm run clients`): they need the npm registry and network namespaces. */
export default defineConfig({
  test: {
    include: ['test/clients/**/*.clients.ts'],
    testTimeout: 480_000,
    hookTimeout: 400_000,
    maxWorkers: 1,
    reporters: process.env.SESSIONFSCK_TEST_REPORT ? ['default', 'json'] : ['default'],
    outputFile: process.env.SESSIONFSCK_TEST_REPORT ? { json: process.env.SESSIONFSCK_TEST_REPORT } : undefined,
  },
});
