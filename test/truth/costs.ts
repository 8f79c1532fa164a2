import { describe, expect, it } from 'vitest';
import { BPS_PLACE, Findings, inner, items } from './near.ts';
import { FEES, feesOf, judgeRow, MAKER, rowsOf } from './signal-costs.ts';
import { api } from './truth-api.ts';

describe('the costs of the funding signal, out of other answers', () => {
  it.each([false, true])('fees of the buyer %s: every row is as recomputed', async (isMine) => {
    const found = new Findings();
    const query = { min_diff: 0, limit: 100, include_below_1k: 'true', holding_days: 3 };
    const named = isMine ? { ...query, fees: FEES, maker: MAKER } : query;
    const { body } = await api.get('/v1/perp/arbitrage/funding-signal', named);
    let judged = 0;
    for (const row of rowsOf(body)) judged += await judgeRow(found, row, body, { isMine });
    expect(found.list.slice(0, 10)).toEqual([]);
    expect(judged).toBeGreaterThan(50);
  });

  it('a size of the buyer: every row is of it, or null in thin books', async () => {
    const found = new Findings();
    let filled = 0;
    let thin = 0;
    for (const own of [500, 40_000, 250_000]) {
      const query = { min_diff: 0, limit: 100, include_below_1k: 'true', holding_days: 3, notional_usd: own };
      const { body } = await api.get('/v1/perp/arbitrage/funding-signal', query);
      found.same('size', body.notional_usd, own);
      for (const row of rowsOf(body)) {
        if ((await judgeRow(found, row, body, { isMine: false, own })) === 0) continue;
        if (row.item.entry_slippage_bps === null) thin += 1;
        else filled += 1;
      }
    }
    expect(found.list.slice(0, 10)).toEqual([]);
    expect(Math.min(filled, thin)).toBeGreaterThan(20);
  });

  it('fees of the buyer: all-in costs and ranks of every venue', async () => {
    const found = new Findings();
    const query = { ticker: 'BTC', size_usd: 10_000, rank_by: 'all_in' };
    const plain = items((await api.get('/v1/orderbook/multi-venue-slippage', query)).body, 'venues');
    const { body } = await api.get('/v1/orderbook/multi-venue-slippage', {
      ...query,
      fees: FEES,
      maker: MAKER,
    });
    const mine = feesOf(FEES);
    const list = items(body, 'venues');
    for (const row of list) {
      const before = plain.find(
        ({ venue, venue_symbol }) => venue === row.venue && venue_symbol === row.venue_symbol,
      );
      const fee = mine.get(String(row.venue)) ?? Number(before?.taker_fee_bps);
      const known = before?.taker_fee_bps === null && !mine.has(String(row.venue)) ? undefined : fee;
      found.number(`${row.venue} fee`, row.taker_fee_bps, known, BPS_PLACE);
      const slip = before?.slippage_bps;
      const all = typeof slip !== 'number' || known === undefined ? undefined : slip + known;
      found.number(`${row.venue} all in`, row.all_in_bps, all, 2 * BPS_PLACE);
      found.same(
        `${row.venue} maker`,
        row.maker_fee_bps ?? null,
        feesOf(MAKER).get(String(row.venue)) ?? null,
      );
    }
    const costs = list.map(({ all_in_bps: bps }) =>
      typeof bps === 'number' ? bps : Number.POSITIVE_INFINITY,
    );
    found.same(
      'order',
      costs,
      [...costs].sort((a, b) => (a === b ? 0 : a - b)),
    );
    const best = inner(
      (await api.get('/v1/orderbook/best-execution', { ...query, fees: FEES })).body,
      'best',
    );
    found.same('best', best.venue, list[0]?.venue);
    expect(found.list).toEqual([]);
  });
});
