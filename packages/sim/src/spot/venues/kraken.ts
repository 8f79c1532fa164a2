import { json, type SpotRest } from '../spot-answer.ts';
import { spotBook } from '../spot-book.ts';
import { type SpotName, spotPairs, spotQuote } from '../spot-pair.ts';

const OWN: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG', LUNC: 'LUNA', LUNA: 'LUNA2' };

const NAMES: SpotName = (ticker) => {
  const base = OWN[ticker];
  return base === undefined ? undefined : { base, multiplier: 1 };
};

export const krakenSpot: SpotRest = ({ path, query, now }, world, venue) => {
  if (!path.startsWith('/0/public/')) return undefined;
  const pairs = spotPairs(world, venue, NAMES);
  const of = (row: (pair: (typeof pairs)[number]) => object) =>
    json({ error: [], result: Object.fromEntries(pairs.map((pair) => [`${pair.base}USD`, row(pair)])) });
  if (path === '/0/public/AssetPairs')
    return of((pair) => {
      const { tick, lot, tickDecimals, lotDecimals } = spotQuote(world, pair, now);
      const digits = { pair_decimals: tickDecimals, lot_decimals: lotDecimals, lot_multiplier: 1 };
      const terms = { tick_size: tick, ...digits, ordermin: lot, costmin: '0.5' };
      const names = { altname: `${pair.base}USD`, base: pair.base, quote: 'ZUSD', aclass_quote: 'currency' };
      const fees = [[0, 0.4]];
      return {
        wsname: `${pair.base}/USD`,
        ...names,
        aclass_base: 'currency',
        ...terms,
        status: 'online',
        fees,
        leverage_sell: [],
      };
    });
  if (path === '/0/public/Depth') {
    const pair = pairs.find(({ base }) => `${base}USD` === query.get('pair'));
    if (pair === undefined) return json({ error: ['EQuery:Unknown asset pair'] });
    const { bids, asks } = spotBook(world, pair, now, Number(query.get('count') ?? 100));
    const timed = (side: typeof bids) => side.map((level) => [...level, Math.floor(now / 1000)]);
    return json({ error: [], result: { [`${pair.base}USD`]: { asks: timed(asks), bids: timed(bids) } } });
  }
  if (path !== '/0/public/Ticker') return undefined;
  return of((pair) => {
    const { bid, bidSize, ask, askSize, last, volume } = spotQuote(world, pair, now);
    const sides = { a: [ask, '1', askSize], b: [bid, '1', bidSize] };
    return { ...sides, c: [last, '0.1'], v: ['0', volume], p: [last, last] };
  });
};
