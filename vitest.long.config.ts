import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

const { projects: _, ...test } = base.test ?? {};

/**
 * Tests that start many processes or have all venues run for a while, the short parts of soaks of payments and
 * requests, the largest views of the page, suites of the history on the engines that `npm test` leaves out, and
 * the model of payments with a second departure: `npm run check long`, a part of `.ci/run`. One file at a time:
 * its processes have two cores to themselves.
 */
export default defineConfig({
  ...base,
  test: {
    ...test,
    maxWorkers: 1,
    // One scenario of the model takes minutes of a core, and several times that beside other tests.
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
    env: { PERPMETER_ENGINES: 'later', PERPMETER_MODEL_DEPARTURES: '2' },
    include: ['{src,test}/**/*.long.test.ts', 'test/history/engines.test.ts', 'test/pay/model.test.ts'],
    // `npm run check channels` has it.
    exclude: ['test/pay/channels/many-calls.long.test.ts'],
  },
});
