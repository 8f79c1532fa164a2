import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wire } from '../../src/domain/read.ts';
import { Findings, inner, items } from './near.ts';
import { FEES, judgeRow, MAKER, rowsOf } from './signal-costs.ts';
import { api, openTruthApi } from './truth-api.ts';

beforeAll(openTruthApi);
afterAll(() => api.close());

const SIGNAL = '/v1/perp/arbitrage/funding-signal';
const QUERY = { min_diff: 0, limit: 100, include_below_1k: 'true', holding_days: 3 };
/** The most assets of one scan. */
const AT_ONCE = 20;

/** The rows of all assets, as scans of some assets each give them. */
async function everyRow(query: Readonly<Record<string, string | number>>) {
  const pages = [];
  const assets = [...api.truth.byAsset.keys()];
  for (let from = 0; from < assets.length; from += AT_ONCE) {
    const symbol = assets.slice(from, from + AT_ONCE).join();
    pages.push((await api.get(SIGNAL, { ...QUERY, ...query, symbol })).body);
  }
  return pages.flatMap((body) => rowsOf(body).map((row) => ({ row, body })));
}

describe('the costs of every pair of the funding signal, out of other answers', () => {
  it.each([
    ['public fees', {}, { isMine: false }],
    ['fees of the buyer', { fees: FEES, maker: MAKER }, { isMine: true }],
    ['a size of the buyer', { notional_usd: 40_000 }, { isMine: false, own: 40_000 }],
  ])('%s: no row but is as recomputed', async (_, query, terms) => {
    const found = new Findings();
    const whole = (await api.get(SIGNAL, { ...QUERY, ...query })).body;
    const rows = await everyRow(query);
    expect(rows.length).toBe(whole.assessed);
    let judged = 0;
    for (const { row, body } of rows) judged += await judgeRow(found, row, body, terms);
    expect(found.list.slice(0, 10)).toEqual([]);
    expect(judged).toBe(rows.length);
    const isKnown = ({ share_pct: share }: Wire): boolean => typeof share === 'number';
    const shares = rows.filter(({ row }) => items(row.item, 'above_costs').some(isKnown));
    const costs = rows.filter(({ row }) => typeof inner(row.item, 'gap').cost_bps === 'number');
    // Values that are null on both sides would show nothing.
    expect(shares.length).toBeGreaterThan(0);
    expect(costs.length).toBeGreaterThan(rows.length / 2);
  });
});
