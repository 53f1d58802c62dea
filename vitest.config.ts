import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    reporters: process.env.SESSIONFSCK_TEST_REPORT ? ['default', 'json'] : ['default'],
    outputFile: process.env.SESSIONFSCK_TEST_REPORT ? { json: process.env.SESSIONFSCK_TEST_REPORT } : undefined,
  },
});
