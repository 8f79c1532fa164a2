import type { Exchange, Market } from 'ccxt';
import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { isWire, type Wire } from '../../src/domain/read.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { callFor, contextOf, hasSamples, loadSamples, requestFor } from '../venues/recordings.ts';

/** Rows of the lists of contracts in a recorded payload, and the way of ccxt that reads one. */
interface Reader {
  readonly venue: string;
  readonly exchange: string;
  readonly symbol: string;
  readonly method: string;
  readonly rows: (payload: Wire) => unknown;
  readonly more?: readonly unknown[];
}

const READERS: readonly Reader[] = [
  {
    venue: 'binance',
    exchange: 'binance',
    symbol: 'symbol',
    method: 'parseMarket',
    rows: (of) => of.symbols,
  },
  { venue: 'okx', exchange: 'okx', symbol: 'instId', method: 'parseMarket', rows: (of) => of.data },
  {
    venue: 'gate',
    exchange: 'gate',
    symbol: 'name',
    method: 'parseContractMarket',
    rows: (of) => of,
    more: ['usdt'],
  },
  {
    venue: 'dydx',
    exchange: 'dydx',
    symbol: 'ticker',
    method: 'parseMarket',
    rows: ({ markets }) => (isWire(markets) ? Object.values(markets) : []),
  },
  {
    venue: 'apex',
    exchange: 'apex',
    symbol: 'crossSymbolName',
    method: 'parseMarket',
    rows: (of) => of.perpetualContract,
  },
  { venue: 'aster', exchange: 'aster', symbol: 'symbol', method: 'parseMarket', rows: (of) => of.symbols },
  { venue: 'backpack', exchange: 'backpack', symbol: 'symbol', method: 'parseMarket', rows: (of) => of },
  { venue: 'bingx', exchange: 'bingx', symbol: 'symbol', method: 'parseMarket', rows: (of) => of.data },
];

const RECORDED = READERS.filter(({ venue }) => hasSamples(venue));

/** ccxt's figures of a contract: price per named base unit, amounts in contracts. */
function readByCcxt(market: Market, { multiplier, contractSize }: Instrument) {
  const perContract = multiplier * contractSize;
  const times = (value: number | undefined, factor: number) =>
    value === undefined ? undefined : value * factor;
  return {
    tick: times(market?.precision.price, 1 / multiplier),
    lot: times(market?.precision.amount, perContract),
    minSize: times(market?.limits.amount?.min, perContract),
    minNotionalUsd: market?.limits.cost?.min,
    maxLeverage: market?.limits.leverage?.max,
  };
}

describe.skipIf(RECORDED.length === 0)(
  'terms as ccxt reads the same payloads (skipped without recordings)',
  () => {
    it.each(RECORDED)('$venue: the same where both read one', async (reader) => {
      const adapter = adapterOf(reader.venue);
      const ccxt = (await import('ccxt')).default as unknown as Record<string, new () => Exchange>;
      const Of = ccxt[reader.exchange];
      if (adapter === undefined || Of === undefined) throw new Error('no reader');
      const exchange = new Of() as unknown as Record<string, (...given: readonly unknown[]) => Market>;
      const compared: string[] = [];
      for (const { url, method, payloads } of loadSamples(reader.venue)) {
        const [payload] = payloads;
        const call = callFor(adapter, url, method);
        const ours = call?.decode(payload, contextOf([], requestFor(url))).instruments ?? [];
        const found = ours.length === 0 ? undefined : reader.rows(payload as Wire);
        const rows = (Array.isArray(found) ? found : []).filter(isWire);
        for (const instrument of ours) {
          const row = rows.find((stated) => stated[reader.symbol] === instrument.symbol);
          const terms = instrument.terms;
          if (row === undefined || terms === undefined) continue;
          const theirs = readByCcxt(exchange[reader.method]?.(row, ...(reader.more ?? [])), instrument);
          for (const [name, value] of Object.entries(theirs)) {
            const own = terms[name as keyof typeof theirs];
            if (value === undefined || value === 0 || own === undefined) continue;
            expect([instrument.symbol, name, own / value]).toEqual([
              instrument.symbol,
              name,
              expect.closeTo(1, 9),
            ]);
            compared.push(name);
          }
        }
      }
      expect(compared).toEqual(expect.arrayContaining(['tick', 'lot']));
    });
  },
);
