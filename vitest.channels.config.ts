import { defineConfig } from 'vitest/config';
import long from './vitest.long.config.ts';

/**
 * Ten thousand calls by one channel, and the model of sales by channel with a second departure, which `check long` has no
 * time for: `npm run check channels`.
 */
export default defineConfig({
  ...long,
  test: {
    ...long.test,
    exclude: [],
    include: ['test/pay/channels/many-calls.long.test.ts', 'test/pay/channels/model.test.ts'],
  },
});
