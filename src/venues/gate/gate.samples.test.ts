import { expect, it } from 'vitest';
import { reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate } from '../../../test/venues/mutate.ts';
import { replay } from '../../../test/venues/replay.ts';
import { callFor, contextOf, describeSamples, loadSample, requestFor } from '../../../test/venues/samples.ts';
import type { BookUpdate } from '../../domain/book.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire } from '../../domain/read.ts';
import { gate } from './index.ts';

/** Recordings of calls that carry no metric: candles of the last price, and a basket. */
const WITHOUT_CALL = ['candlesticks.json', 'index-constituents-old.json'];

interface Stated {
  readonly snapshotId: number;
  readonly firstAppliedUu: readonly [number, number];
  readonly lastU: number;
  readonly bboAfterUpdate: readonly {
    readonly u: number;
    readonly bid: string;
    readonly bidSize: number;
    readonly ask: string;
    readonly askSize: number;
  }[];
}

function readStated(file: string): Stated {
  const { expected } = loadSample('gate', file);
  if (!isWire(expected)) throw new Error(`${file} states nothing`);
  return expected as unknown as Stated;
}

/** The increments that follow a snapshot, each checked to begin where the one before ended. */
function chain(snapshot: BookUpdate, deltas: readonly BookUpdate[]): BookUpdate[] {
  let last = snapshot.sequence ?? 0;
  const applied: BookUpdate[] = [];
  for (const delta of deltas) {
    const { sequence = 0, firstSequence = 0 } = delta;
    if (sequence <= last) continue;
    expect(firstSequence, `after ${last}`).toBe(last + 1);
    applied.push(delta);
    last = sequence;
  }
  return applied;
}

describeSamples(gate, (samples) => {
  const contracts = (): readonly Instrument[] => decodeFile(gate, 'contracts-2023-05-24.json').instruments;
  /** The recorded list is a part and lacks OMG, whose size is 1 like that of the other two sessions' contracts. */
  const withOmg = (): readonly Instrument[] =>
    contracts().flatMap((one) => (one.symbol === 'PHB_USDT' ? [one, { ...one, symbol: 'OMG_USDT' }] : [one]));

  it('has a call for every recording that carries metrics, contracts, rates or books', () => {
    const without = samples.filter(({ url, method }) => callFor(gate, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(WITHOUT_CALL);
  });

  it('reads recorded contracts of 2023 and 2026, and sizes written as text', () => {
    const old = decodeFile(gate, 'contracts-2023-05-24.json');
    expect([old.instruments.length, old.quotes.length, old.rejects]).toEqual([30, 30, []]);
    expect(old.quotes[0]).toEqual({
      symbol: 'ETH_USDT',
      fundingRate: 0.0001,
      fundingIntervalHours: 8,
      nextFundingTime: 1684944000000,
      markPrice: 1815.33,
      indexPrice: 1815.24,
      openInterestRaw: 21977529,
      openInterestBase: 219775.29,
      openInterestUsd: 219775.29 * 1815.33,
    });
    expect(decodeFile(gate, 'contract-0G_USDT-2026-07.json').quotes).toMatchObject([
      {
        symbol: '0G_USDT',
        fundingRate: -0.003216,
        markPrice: 0.2048,
        indexPrice: 0.2077,
        openInterestBase: 783779,
      },
    ]);
    expect(decodeFile(gate, 'contracts-decimal-strings.json').quotes).toMatchObject([
      { symbol: 'LAB_USDT', openInterestRaw: 40177.8, openInterestBase: expect.closeTo(4_017_780, 6) },
    ]);
  });

  it('reads recorded tickers, rates and open interest', () => {
    expect(decodeFile(gate, 'tickers-doc-example.json').quotes).toMatchObject([
      {
        markPrice: 6534,
        indexPrice: 6531,
        openInterestRaw: 32323904,
        volume24hUsd: 184040233284,
        bestBid: 34089.7,
      },
    ]);
    expect(decodeFile(gate, 'funding-rate-history.json').funding).toMatchObject([
      { time: 1543968000000, rate: 0.000157 },
    ]);
    const [first] = decodeFile(gate, 'contract-stats-BTC_USDT-2022-06-04.json', contracts()).history;
    expect(first?.openInterestUsd).toBeCloseTo(2226295750.1279, 3);
    // 749773515 contracts of 0.0001 BTC at the mark of the row are the USD that it states.
    expect((first?.openInterestBase ?? 0) * (first?.markPrice ?? 0)).toBeCloseTo(2226295750.1279, 0);
    expect(decodeFile(gate, 'ws-tickers-2026-09.jsonl').quotes).toEqual([
      {
        symbol: 'BTC_USDT',
        fundingRate: 0.000072,
        fundingIntervalHours: 8,
        nextFundingTime: 1789459200000,
        markPrice: 77183.5,
        indexPrice: 77221.8,
      },
    ]);
    expect(decodeFile(gate, 'ws-contract-stats.jsonl').quotes).toMatchObject([
      { symbol: 'ETH_USDT', openInterestRaw: 22883730.5, openInterestUsd: 22883730 },
    ]);
    expect(reasons(decodeFile(gate, 'errors.jsonl'))).toEqual(Array(4).fill([null, 'error_body']));
  });

  it.each(['RDNT', 'PHB', 'OMG'])(
    'replays the recorded %s book to the best prices that the venue states',
    (base) => {
      const session = `ws-session-${base}_USDT.jsonl`;
      const stated = readStated(session);
      const [snapshot] = decodeFile(gate, `order-book-${base}_USDT.json`, withOmg()).books;
      const { books, quotes } = decodeFile(gate, session, withOmg());
      if (snapshot === undefined) throw new Error('no snapshot');
      expect(snapshot.sequence).toBe(stated.snapshotId);
      const applied = chain(snapshot, books);
      expect([applied[0]?.firstSequence, applied[0]?.sequence]).toEqual(stated.firstAppliedUu);
      expect(applied.at(-1)?.sequence).toBe(stated.lastU);
      for (const bbo of stated.bboAfterUpdate) {
        const until = applied.filter(({ sequence = 0 }) => sequence <= bbo.u);
        const book = replay([snapshot, ...until]);
        expect(book.bids[0]).toEqual([Number(bbo.bid), bbo.bidSize]);
        expect(book.asks[0]).toEqual([Number(bbo.ask), bbo.askSize]);
        expect(quotes).toContainEqual(
          expect.objectContaining({ bestBid: Number(bbo.bid), bestAsk: Number(bbo.ask) }),
        );
      }
    },
  );

  it('reads recorded increments of 2026: pairs, ids alone, a refusal', () => {
    const { books, rejects } = decodeFile(gate, 'ws-obu-2026-09.jsonl', contracts());
    expect(books.map(({ symbol, kind, sequence }) => [symbol, kind, sequence])).toEqual([
      ['ETH_USDT', 'snapshot', 108552472643],
      ['BTC_USDT', 'delta', 125033676003],
      ['BTC_USDT', 'delta', 125033676011],
    ]);
    expect(books[2]?.firstSequence).toBe((books[1]?.sequence ?? 0) + 1);
    expect(rejects.map(({ reason }) => reason)).toEqual(['error_body']);
    for (const file of ['ws-order-book-update-2026-09.jsonl', 'ws-order-book-update-decimal.jsonl']) {
      expect(decodeFile(gate, file, contracts()).books, file).toMatchObject([{ kind: 'delta' }]);
    }
  });

  it('survives every field of every recording broken', () => {
    const context = contextOf(contracts());
    const problems = samples.flatMap((sample) => {
      const call = callFor(gate, sample.url, sample.method);
      if (call === undefined) return [];
      const asked = { ...context, request: requestFor(sample.url, sample.method) };
      return sample.payloads.slice(0, 3).flatMap((payload) => {
        const test = { name: sample.file, payload, decode: call.decode, context: asked };
        return mutate(test, { limit: 250 }).problems;
      });
    });
    expect(problems).toEqual([]);
  });
});
