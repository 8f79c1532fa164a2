import { expect, it } from 'vitest';
import { soakMcp } from './mcp-run.ts';

/** A part of what `npm run soak mcp` does. */
const ROUNDS = 12;

it('one authorization over HTTP and MCP at once: one answer', async () => {
  const report = await soakMcp({ seed: 20_261_122, rounds: ROUNDS });
  expect(report.problems).toEqual([]);
  expect(report.transfers).toBe(ROUNDS);
  expect([report.chainTotal, report.ledgerTotal]).toEqual([report.signed, report.signed]);
  expect(report.mixed).toBe(ROUNDS);
  // Chance decides the first of those that ask at once, and if a cut comes in time.
  for (const { asked } of report.transports.values()) expect(asked).toBeGreaterThan(0);
  const sold = [...report.transports.values()].reduce((sum, transport) => sum + transport.sold, 0);
  expect(sold).toBeGreaterThan(0);
  expect(sold).toBeLessThanOrEqual(ROUNDS);
});
