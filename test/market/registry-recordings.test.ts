import { describe, expect, it } from 'vitest';
import type { AssetClass, Instrument } from '../../src/domain/instrument.ts';
import { asPrice } from '../../src/domain/units.ts';
import { decideIdentity, standingOf } from '../../src/market/decide-identity.ts';
import { createRegistry } from '../../src/market/registry/lookup.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { adapterOf, VENUES } from '../../src/venues/registry.ts';
import {
  callFor,
  contextOf,
  hasSamples,
  loadSamples,
  requestFor,
  SAMPLES_ROOT,
} from '../venues/recordings.ts';

const registry = createRegistry();
const DEXES = ['xyz', 'para', 'io', 'mkts', 'flx', 'vntl', 'km', 'cash', 'hyna'];

interface Folder {
  readonly adapter: VenueAdapter;
  readonly folder: string;
}

const FOLDERS: readonly Folder[] = [
  ...VENUES.map((adapter) => ({ adapter, folder: adapter.id })),
  ...DEXES.flatMap((dex) => {
    const adapter = adapterOf(`hyperliquid-${dex}`);
    return adapter === undefined ? [] : [{ adapter, folder: 'hyperliquid-hip3' }];
  }),
];

/** Contracts in every recorded instrument list of a folder, read by the venue's own decoders. */
function recorded({ adapter, folder }: Folder): Instrument[] {
  const bySymbol = new Map<string, Instrument>();
  for (const sample of loadSamples(folder)) {
    const call = sample.kind === 'rest' ? callFor(adapter, sample.url, sample.method) : undefined;
    if (call === undefined) continue;
    for (const payload of sample.payloads) {
      const { instruments } = call.decode(payload, contextOf([], requestFor(sample.url, sample.method)));
      for (const one of instruments) bySymbol.set(one.symbol, one);
    }
  }
  return [...bySymbol.values()];
}

function idOf(instrument: Instrument, mark?: number): string {
  const decided = decideIdentity(registry, instrument, mark === undefined ? undefined : asPrice(mark));
  return decided === 'needs_price' ? decided : decided.canonicalId;
}

const listing = (venue: string, base: string, assetClass?: AssetClass): Instrument => ({
  venue,
  symbol: base,
  base,
  ticker: base.toUpperCase(),
  multiplier: 1,
  contractSize: 1,
  quote: 'USDT',
  settle: 'USDT',
  ...(assetClass === undefined ? {} : { assetClass }),
});

/**
 * Contracts that are no coins, as their venues list them. Those without a price level are identified by their
 * first mark.
 */
const OFF_CHAIN: readonly (readonly [
  venue: string,
  symbol: string,
  base: string,
  stated: AssetClass | undefined,
  mark: number,
  id: string,
])[] = [
  ['binance', 'BTCDOMUSDT', 'BTCDOM', 'index', 3007.5, 'index:BTCDOM'],
  ['binance', 'ALLUSDT', 'ALL', 'index', 1700, 'index:ALL'],
  ['kraken', 'PF_AAPLxUSD', 'AAPLx', 'equity', 222, 'equity:AAPL'],
  ['grvt', 'NVDA_USDT_Perp', 'NVDA', undefined, 190, 'equity:NVDA'],
  ['hyperliquid-xyz', 'xyz:GOLD', 'GOLD', undefined, 4374.4, 'commodity:XAU'],
  ['hyperliquid-xyz', 'xyz:SP500', 'SP500', undefined, 7550, 'index:SPX'],
  ['hyperliquid-xyz', 'xyz:TLT', 'TLT', undefined, 88, 'etf:TLT'],
  ['hyperliquid-xyz', 'xyz:EUR', 'EUR', undefined, 1.16, 'fx:EURUSD'],
  ['hyperliquid-xyz', 'xyz:CL', 'CL', undefined, 61, 'commodity:WTI'],
  ['hyperliquid-xyz', 'xyz:BRENTOIL', 'BRENTOIL', undefined, 65, 'commodity:BRENT'],
  ['hyperliquid-xyz', 'xyz:SILVER', 'SILVER', undefined, 48, 'commodity:XAG'],
  ['hyperliquid-xyz', 'xyz:COPPER', 'COPPER', undefined, 5, 'commodity:COPPER'],
  ['hyperliquid-xyz', 'xyz:SPCX', 'SPCX', undefined, 212, 'equity:SPCX'],
  ['hyperliquid-xyz', 'xyz:NVDA', 'NVDA', undefined, 222.03, 'equity:NVDA'],
  ['hyperliquid-xyz', 'xyz:TSLA', 'TSLA', undefined, 436, 'equity:TSLA'],
  ['hyperliquid-km', 'km:US500', 'US500', undefined, 660, 'index:US500'],
];

it.each(OFF_CHAIN)('%s %s is no coin', (venue, _symbol, base, stated, mark, id) => {
  expect(idOf(listing(venue, base, stated), mark)).toBe(id);
  expect(idOf(listing(venue, base, stated))).not.toMatch(/^crypto:/);
});

const present = FOLDERS.filter(({ folder }) => hasSamples(folder));
const where = `recorded lists (skipped where there are none at ${SAMPLES_ROOT})`;

describe.skipIf(present.length === 0)(where, () => {
  const listed = new Map(
    present.flatMap((group) => recorded(group).map((i) => [`${i.venue} ${i.symbol}`, i])),
  );

  it('name what is no coin as it is named above', () => {
    for (const [venue, symbol, base, stated] of OFF_CHAIN) {
      const { base: read, assetClass } = listed.get(`${venue} ${symbol}`) ?? {};
      expect({ read, assetClass }, `${venue} ${symbol}`).toEqual({ read: base, assetClass: stated });
    }
  });

  it('a contract that its venue labels as no coin resolves to no coin', () => {
    const stated = [...listed.values()].filter(
      ({ assetClass }) => assetClass !== undefined && assetClass !== 'crypto' && assetClass !== 'prelaunch',
    );
    expect(stated.length).toBeGreaterThan(0);
    expect(stated.filter((instrument) => idOf(instrument, 100).startsWith('crypto:'))).toEqual([]);
  });

  it('every other contract is a coin or a declared exception', () => {
    const known = new Set(OFF_CHAIN.map(([venue, symbol]) => `${venue} ${symbol}`));
    const strays = [...listed].filter(([key, one]) => !known.has(key) && !/^(crypto:|needs)/.test(idOf(one)));
    expect(strays.map(([key, one]) => `${key} ${idOf(one)}`)).toEqual([]);
  });

  it('no contract on its name alone, but shares of a class-less venue', () => {
    const doubted = [...listed].flatMap(([key, one]) => {
      const decided = decideIdentity(registry, one, asPrice(100));
      return decided !== 'needs_price' && standingOf(registry, one, decided) === 'name' ? [key] : [];
    });
    expect(doubted).toEqual(['grvt NVDA_USDT_Perp']);
  });
});

/** Two readings of one name: the venue, its class and the mark that each stands for. */
type Reading = readonly [
  venue: string,
  base: string,
  mark: number,
  stated: AssetClass | undefined,
  id: string,
];
const COLLISIONS: readonly (readonly [name: string, Reading, Reading])[] = [
  [
    'STX',
    ['hyperliquid', 'STX', 0.31, undefined, 'crypto:STX'],
    ['hyperliquid-para', 'STX', 909, undefined, 'equity:STX'],
  ],
  [
    'SPX',
    ['binance', 'SPX', 1.05, 'crypto', 'crypto:SPX6900'],
    ['lighter', 'SPX', 6700, undefined, 'index:SPX'],
  ],
  [
    'BB',
    ['binance', 'BB', 0.15, undefined, 'crypto:BB'],
    ['hyperliquid-xyz', 'BB', 4.85, undefined, 'equity:BB'],
  ],
  [
    'QNT',
    ['binance', 'QNT', 98, undefined, 'crypto:QNT'],
    ['hyperliquid-xyz', 'QNT', 24.5, undefined, 'equity:QNT'],
  ],
  [
    'NEIRO',
    ['bingx', 'NEIRO', 0.0003, undefined, 'crypto:NEIROCTO'],
    ['gate', 'NEIRO', 0.08, undefined, 'crypto:NEIROETH'],
  ],
  [
    'NEIRO names',
    ['binance', 'NEIROCTO', 0.0003, undefined, 'crypto:NEIROCTO'],
    ['binance', 'NEIROETH', 0.08, undefined, 'crypto:NEIROETH'],
  ],
  [
    'GAS',
    ['binance', 'GAS', 3, undefined, 'crypto:GAS'],
    ['hyperliquid-flx', 'GAS', 3.05, undefined, 'commodity:NATGAS'],
  ],
  [
    'LIT and HEI',
    ['binance', 'LIT', 2, undefined, 'crypto:LIT'],
    ['binance', 'HEI', 0.4, undefined, 'crypto:HEI'],
  ],
  [
    'gold and its token',
    ['paradex', 'PAXG', 4020, undefined, 'crypto:PAXG'],
    ['hyperliquid-xyz', 'GOLD', 4020, undefined, 'commodity:XAU'],
  ],
  [
    'SKHX and SKHY',
    ['hyperliquid-xyz', 'SKHX', 700, undefined, 'equity:SKHYNIX'],
    ['hyperliquid-xyz', 'SKHY', 70, undefined, 'prelaunch:SKHY'],
  ],
  [
    'SpaceX',
    ['hyperliquid-vntl', 'SPACEX', 800, undefined, 'prelaunch:SPACEX'],
    ['hyperliquid-xyz', 'SPCX', 212, undefined, 'equity:SPCX'],
  ],
  [
    'JPY',
    ['hyperliquid-xyz', 'JPY', 156, undefined, 'fx:USDJPY'],
    ['edgex', 'JPY', 0.0064, 'fx', 'fx:JPYUSD'],
  ],
  [
    'US500',
    ['hyperliquid-km', 'US500', 755, undefined, 'index:US500'],
    ['paradex', 'US500', 7550, undefined, 'index:SPX'],
  ],
  [
    'Sonic',
    ['binance', 'S', 0.25, undefined, 'crypto:S'],
    ['binance', 'SONIC', 0.3, undefined, 'crypto:SONIC'],
  ],
  ['DASH', ['binance', 'DASH', 21, undefined, 'crypto:DASH'], ['htx', 'DASH', 230, 'equity', 'equity:DASH']],
  [
    'PAXG and XAU of one venue',
    ['kucoin', 'PAXG', 4020, 'commodity', 'crypto:PAXG'],
    ['kucoin', 'XAU', 4020, 'commodity', 'commodity:XAU'],
  ],
  ['HK50', ['htx', 'HK50', 26_200, 'index', 'index:HSI'], ['gate', 'HK50', 3370, 'index', 'index:HK50USD']],
  ['RTX', ['aster', 'RTX', 1.02, undefined, 'crypto:RTX'], ['gate', 'RTX', 214.9, 'equity', 'equity:RTX']],
  [
    'PURR',
    ['hyperliquid', 'PURR', 0.09, undefined, 'crypto:PURR'],
    ['bybit', 'PURR', 8, 'equity', 'equity:PURRDAT'],
  ],
  ['F', ['gate', 'F', 0.008, undefined, 'crypto:F'], ['whitebit', 'F', 12, 'unknown', 'equity:F']],
  ['C', ['binance', 'C', 0.1, undefined, 'crypto:C'], ['phemex', 'C', 99, 'unknown', 'equity:C']],
  ['ALL', ['binance', 'ALL', 1700, 'index', 'index:ALL'], ['whitebit', 'ALL', 205, 'unknown', 'equity:ALL']],
  ['DIA', ['binance', 'DIA', 0.5, undefined, 'crypto:DIA'], ['whitebit', 'DIA', 460, 'unknown', 'etf:DIA']],
  [
    'CVX',
    ['binance', 'CVX', 3.3, undefined, 'crypto:CVX'],
    ['hyperliquid-xyz', 'CVX', 155, undefined, 'equity:CVX'],
  ],
];

describe('names that mean two assets', () => {
  it.each(COLLISIONS)('%s has two ids', (_name, ...readings) => {
    const ids = readings.map(([venue, base, mark, stated]) => idOf(listing(venue, base, stated), mark));
    expect(ids).toEqual(readings.map((reading) => reading[4]));
    expect(new Set(ids).size).toBe(2);
  });
});

describe('names of single venues', () => {
  it.each([
    ['mexc', 'NVIDIA', 'equity:NVDA'],
    ['mexc', 'NVIDIASTOCK', 'equity:NVDA'],
    ['mexc', 'SKHYNIXSTOCK', 'equity:SKHYNIX'],
    ['mexc', 'NOBODYKNOWSSTOCK', 'equity:NOBODYKNOWS'],
    ['mexc', 'FILECOIN', 'crypto:FIL'],
    ['mexc', 'PUMPFUN', 'crypto:PUMP'],
    ['mexc', 'TRUMPOFFICIAL', 'crypto:TRUMP'],
    ['gate', 'EDGEX', 'crypto:EDGE'],
    ['gate', 'EDGE', 'crypto:DEFINITIVE'],
    ['kucoin', 'EDGE', 'crypto:EDGE'],
    ['gate', 'BROCCOLI', 'crypto:BROCCOLI714'],
    ['mexc', 'BROCCOLI', 'crypto:BROCCOLI'],
    ['gate', 'RON', 'crypto:RONIN'],
    ['bybit', 'TSTBSC', 'crypto:TST'],
    ['gate', 'TQQQX', 'etf:TQQQ'],
    ['gate', 'KR200', 'index:KR200USD'],
    ['bitget', 'KR200', 'index:KOSPI200'],
    ['extended', 'XIAOMI', 'equity:XIAOMIHKD'],
    ['bitget', 'STXSTOCK', 'equity:STX'],
    ['kucoin', 'QNTX', 'equity:QNT'],
    ['binance', 'LUNA2', 'crypto:LUNA'],
    ['cryptocom', 'OPENAIIPO', 'prelaunch:OPENAI'],
    ['cryptocom', 'ANTHROPICIPO', 'prelaunch:ANTHROPIC'],
    ['cryptocom', 'NOBODYKNOWSIPO', 'prelaunch:NOBODYKNOWS'],
    ['bingx', 'NCSKNOBODY2USD', 'equity:NOBODY'],
    ['bingx', 'NCCO1OILWTI2USD', 'commodity:WTI'],
    ['bingx', 'NCCO7241OILBRENT2USD', 'commodity:BRENT'],
    ['bingx', 'NCCO7241NATGAS2USD', 'commodity:NATGAS'],
    ['bingx', 'NCCONATURALGAS2USD', 'commodity:NATGAS'],
    ['bingx', 'NCCO724COPPER2USD', 'commodity:COPPER'],
    ['bingx', 'NCSI724NASDAQ1002USD', 'index:NDX'],
    ['bingx', 'NCSI724SP5002USD', 'index:SPX'],
    ['bingx', 'NCSISP5002USD', 'index:SPX'],
    ['bingx', 'NCSI10Y2USD', 'index:10Y'],
    ['bingx', 'NCFXUSD2JPY', 'fx:USDJPY'],
    ['bingx', 'NCFXEUR2USD', 'fx:EURUSD'],
    ['bingx', 'NCFXCHF2USD', 'fx:CHFUSD'],
    ['bingx', 'NCFXEUR2GBP', 'fx:EURGBP'],
    ['bingx', 'NCFXUSDBRL2USD', 'fx:USDBRL'],
    ['bingx', 'NCSIKOSPI2USD', 'index:KOSPI200'],
    ['bingx', 'TRUMPSOL', 'crypto:TRUMP'],
    ['bingx', 'MONAD', 'crypto:MON'],
    ['kraken', 'NOBODYx', 'equity:NOBODY'],
    ['binance', 'OPENAIIPO', 'crypto:OPENAIIPO'],
  ])('%s %s is %s', (venue, base, id) => {
    expect(idOf(listing(venue, base), 50)).toBe(id);
  });

  it.each(['phemex', 'whitebit'])('TradFi contracts of %s take the curated class, else none', (venue) => {
    const of = (base: string, mark: number) => idOf(listing(venue, base, 'unknown'), mark);
    expect(of('TSLA', 436)).toBe('equity:TSLA');
    expect(of('XAU', 4020)).toBe('commodity:XAU');
    expect(of('US500', 6700)).toBe('index:SPX');
    expect(of('SPY', 669)).toBe('etf:SPY');
    expect(of('STX', 905)).toBe('equity:STX');
    expect(of('ETH', 30)).toBe('unknown:ETH');
    expect(of('NOBODYKNOWS', 12)).toBe('unknown:NOBODYKNOWS');
  });
});
