import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    // Faults on real sockets meet a busy machine now and then; a second try tells that from a defect.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', './test/summary-reporter.ts'],
  },
});
