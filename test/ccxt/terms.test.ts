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

/** A list that ccxt reads whole, by a method that asks for it. */
interface ListReader {
  readonly venue: string;
  readonly exchange: string;
  readonly method: 'fetchMarkets' | 'fetchSwapMarkets';
  /** The call that is answered with the list, where the method makes others as well. */
  readonly call?: string;
  /** The list around a recorded row that stands alone. */
  readonly around?: (payload: unknown) => unknown;
  /** Terms that ccxt counts otherwise. */
  readonly unless?: readonly string[];
}

const LISTS: readonly ListReader[] = [
  {
    venue: 'cryptocom',
    exchange: 'cryptocom',
    method: 'fetchMarkets',
    call: 'v1PublicGetPublicGetInstruments',
  },
  { venue: 'deribit', exchange: 'deribit', method: 'fetchMarkets', call: 'publicGetGetInstruments' },
  { venue: 'hibachi', exchange: 'hibachi', method: 'fetchMarkets' },
  // It has coins as the least size, where all other amounts are contracts.
  { venue: 'htx', exchange: 'htx', method: 'fetchMarkets', unless: ['minSize'] },
  { venue: 'kraken', exchange: 'krakenfutures', method: 'fetchMarkets' },
  { venue: 'lighter', exchange: 'lighter', method: 'fetchMarkets' },
  { venue: 'mexc', exchange: 'mexc', method: 'fetchSwapMarkets' },
  {
    venue: 'orderly',
    exchange: 'woofipro',
    method: 'fetchMarkets',
    around: (row) => ({ success: true, data: { rows: [row] } }),
  },
  { venue: 'pacifica', exchange: 'pacifica', method: 'fetchSwapMarkets' },
  { venue: 'paradex', exchange: 'paradex', method: 'fetchMarkets' },
  { venue: 'phemex', exchange: 'phemex', method: 'fetchMarkets' },
];

const RECORDED = READERS.filter(({ venue }) => hasSamples(venue));
const RECORDED_LISTS = LISTS.filter(({ venue }) => hasSamples(venue));

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

type Ccxt = Readonly<Record<string, new () => Exchange>>;
type Methods = Record<string, (...given: readonly unknown[]) => unknown>;

async function exchangeOf(name: string): Promise<Methods> {
  const ccxt = (await import('ccxt')).default as unknown as Ccxt;
  const Of = ccxt[name];
  if (Of === undefined) throw new Error(`ccxt has no ${name}`);
  return new Of() as unknown as Methods;
}

/** Contracts of each recorded payload of lists, with the payload. */
function recordedLists(venue: string): (readonly [payload: unknown, contracts: readonly Instrument[]])[] {
  const adapter = adapterOf(venue);
  if (adapter === undefined) throw new Error(`no venue ${venue}`);
  return loadSamples(venue).flatMap(({ url, method, payloads: [payload] }) => {
    const call = callFor(adapter, url, method);
    const contracts = call?.decode(payload, contextOf([], requestFor(url))).instruments ?? [];
    return contracts.length === 0 ? [] : [[payload, contracts] as const];
  });
}

/** Holds what both read of one contract against each other. @returns the names of it */
function compare(instrument: Instrument, market: Market, unless: readonly string[] = []): string[] {
  const { symbol, terms } = instrument;
  return Object.entries(readByCcxt(market, instrument)).flatMap(([name, value]) => {
    const own = (terms as Readonly<Record<string, unknown>> | undefined)?.[name];
    if (value === undefined || value === 0 || typeof own !== 'number' || unless.includes(name)) return [];
    expect([symbol, name, own / value]).toEqual([symbol, name, expect.closeTo(1, 9)]);
    return [name];
  });
}

describe.skipIf(RECORDED.length === 0)('terms as ccxt reads them (skipped without recordings)', () => {
  it.each(RECORDED)('$venue: each row by itself', async (reader) => {
    const exchange = await exchangeOf(reader.exchange);
    const compared = recordedLists(reader.venue).flatMap(([payload, contracts]) => {
      const found = reader.rows(payload as Wire);
      const rows = (Array.isArray(found) ? found : []).filter(isWire);
      return contracts.flatMap((contract) => {
        const row = rows.find((stated) => stated[reader.symbol] === contract.symbol);
        if (row === undefined) return [];
        return compare(contract, exchange[reader.method]?.(row, ...(reader.more ?? [])) as Market);
      });
    });
    expect(compared).toEqual(expect.arrayContaining(['tick', 'lot']));
  });

  it.each(RECORDED_LISTS)('$venue: the whole list', async ({ venue, exchange: name, ...reader }) => {
    const exchange = await exchangeOf(name);
    const compared: string[] = [];
    for (const [payload, contracts] of recordedLists(venue)) {
      exchange[reader.call ?? 'fetch'] = async () => structuredClone(reader.around?.(payload) ?? payload);
      const markets = (await exchange[reader.method]?.({})) as readonly Market[];
      for (const contract of contracts) {
        const ids = [contract.symbol, contract.altId];
        const market = markets.find((stated) => stated?.swap === true && ids.includes(stated.id));
        if (market !== undefined) compared.push(...compare(contract, market, reader.unless));
      }
    }
    expect(compared).toEqual(expect.arrayContaining(['tick', 'lot']));
  });
});
