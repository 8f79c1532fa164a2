import { expect, it } from 'vitest';
import { soakMcp } from './mcp-run.ts';

/** A part of what `npm run soak:mcp` does. */
const ROUNDS = 16;

it('one authorization presented over HTTP and MCP at once buys one answer, once, and the ledger is the chain', async () => {
  const report = await soakMcp({ seed: 20_261_122, rounds: ROUNDS });
  expect(report.problems).toEqual([]);
  expect(report.transfers).toBe(ROUNDS);
  expect([report.chainTotal, report.ledgerTotal]).toEqual([report.signed, report.signed]);
  expect(report.mixed).toBe(ROUNDS);
  expect(report.cut).toBeGreaterThan(0);
  for (const { sold } of report.faces.values()) expect(sold).toBeGreaterThan(0);
});
