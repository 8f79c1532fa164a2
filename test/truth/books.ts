import { describe, expect, it } from 'vitest';
import type { Wire } from '../../src/domain/read.ts';
import { BOOK_DEPTH } from '../world/world-books.ts';
import { BPS_PLACE, byVenue, Findings, inner, items, PRICE_BPS } from './near.ts';
import { trueRates } from './true-rates.ts';
import { api, STALE_VENUE } from './truth-api.ts';
import type { Truth } from './truth-table.ts';

type Levels = readonly (readonly [price: number, size: number])[];
const EXACT = 1e-6;
const EXACT_BPS = EXACT + BPS_PLACE;
/** Answers state dollars to the cent. */
const CENT = 0.01;
const CAP = 10_000;

/** Volume-weighted slippage of a size against one side, bps of the mid, straight from the levels. */
function walk(levels: Levels, mid: number, sizeUsd: number): number {
  let left = sizeUsd;
  let base = 0;
  for (const [price, size] of levels) {
    const taken = Math.min(left, price * size);
    base += taken / price;
    left -= taken;
    if (left <= 0) break;
  }
  return (Math.abs(sizeUsd / base - mid) / mid) * 1e4;
}

/** The value of a book, computed plainly. */
function worthOf(row: Truth) {
  const { bids, asks } = row.book(BOOK_DEPTH);
  const bid = bids[0]?.[0] ?? 0;
  const ask = asks[0]?.[0] ?? 0;
  const mid = (bid + ask) / 2;
  const depth = (levels: Levels): number =>
    levels
      .filter(([price]) => Math.abs(price - mid) / mid <= 0.01)
      .reduce((sum, [price, size]) => sum + price * size, 0);
  const bidDepth = depth(bids);
  const askDepth = depth(asks);
  const cap = Math.min(bidDepth, askDepth, CAP);
  const worse = (size: number): number => Math.max(walk(bids, mid, size), walk(asks, mid, size));
  const spread = ((ask - bid) / mid) * 1e4;
  return { bids, asks, bid, ask, spread, bidDepth, askDepth, cap, worse };
}

/** The first units of a ladder: no more goes to a venue than what it can fill within its window. */
function firstUnits<Level extends { readonly units: number }>(levels: readonly Level[], most: number) {
  let left = most;
  return levels.flatMap((level) => {
    const units = Math.max(0, Math.min(level.units, left));
    left -= level.units;
    return units > 0 ? [{ ...level, units }] : [];
  });
}

const usable = (id: string): readonly Truth[] => {
  const { dead } = api.source.world.planted;
  return api.truth
    .of(id)
    .filter(({ venue }) => venue !== STALE_VENUE && !(venue === dead.venue && id === dead.asset.id));
};

const SIZES = [1000, 5000, 10_000];

/** Venues that state a fee with each contract, which this world does not keep. */
const OWN_FEES = /^(deribit|hyperliquid-)/;

/** The public fee of a contract, bps: of its venue, or, where that states one with each contract, as it is answered. */
function feeOf({ venue, takerFeeBps }: Truth, answered: Wire | undefined): number | undefined {
  if (!OWN_FEES.test(venue)) return takerFeeBps;
  return typeof answered?.taker_fee_bps === 'number' ? answered.taker_fee_bps : undefined;
}

/** Tether's own coin of several chains (usdt0.to) is redeemed for USDT one to one. */
const currencyOf = ({ quote }: Truth): string => (quote === 'USDT0' ? 'USDT' : quote);

describe('for every asset with books', () => {
  it('the consolidated touch is the best of its venues', async () => {
    const found = new Findings();
    for (const id of api.assets) {
      const worths = usable(id).map(worthOf);
      const { status, body } = await api.get(`/v1/orderbook/aggregate/${id}`);
      found.same(`${id} status`, status, worths.length > 0 ? 200 : 503);
      if (status !== 200) continue;
      found.price(`${id} bid`, inner(body, 'best_bid').price, Math.max(...worths.map(({ bid }) => bid)));
      found.price(`${id} ask`, inner(body, 'best_ask').price, Math.min(...worths.map(({ ask }) => ask)));
      found.same(`${id} venues`, body.venues_count, worths.length);
    }
    expect(found.list.slice(0, 10)).toEqual([]);
  });

  it('slippage: follows from the levels, and the best ranks first', async () => {
    const found = new Findings();
    let turn = 0;
    let unfilled = 0;
    for (const id of api.assets) {
      const rows = usable(id);
      if (rows.length === 0) continue;
      const size = SIZES[turn++ % SIZES.length] ?? CAP;
      const query = { ticker: id, size_usd: size };
      const { body } = await api.get('/v1/orderbook/multi-venue-slippage', query);
      const list = items(body, 'venues');
      const answered = byVenue(list);
      const slippages: number[] = [];
      for (const row of rows) {
        const worth = worthOf(row);
        const item = answered.get(row.venue) ?? {};
        const slippage = size <= worth.cap ? worth.worse(size) : undefined;
        if (slippage === undefined) unfilled++;
        else slippages.push(slippage);
        const where = `${id} ${row.venue} ${size}`;
        found.number(`${where} slippage`, item.slippage_bps, slippage, EXACT_BPS);
        found.number(
          `${where} bid depth`,
          item.bid_depth_usd,
          worth.bidDepth,
          worth.bidDepth * EXACT + CENT / 2,
        );
        found.number(
          `${where} ask depth`,
          item.ask_depth_usd,
          worth.askDepth,
          worth.askDepth * EXACT + CENT / 2,
        );
        found.number(`${where} spread`, item.spread_bps, worth.spread, EXACT_BPS);
      }
      const order = list.map((quote) => (quote.slippage_bps === null ? 1e9 : Number(quote.slippage_bps)));
      found.same(
        `${id} order`,
        order,
        [...order].sort((a, b) => a - b),
      );
      const best = await api.get('/v1/orderbook/best-execution', query);
      found.same(`${id} best status`, best.status, slippages.length > 0 ? 200 : 404);
      if (slippages.length > 0) {
        const least = Math.min(...slippages);
        found.number(`${id} best`, inner(best.body, 'best').slippage_bps, least, EXACT_BPS);
      }
    }
    expect(found.list.slice(0, 10)).toEqual([]);
    expect(unfilled).toBeGreaterThan(10);
  });

  it('sizes beyond 10,000: the levels walked further, or what they fill', async () => {
    const found = new Findings();
    let unfilled = 0;
    for (const [turn, id] of api.assets.entries()) {
      const size = [20_000, 75_000, 250_000][turn % 3] ?? CAP;
      const rows = usable(id);
      if (rows.length === 0) continue;
      const query = { ticker: id, notional_usd: size };
      const { body } = await api.get('/v1/orderbook/multi-venue-slippage', query);
      found.same(`${id} size`, body.size_usd, size);
      const answered = byVenue(items(body, 'venues'));
      for (const row of rows) {
        const { bidDepth, askDepth, worse } = worthOf(row);
        const depth = Math.min(bidDepth, askDepth);
        const item = answered.get(row.venue) ?? {};
        const slippage = size <= depth ? worse(size) : undefined;
        if (slippage === undefined) unfilled++;
        found.number(`${id} ${row.venue} slippage`, item.slippage_bps, slippage, EXACT_BPS);
        const fills = Math.min(size, depth);
        found.number(`${id} ${row.venue} fills`, item.fills_usd, fills, fills * EXACT + CENT);
      }
      const route = await api.get('/v1/orderbook/multi-venue-execution', query);
      const filled = Math.min(
        size,
        rows.reduce((sum, row) => sum + Math.min(worthOf(row).bidDepth, worthOf(row).askDepth), 0),
      );
      if (route.status === 200) found.number(`${id} route`, route.body.total_filled_usd, filled, 1);
    }
    expect(found.list.slice(0, 10)).toEqual([]);
    expect(unfilled).toBeGreaterThan(10);
  });

  it('a route fills the size from the cheapest books, each within its cap', async () => {
    const found = new Findings();
    for (const id of api.assets) {
      const worths = new Map(usable(id).map((row) => [row.venue, worthOf(row)] as const));
      if (worths.size === 0) continue;
      const query = { ticker: id, size_usd: CAP };
      const { status, body } = await api.get('/v1/orderbook/multi-venue-execution', query);
      const order = [...worths.values()]
        .filter(({ cap }) => cap > 0)
        .map((worth) => ({ worth, slippage: worth.worse(Math.min(CAP, worth.cap)) }))
        .sort((a, b) => a.slippage - b.slippage);
      let left = CAP;
      let cost = 0;
      for (const { worth } of order) {
        const part = Math.min(left, worth.cap);
        if (part <= 0) continue;
        cost += part * worth.worse(part);
        left -= part;
      }
      found.same(`${id} status`, status, left < CAP ? 200 : 404);
      if (status !== 200) continue;
      found.number(`${id} filled`, body.total_filled_usd, CAP - left, 0.01);
      found.number(`${id} unfilled`, body.unfilled_usd, left, 0.01);
      found.number(`${id} blended`, body.blended_slippage_bps, cost / (CAP - left), 1e-3);
      for (const leg of items(body, 'route')) {
        const worth = worths.get(String(leg.venue));
        const part = Number(leg.allocated_usd);
        found.number(`${id} ${leg.venue} cap`, leg.max_fillable_usd, worth?.cap, 0.01);
        const cent = worth === undefined ? 0 : worth.worse(part + CENT) - worth.worse(part - CENT);
        found.number(`${id} ${leg.venue} slippage`, leg.slippage_bps, worth?.worse(part), EXACT_BPS + cent);
        if (part > (worth?.cap ?? 0) + 0.01) found.list.push(`${id} ${leg.venue} is filled beyond its cap`);
      }
    }
    expect(found.list.slice(0, 10)).toEqual([]);
  });

  it('costs with fees: slippage plus the public fee of the side', async () => {
    const found = new Findings();
    let turn = 0;
    for (const id of api.assets) {
      const rows = usable(id);
      if (rows.length === 0) continue;
      const size = SIZES[turn++ % SIZES.length] ?? CAP;
      const side = turn % 2 === 0 ? 'buy' : 'sell';
      const query = { ticker: id, size_usd: size, side, rank_by: 'all_in' };
      const { body } = await api.get('/v1/orderbook/multi-venue-slippage', query);
      const list = items(body, 'venues');
      for (const item of list) {
        const row = rows.find(({ venue }) => venue === item.venue);
        if (row === undefined) continue;
        const { bids, asks, bid, ask, bidDepth, askDepth } = worthOf(row);
        const [levels, depth] = side === 'buy' ? [asks, askDepth] : [bids, bidDepth];
        const slippage = size <= depth ? walk(levels, (bid + ask) / 2, size) : undefined;
        const fee = feeOf(row, item);
        const where = `${id} ${row.venue} ${side} ${size}`;
        found.number(`${where} slippage`, item.slippage_bps, slippage, EXACT_BPS);
        found.number(`${where} fee`, item.taker_fee_bps, fee, BPS_PLACE);
        const allIn = slippage === undefined || fee === undefined ? undefined : slippage + fee;
        found.number(`${where} all in`, item.all_in_bps, allIn, EXACT_BPS);
        found.same(`${where} contract`, [item.venue_symbol, item.quote], [row.symbol, row.quote]);
        const nulls = ['slippage_bps', 'taker_fee_bps', 'all_in_bps'].filter((name) => item[name] === null);
        found.same(`${where} reasons`, Object.keys(inner(item, 'null_reasons')).sort(), nulls.sort());
      }
      const order = list.map((quote) => (quote.all_in_bps === null ? 1e9 : Number(quote.all_in_bps)));
      found.same(
        `${id} order`,
        order,
        [...order].sort((a, b) => a - b),
      );
      const best = await api.get('/v1/orderbook/best-execution', query);
      if (best.status === 200) found.same(`${id} best`, inner(best.body, 'best').venue, list[0]?.venue);
    }
    expect(found.list.slice(0, 10)).toEqual([]);
  });

  it('a split: the cheapest levels with fees, below the best venue', async () => {
    const found = new Findings();
    const rates = trueRates(api);
    let split = 0;
    let saved = 0;
    for (const id of api.assets) {
      const priced = await api.get('/v1/orderbook/multi-venue-slippage', { ticker: id });
      const answered = byVenue(items(priced.body, 'venues'));
      const fees = new Map(usable(id).map((row) => [row, feeOf(row, answered.get(row.venue))] as const));
      const withFee = [...fees].flatMap(([row, fee]) => (fee === undefined ? [] : [row]));
      if (withFee.length === 0) continue;
      const isOneQuote = new Set(withFee.map(currencyOf)).size === 1;
      const rows = withFee.filter((row) => isOneQuote || rates.has(currencyOf(row)));
      const side = split++ % 2 === 0 ? 'buy' : 'sell';
      const query = { ticker: id, size_usd: CAP, side, split: 'true' };
      const { status, body } = await api.get('/v1/orderbook/multi-venue-execution', query);
      found.same(`${id} status`, status, 200);
      const figures = inner(body, 'split');
      const untied = withFee.filter((row) => !rows.includes(row)).map(({ venue }) => venue);
      const left = figures.venues_without_rate;
      found.same(`${id} left out`, Array.isArray(left) ? left.sort().join() : left, untied.sort().join());
      found.same(`${id} adjusted`, figures.quote_adjusted, true);
      const books = rows.map((row) => {
        const factor = isOneQuote ? 1 : (rates.get(currencyOf(row)) ?? Number.NaN);
        const { bids, asks, bid, ask, bidDepth, askDepth } = worthOf(row);
        const mid = (bid + ask) / 2;
        const most = Math.min(side === 'buy' ? askDepth : bidDepth, CAP);
        const fee = ((fees.get(row) ?? 0) / 1e4) * (side === 'buy' ? 1 : -1);
        const levels = (side === 'buy' ? asks : bids)
          .filter(([price]) => Math.abs(price - mid) / mid <= 0.01)
          .map(([price, units]) => ({ price: price * (1 + fee) * factor, units }));
        return { bid: bid * factor, ask: ask * factor, levels, most };
      });
      const reference =
        (Math.max(...books.map(({ bid }) => bid)) + Math.min(...books.map(({ ask }) => ask))) / 2;
      const costOf = (levels: readonly { readonly price: number; readonly units: number }[]) => {
        let left = CAP / reference;
        let value = 0;
        const way = side === 'buy' ? 1 : -1;
        for (const { price, units } of [...levels].sort((a, b) => way * (a.price - b.price))) {
          const taken = Math.min(left, units);
          value += taken * price;
          left -= taken;
        }
        const filled = CAP / reference - left;
        return { left, bps: ((way * (value / filled - reference)) / reference) * 1e4 };
      };
      const ladders = books.map(({ levels, most }) => firstUnits(levels, most / reference));
      const all = costOf(ladders.flat());
      found.price(`${id} reference`, figures.reference_price, reference);
      found.number(`${id} all in`, figures.all_in_bps, all.bps, PRICE_BPS);
      found.number(`${id} unfilled`, body.unfilled_usd, all.left * reference, 1);
      const alone = ladders.map(costOf).filter(({ left }) => left < 1e-12);
      const least = alone.length === 0 ? undefined : Math.min(...alone.map(({ bps }) => bps));
      const single = figures.best_single === null ? null : inner(figures, 'best_single').all_in_bps;
      found.number(`${id} single`, single, least, PRICE_BPS);
      if (single !== null && Number(figures.all_in_bps) > Number(single)) found.list.push(`${id} is dearer`);
      if (Number(figures.saved_bps) > 0.1) saved++;
      const two = await api.get('/v1/orderbook/multi-venue-execution', { ...query, venues_max: 2 });
      if (items(two.body, 'route').length > 2) found.list.push(`${id} uses more than two venues`);
    }
    expect(found.list.slice(0, 10)).toEqual([]);
    expect(saved).toBeGreaterThan(20);
  });

  it('one venue after another quotes its depth and its touch', async () => {
    const found = new Findings();
    let turn = 0;
    for (const id of api.assets) {
      const rows = api.truth.of(id);
      const row = rows[turn++ % rows.length];
      if (row === undefined) continue;
      const worth = worthOf(row);
      const size = SIZES[turn % SIZES.length] ?? CAP;
      const depth = await api.get(`/v1/orderbook/depth/${row.venue}/${id}`, { size_usd: size });
      const quote = inner(depth.body, 'quote');
      const slippage = size <= worth.cap ? worth.worse(size) : undefined;
      found.number(`${id} ${row.venue} slippage`, quote.est_slippage_for_size_usd_bps, slippage, EXACT_BPS);
      found.number(`${id} ${row.venue} cap`, quote.max_fillable_usd, worth.cap, 0.01);
      const top = (await api.get(`/v1/orderbook/${row.venue}/${id}/top`)).body;
      found.price(`${id} ${row.venue} bid`, top.bid_price, worth.bid);
      found.price(`${id} ${row.venue} bid size`, top.bid_size, worth.bids[0]?.[1]);
      found.price(`${id} ${row.venue} ask`, top.ask_price, worth.ask);
      found.price(`${id} ${row.venue} ask size`, top.ask_size, worth.asks[0]?.[1]);
    }
    expect(found.list.slice(0, 10)).toEqual([]);
  });
});
