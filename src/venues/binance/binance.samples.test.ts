import { expect, it } from 'vitest';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate } from '../../../test/venues/mutate.ts';
import { replay } from '../../../test/venues/replay.ts';
import {
  callFor,
  contextOf,
  describeSamples,
  instrumentsFrom,
  loadSample,
  requestFor,
} from '../../../test/venues/samples.ts';
import type { BookUpdate } from '../../domain/book.ts';
import { binance } from './index.ts';

/** Recordings of calls that carry no metric: other endpoints, acknowledgements, errors. */
const WITHOUT_CALL = ['constituents-btcusdt.json', 'error-invalid-symbol.json'];

/** The venue's rule: drop u < snapshot, begin where U <= id <= u or pu == id, then pu is the last u. */
function chain(snapshot: BookUpdate, deltas: readonly BookUpdate[]) {
  const id = snapshot.sequence ?? Number.NaN;
  const kept = deltas.filter((delta) => (delta.sequence ?? 0) >= id);
  const first = kept[0];
  const starts =
    first !== undefined &&
    (((first.firstSequence ?? 0) <= id && id <= (first.sequence ?? 0)) || first.previousSequence === id);
  const gaps = kept.filter((delta, i) => i > 0 && delta.previousSequence !== kept[i - 1]?.sequence);
  return { kept, dropped: deltas.length - kept.length, starts, gaps: gaps.length };
}

interface Expected {
  readonly derived_by_replay: {
    readonly applied: number;
    readonly dropped: number;
    readonly lastUpdateId: number;
    readonly bids: readonly (readonly [string, string])[];
    readonly asks: readonly (readonly [string, string])[];
  };
}

const numbers = (levels: readonly (readonly [string, string])[]) =>
  levels.map(([price, size]) => [Number(price), Number(size)]);

describeSamples(binance, (samples) => {
  it('has a call for every recording that carries metrics, contracts, rates or books', () => {
    const without = samples.filter(({ url, method }) => callFor(binance, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(WITHOUT_CALL);
  });

  it('lists 33 of the 44 recorded contracts', () => {
    const { instruments, rejects } = decodeFile(binance, 'exchange-info.json');
    expect(instruments).toHaveLength(33);
    expect(instruments.find(({ symbol }) => symbol === '1000000MOGUSDT')).toMatchObject({
      base: '1000000MOG',
      ticker: 'MOG',
      multiplier: 1_000_000,
    });
    const left = (why: string) => rejects.filter(({ reason }) => reason === why).map(({ symbol }) => symbol);
    expect(left('dated')).toEqual(['BTCUSDT_250926', 'ETHUSDT_250926', 'BTCUSDT_251226', 'ETHUSDT_251226']);
    expect(left('delisted')).toEqual(['DEFIUSDT', 'OMGUSDT', 'WAVESUSDT', 'MKRUSDT']);
    expect(left('prelisting')).toEqual(['BTCSTUSDT', 'ZKCUSDT']);
    expect(left('foreign_quote')).toEqual(['ETHBTC']);
  });

  it('reads the recorded marks, per single unit', () => {
    const { quotes, rejects } = decodeFile(binance, 'premium-index-all.json');
    expect(quotes).toHaveLength(50);
    expect(quotes.find(({ symbol }) => symbol === 'XMRUSDT')).toEqual({
      symbol: 'XMRUSDT',
      markPrice: 159.57,
      indexPrice: 159.33,
      fundingRate: 0.00125932,
      nextFundingTime: 1_732_723_200_000,
      venueTime: 1_732_715_655_000,
    });
    const mog = quotes.find(({ symbol }) => symbol === '1000000MOGUSDT');
    expect(mog?.markPrice).toBeCloseTo(2.4304e-6, 15);
    expect(rejects.map(({ symbol, reason }) => [symbol, reason])).toEqual([
      ['ETHUSDT_250328', 'dated'],
      ['BTCUSDT_250328', 'dated'],
      ['ETHUSDT_241227', 'dated'],
      ['ETHBTC', 'foreign_quote'],
    ]);
  });

  it('keeps to the listed contracts where the list is known', () => {
    const listed = instrumentsFrom(binance, 'exchange-info.json');
    const { quotes, rejects } = decodeFile(binance, 'premium-index-all.json', listed);
    expect(quotes.every(({ symbol }) => listed.some((one) => one.symbol === symbol))).toBe(true);
    expect(quotes.length + rejects.length).toBe(54);
    expect(new Set(rejects.map(({ reason }) => reason))).toEqual(
      new Set(['dated', 'not_listed', 'foreign_quote']),
    );
  });

  it('reads the single-symbol answers', () => {
    expect(decodeFile(binance, 'premium-index-btcusdt.json').quotes).toMatchObject([
      { markPrice: 114873.4, indexPrice: 114915.30608696, fundingRate: 0.00008425 },
    ]);
    expect(decodeFile(binance, 'open-interest-btcusdt.json').quotes).toEqual([
      { symbol: 'BTCUSDT', openInterestRaw: 88579.321, openInterestBase: 88579.321 },
    ]);
    expect(decodeFile(binance, 'ticker-24hr-btcusdt.json').quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        volume24hRaw: 105892.131,
        volume24hBase: 105892.131,
        volume24hUsd: 12228077298.74,
      },
    ]);
    const info = decodeFile(binance, 'funding-info.json').quotes;
    expect(info.slice(0, 2)).toEqual([
      { symbol: 'GTCUSDT', fundingIntervalHours: 8 },
      { symbol: 'LPTUSDT', fundingIntervalHours: 4 },
    ]);
  });

  it('reads the recorded history', () => {
    const { funding } = decodeFile(binance, 'funding-rate-history-btcusdt.json');
    expect(funding).toHaveLength(30);
    // Recorded as 1755072000002: the jitter is rounded away.
    expect(funding[0]).toEqual({
      symbol: 'BTCUSDT',
      time: 1_755_072_000_000,
      rate: 0.0001,
      markPrice: 119546.71040942,
    });
    expect(decodeFile(binance, 'open-interest-hist-btcusdt.json').history[0]).toEqual({
      symbol: 'BTCUSDT',
      time: 1_757_577_600_000,
      openInterestBase: 93448.918,
      openInterestUsd: 10656925173.187464,
    });
    const marks = decodeFile(binance, 'mark-price-klines-btcusdt.json').history;
    expect(marks.slice(0, 2)).toEqual([
      { symbol: 'BTCUSDT', time: 1_757_577_600_000, markPrice: 114040 },
      { symbol: 'BTCUSDT', time: 1_757_581_200_000, markPrice: 114006.02757609 },
    ]);
  });

  it('reads the mark streams as their sources state them', () => {
    const arr = decodeFile(binance, 'ws-mark-price-arr.jsonl').quotes;
    expect(
      arr.map(({ fundingRate, nextFundingTime, venueTime }) => [fundingRate, nextFundingTime, venueTime]),
    ).toEqual([
      [0.00058959, 1617321600000, 1617309024002],
      [0.00059142, 1617321600000, 1617309024002],
    ]);
    expect(decodeFile(binance, 'ws-mark-price.jsonl').quotes[0]?.markPrice).toBe(95209.55336957);
  });

  it.each(['sushiusdt', 'ctkusdt'])('replays the recorded book of %s without a gap', (symbol) => {
    const [snapshot] = decodeFile(binance, `depth-${symbol}.json`).books;
    const deltas = decodeFile(binance, `ws-depth-${symbol}.jsonl`).books;
    const { derived_by_replay: expected } = loadSample('binance', `ws-depth-${symbol}.jsonl`)
      .expected as Expected;
    if (snapshot === undefined) throw new Error('no snapshot');
    const { kept, dropped, starts, gaps } = chain(snapshot, deltas);
    expect({ applied: kept.length, dropped, starts, gaps }).toEqual({
      applied: expected.applied,
      dropped: expected.dropped,
      starts: true,
      gaps: 0,
    });
    expect(kept.at(-1)?.sequence).toBe(expected.lastUpdateId);
    const book = replay([snapshot, ...kept]);
    expect(book.bids.slice(0, 3)).toEqual(numbers(expected.bids));
    expect(book.asks.slice(0, 3)).toEqual(numbers(expected.asks));
  });

  it('survives mutations of every recording', () => {
    for (const { file, url, method, payloads } of samples) {
      const call = callFor(binance, url, method);
      if (call === undefined) continue;
      const context = contextOf([], requestFor(url));
      const { problems } = mutate(
        { name: file, payload: payloads[0], decode: call.decode, context },
        { limit: 300 },
      );
      expect(problems).toEqual([]);
    }
  });
});
