import { expect, it } from 'vitest';
import { reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile, decodeFileAs } from '../../../test/venues/decode-file.ts';
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
import { okx } from './index.ts';

/** Recordings of calls that carry no metric. */
const WITHOUT_CALL = ['index-components.json', 'error-58001.json', 'ws-notice-64008.jsonl'];

interface Expected {
  readonly derived_by_replay: {
    readonly frames: number;
    readonly bids: readonly (readonly [string, string])[];
    readonly asks: readonly (readonly [string, string])[];
  };
}

const numbers = (levels: readonly (readonly [string, string])[]) =>
  levels.map(([price, size]) => [Number(price), Number(size)]);

describeSamples(okx, (samples) => {
  it('has a call for every recording that carries metrics, contracts, rates or books', () => {
    const without = samples.filter(({ url, method }) => callFor(okx, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(WITHOUT_CALL);
  });

  it('lists recorded linear swaps with their contract sizes, in the shapes of 2022 and 2025', () => {
    const old = decodeFile(okx, 'instruments-swap.json');
    expect(old.instruments).toHaveLength(25);
    expect(old.rejects.map(({ reason }) => reason)).toEqual(Array(6).fill('inverse'));
    const sizes = new Map(old.instruments.map(({ symbol, contractSize }) => [symbol, contractSize]));
    expect(
      ['BTC', 'ETH', 'DOGE', 'SHIB', 'BABYDOGE', '1INCH'].map((b) => sizes.get(`${b}-USDT-SWAP`)),
    ).toEqual([0.01, 0.1, 1000, 1e6, 1e9, 1]);
    expect(decodeFile(okx, 'instruments-swap-2025.json').instruments).toMatchObject([
      { symbol: 'ETH-USDT-SWAP', contractSize: 0.1, indexId: 'ETH-USDT' },
      { symbol: 'BTC-USDT-SWAP', contractSize: 0.01, indexId: 'BTC-USDT' },
    ]);
  });

  it('reads the recorded metrics', () => {
    expect(decodeFile(okx, 'funding-rate-btc-usdt-swap.json').quotes).toEqual([
      {
        symbol: 'BTC-USDT-SWAP',
        fundingRate: 0.000079238688534,
        nextFundingTime: 1_703_088_000_000,
        fundingIntervalHours: 8,
      },
    ]);
    expect(decodeFile(okx, 'mark-price-swap.json').quotes).toEqual([
      { symbol: 'BTC-USDT-SWAP', markPrice: 84660.1 },
    ]);
    expect(decodeFile(okx, 'index-tickers.json').quotes).toEqual([
      { symbol: 'BTC-USDT-SWAP', indexPrice: 103895 },
    ]);
    // 2 125 419 contracts of 0.01 BTC: the venue's own coin figure agrees with the contract size.
    expect(decodeFile(okx, 'open-interest-swap.json').quotes).toEqual([
      { symbol: 'BTC-USDT-SWAP', openInterestRaw: 2125419, openInterestBase: 21254.19 },
    ]);
  });

  it('leaves out inverse, dated and spot rows', () => {
    const reasonsOf = (file: string) => decodeFile(okx, file).rejects.map(({ reason }) => reason);
    expect(reasonsOf('tickers-swap-doc.json')).toEqual(['inverse', 'inverse']);
    expect(reasonsOf('funding-rate-history.json')).toEqual(['inverse', 'inverse']);
    expect(reasonsOf('ws-tickers-linear-future.jsonl')).toEqual(['dated']);
    expect(reasonsOf('ws-open-interest-mark-price-doc.jsonl')).toEqual(['inverse', 'dated']);
    expect(reasonsOf('rubik-open-interest-volume.json')).toEqual(['not_listed']);
  });

  it('reads the funding push of 2025', () => {
    expect(decodeFile(okx, 'ws-funding-rate-ltc-usdt-swap.jsonl').quotes).toEqual([
      {
        symbol: 'LTC-USDT-SWAP',
        fundingRate: 0.0001,
        nextFundingTime: 1_765_209_600_000,
        fundingIntervalHours: 8,
      },
    ]);
  });

  it('turns the recorded book into coins by the recorded list', () => {
    const listed = instrumentsFrom(okx, 'instruments-swap.json');
    const [book] = decodeFile(okx, 'books-btc-usdt-swap.json', listed).books;
    expect(book?.bids).toEqual([
      [29701.6, 0.05],
      [29701.5, 0.02],
      [29700.4, 0.02],
    ]);
    expect(book?.asks[0]).toEqual([29701.7, 0.02]);
    expect(book?.sequence).toBeUndefined();
  });

  it('replays the recorded 60 frames to the expected book', () => {
    const { derived_by_replay: expected } = loadSample('okx', 'ws-books-uni-usd-swap.jsonl')
      .expected as Expected;
    const file = 'ws-books-uni-usd-swap.jsonl';
    const { books } = decodeFileAs(okx, file, 'UNI-USD-SWAP', 'UNI-USDT-SWAP');
    expect(books).toHaveLength(expected.frames);
    expect(books.map(({ kind }) => kind)).toEqual(['snapshot', ...Array(59).fill('delta')]);
    const book = replay(books);
    expect(book.bids.slice(0, 3)).toEqual(numbers(expected.bids));
    expect(book.asks.slice(0, 3)).toEqual(numbers(expected.asks));
    const inverse = decodeFile(okx, file);
    expect([inverse.books, reasons(inverse)[0]]).toEqual([[], ['UNI-USD-SWAP', 'inverse']]);
  });

  it('reads the sequence numbers of the newer frames', () => {
    const file = 'ws-books-seq-near-usdt.jsonl';
    expect(reasons(decodeFile(okx, file))).toEqual(Array(2).fill(['NEAR-USDT', 'spot']));
    const [snapshot, update] = decodeFileAs(okx, file, 'NEAR-USDT', 'NEAR-USDT-SWAP').books;
    expect(snapshot).toMatchObject({ kind: 'snapshot', sequence: 9690930615 });
    expect(update).toMatchObject({
      kind: 'delta',
      sequence: 9690930617,
      previousSequence: 9690930615,
      asks: [],
    });
  });

  it('survives mutations of every recording', () => {
    for (const { file, url, method, payloads } of samples) {
      const call = callFor(okx, url, method);
      if (call === undefined) continue;
      const context = contextOf([], requestFor(url));
      for (const payload of payloads.slice(0, 3)) {
        const { problems } = mutate({ name: file, payload, decode: call.decode, context }, { limit: 300 });
        expect(problems).toEqual([]);
      }
    }
  });
});
