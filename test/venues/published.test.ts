import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import type { Published, PublishedAmount } from '../../src/domain/amount.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { hyperliquidDex } from '../../src/venues/hyperliquid/index.ts';
import { KNOWN_VENUES, VENUES } from '../../src/venues/registry.ts';
import { finestLot, parityOf, provenSides, sumParity } from './parity.ts';
import { contradictions, countsOf, type ReadContract } from './published-rules.ts';
import { callFor, decodeSample, hasSamples, loadSample, loadSamples } from './recordings.ts';
import { type Pairing, pairingsOf, runAdapter } from './sim-run.ts';

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = createWorld(1);

const read = new Map<Pairing, readonly ReadContract[]>();

/** Contracts of the simulated venue as its adapter reads them, with the lots of the world. */
function simulated(pairing: Pairing): readonly ReadContract[] {
  const contracts = read.get(pairing) ?? readAll(pairing);
  read.set(pairing, contracts);
  return contracts;
}

function readAll(pairing: Pairing): readonly ReadContract[] {
  const run = runAdapter(pairing, world, AT);
  return world.contracts(pairing.sim.listing).flatMap((contract) => {
    const quote = run.quotes.get(contract.symbol);
    return quote === undefined ? [] : [{ ...contract, quotes: [quote] }];
  });
}

/** Contracts of a venue's recordings, each with what every payload says of it. */
function recorded(adapter: VenueAdapter, folder: string): readonly ReadContract[] {
  // Values that a source made up show the shape of a format and nothing else.
  const samples = loadSamples(folder).filter(
    (loadSample) =>
      !loadSample.what.includes('hand-written') &&
      callFor(adapter, loadSample.url, loadSample.method) !== undefined,
  );
  const listed = new Map(
    samples
      .flatMap((sample) => decodeSample(adapter, sample))
      .flatMap((d) => d.instruments.map((i) => [i.symbol, i])),
  );
  const quotes = new Map<string, QuotePatch[]>();
  // Recordings are of many years and few contracts each: without a list, so that none is left out as not listed.
  for (const quote of samples.flatMap((sample) => decodeSample(adapter, sample)).flatMap((d) => d.quotes)) {
    quotes.set(quote.symbol, [...(quotes.get(quote.symbol) ?? []), quote]);
  }
  return [...quotes].map(([symbol, of]) => {
    const { multiplier = 1, contractSize = 1 } = listed.get(symbol) ?? {};
    return { multiplier, contractSize, quotes: of };
  });
}

const pairings = pairingsOf(VENUES, SIM_VENUES, world, AT);
const recordings = [
  ...KNOWN_VENUES.filter(({ id }) => hasSamples(id)).map((adapter) => [adapter.id, adapter] as const),
  ...(hasSamples('hyperliquid-hip3') ? [['hyperliquid-hip3', hyperliquidDex('xyz')] as const] : []),
];

function unfilled(name: string, amount: PublishedAmount): string[] {
  const { field, evidence, date, sides, confidence } = amount;
  return [
    ...(field.length > 5 ? [] : [`${name}: no call and field`]),
    ...(evidence.length > 10 ? [] : [`${name}: no evidence`]),
    ...(/^20\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/.test(date) ? [] : [`${name}: date ${date}`]),
    ...(sides === 'unknown' && confidence !== 'low' ? [`${name}: unknown sides with confidence`] : []),
  ];
}

describe.each(KNOWN_VENUES)(
  'what $id is declared to publish',
  ({ openInterest, historicalOpenInterest, volume, verified }) => {
    it('is filled: field, unit, sides, evidence, date and confidence', () => {
      expect(unfilled('open interest', openInterest)).toEqual([]);
      expect(
        historicalOpenInterest === undefined ? [] : unfilled('past open interest', historicalOpenInterest),
      ).toEqual([]);
      expect(unfilled('volume', volume)).toEqual([]);
      expect(verified.version).not.toBe('');
      expect(verified.source.length).toBeGreaterThan(3);
      expect(verified.date).toMatch(/^20\d\d-\d\d-\d\d$/);
    });
  },
);

describe.each(pairings)('the simulated $adapter.id', (pairing) => {
  const { adapter } = pairing;

  it('matches the declaration of the real venue', () => {
    expect(contradictions(adapter, simulated(pairing))).toEqual([]);
  });

  it('writes amounts in its lots, so that their parity says something', () => {
    const contracts = simulated(pairing);
    const counted = (['openInterest', 'volume'] as const)
      .map((figure) => countsOf(figure, adapter[figure], contracts))
      .filter(({ all }) => all > 0);
    for (const { all, onLots } of counted) expect(onLots).toBe(all);
  });
});

describe.each(recordings)('recordings of %s', (folder, adapter) => {
  it('match the declaration', () => {
    expect(contradictions(adapter, recorded(adapter, folder))).toEqual([]);
  });
});

describe('the check of published figures', () => {
  const flipped = (published: Published, figure: 'openInterest' | 'volume'): Published => {
    const { sides } = published[figure];
    return { ...published, [figure]: { ...published[figure], sides: sides === 'two' ? 'one' : 'two' } };
  };

  it.each([
    ['paradex', 'openInterest'],
    ['pacifica', 'openInterest'],
    ['extended', 'volume'],
    ['dydx', 'openInterest'],
    ['lighter', 'volume'],
  ] as const)('detects the wrong sides of %s’s %s', (id, figure) => {
    const pairing = pairings.find((pairing) => pairing.adapter.id === id);
    if (pairing === undefined) throw new Error(`no simulated ${id}`);
    const { adapter } = pairing;
    expect(contradictions(flipped(adapter, figure), simulated(pairing), adapter)).not.toEqual([]);
  });

  /** Sides that the rows of Hyperliquid's contexts prove. */
  const sidesIn = (rows: readonly Readonly<Record<string, string | null>>[]) => {
    const pairs = rows.map((row) => [Number(row.openInterest), Number(row.dayBaseVlm)]);
    const parityOfColumn = (i: number) =>
      sumParity(pairs.map((pair) => parityOf([pair[i] ?? 0], finestLot(pair))));
    return {
      openInterest: provenSides('openInterest', parityOfColumn(0), false),
      volume: provenSides('volume', parityOfColumn(1), false),
    };
  };

  it('rows as Hyperliquid writes them: the sides are found', () => {
    const row = (openInterest: number, dayBaseVlm: number) => ({
      funding: '0.0000125',
      premium: null,
      midPx: null,
      impactPxs: null,
      openInterest: openInterest.toFixed(10),
      dayBaseVlm: dayBaseVlm.toFixed(10),
    });
    // Contracts of 5, 4 … 0 decimals in turn; 605822.2558 reads 605822.2557999999.
    const live = Array.from({ length: 60 }, (_, i) => {
      const lot = 10 ** -(5 - (i % 6));
      const [large, rest] = i % 6 === 0 ? [1e10, 1e-10] : [0, 0];
      return row((7919 * i + 137 + large) * 2 * lot - rest, (20 * i + 1) * lot);
    });
    expect(sidesIn([...live, row(0, 0)])).toEqual({ openInterest: 'two', volume: 'one' });
  });

  it.runIf(hasSamples('hyperliquid'))('detects the sides of recorded Hyperliquid rows', () => {
    const [frame] = loadSample('hyperliquid', 'ws-all-dexs-asset-ctxs-main.jsonl').payloads;
    const { data } = frame as { data: { ctxs: [string, Record<string, string>[]][] } };
    expect(sidesIn(data.ctxs[0]?.[1] ?? [])).toEqual({ openInterest: 'two', volume: 'one' });
  });

  it('detects quote currency that is read as base units', () => {
    const quote = {
      symbol: 'BTC/USDT-P',
      volume24hBase: 1_485_054.567,
      openInterestBase: 2.1586,
      markPrice: 95_000,
    };
    const contract = { multiplier: 1, contractSize: 1, quotes: [quote as QuotePatch] };
    const [{ adapter } = { adapter: undefined }] = pairings;
    if (adapter === undefined) throw new Error('no venue');
    expect(contradictions(adapter, [contract])).toEqual([
      'BTC/USDT-P: 1485054.567 traded in a day of 2.1586 open',
    ]);
  });
});
