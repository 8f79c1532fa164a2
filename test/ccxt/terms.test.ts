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
  /** The way that reads one row; none where ccxt reads the answer of a call as a whole. */
  readonly method?: string;
  readonly call?: string;
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
  {
    venue: 'cryptocom',
    exchange: 'cryptocom',
    symbol: 'symbol',
    call: 'v1PublicGetPublicGetInstruments',
    rows: ({ result }) => (isWire(result) ? result.data : undefined),
  },
  {
    venue: 'deribit',
    exchange: 'deribit',
    symbol: 'instrument_name',
    call: 'publicGetGetInstruments',
    rows: (of) => of.result,
  },
  { venue: 'bingx', exchange: 'bingx', symbol: 'symbol', method: 'parseMarket', rows: (of) => of.data },
  {
    venue: 'derive',
    exchange: 'derive',
    symbol: 'instrument_name',
    method: 'parseMarket',
    rows: ({ result }) => (isWire(result) ? result.instruments : undefined),
  },
  { venue: 'extended', exchange: 'extended', symbol: 'name', method: 'parseMarket', rows: (of) => of.data },
  { venue: 'grvt', exchange: 'grvt', symbol: 'instrument', method: 'parseMarket', rows: (of) => of.result },
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

type Methods = Record<string, (...given: readonly unknown[]) => unknown>;

/** ccxt's markets of a list, by the venue's names of them. */
async function marketsOf(reader: Reader, exchange: Methods, payload: Wire): Promise<Map<unknown, Market>> {
  const { method, call, symbol, more = [] } = reader;
  if (call !== undefined) {
    exchange[call] = async () => payload;
    const markets = (await exchange.fetchMarkets?.()) as readonly Market[];
    return new Map(markets.map((market) => [market?.id, market]));
  }
  const found = reader.rows(payload);
  const rows = (Array.isArray(found) ? found : []).filter(isWire);
  return new Map(rows.map((row) => [row[symbol], exchange[method ?? '']?.(row, ...more) as Market]));
}

describe.skipIf(RECORDED.length === 0)(
  'terms as ccxt reads the same payloads (skipped without recordings)',
  () => {
    it.each(RECORDED)('$venue: the same where both read one', async (reader) => {
      const adapter = adapterOf(reader.venue);
      const ccxt = (await import('ccxt')).default as unknown as Record<string, new () => Exchange>;
      const Of = ccxt[reader.exchange];
      if (adapter === undefined || Of === undefined) throw new Error('no reader');
      const exchange = new Of() as unknown as Methods;
      const compared: string[] = [];
      for (const { url, method, payloads } of loadSamples(reader.venue)) {
        const [payload] = payloads;
        const call = callFor(adapter, url, method);
        const ours = call?.decode(payload, contextOf([], requestFor(url))).instruments ?? [];
        if (ours.length === 0) continue;
        const markets = await marketsOf(reader, exchange, payload as Wire);
        for (const instrument of ours) {
          const market = markets.get(instrument.symbol);
          const terms = instrument.terms;
          if (market === undefined || terms === undefined) continue;
          const theirs = readByCcxt(market, instrument);
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
