import { describe, expect, it } from 'vitest';
import type { BookUpdate } from '../../src/domain/book.ts';
import type { ContractTerms } from '../../src/domain/contract-terms.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { callFor, contextOf, hasSamples, loadSamples, requestFor, type Sample } from './recordings.ts';
import { unsoundTerms } from './terms-check.ts';

/** Recorded books that are not of the contract that the recorded list is about, or of another time, by file. */
const OF_ANOTHER: Readonly<Record<string, string>> = {
  'bybit/orderbook-btcusdt.json': 'sizes of the documentation are of the spot market',
  'bybit/ws-orderbook-spot-roq.jsonl': 'spot',
  'gate/ws-order-book-update-decimal.jsonl': 'documentation of decimal sizes, which came after the list',
  'deribit/ws-book-linear-frames.jsonl': 'four years after the list, which has larger steps',
  'gate/ws-obu-2026-09.jsonl': 'three years after the list, which has a tick of 0.05',
  'mexc/ws-depth-unmerged-2026-09.jsonl': 'four years after the list, which has a tick of 0.05',
};

/** Every payload of the recordings by the decoder of its own call. */
function decodeAll(adapter: VenueAdapter, samples: readonly Sample[], listed: readonly Instrument[]) {
  return samples.flatMap(({ file, url, method, payloads }) => {
    const call = callFor(adapter, url, method);
    if (call === undefined) return [];
    const context = contextOf(listed, requestFor(url));
    return payloads.map((payload) => ({ file, decoded: call.decode(payload, context) }));
  });
}

/** The last digits of a quotient of two decimals are not exact. */
const ROUNDED = 1e-6;

const isOnGrid = (value: number, step: number | undefined): boolean => {
  if (step === undefined) return true;
  const steps = value / step;
  return Math.abs(steps - Math.round(steps)) <= ROUNDED * Math.max(1, steps);
};

/** Levels of a book beside the grid of prices or of sizes. @param listed terms at the times of several lists */
const offGrid = (listed: readonly ContractTerms[], { bids, asks }: BookUpdate) =>
  [...bids, ...asks].filter(
    ([price, size]) =>
      listed.length > 0 && !listed.some(({ tick, lot }) => isOnGrid(price, tick) && isOnGrid(size, lot)),
  );

const WITH_TERMS = VENUES.filter(({ terms }) => terms !== undefined);
/** Venues of which no list with our contracts was recorded; stated-terms.test.ts and stated-lists.test.ts have rows. */
const WITHOUT_LIST: ReadonlySet<string> = new Set(['edgex', 'nado', 'whitebit']);
const RECORDED = WITH_TERMS.filter(({ id }) => hasSamples(id) && !WITHOUT_LIST.has(id));

describe.skipIf(RECORDED.length === 0)('terms of recorded contracts (skipped without recordings)', () => {
  it.each(RECORDED)('$id: sound, and the grid of the recorded books', (adapter) => {
    const samples = loadSamples(adapter.id);
    const listed = decodeAll(adapter, samples, []).flatMap(({ decoded }) => decoded.instruments);
    const termsOf = (name: string) =>
      listed.flatMap(({ symbol, terms }) => (symbol === name && terms !== undefined ? [terms] : []));
    expect(listed.filter(({ terms }) => terms !== undefined)).not.toEqual([]);
    const unsound = listed.flatMap(({ symbol, terms: stated = {} }) =>
      unsoundTerms(stated).map((problem) => `${symbol}: ${problem}`),
    );
    expect(unsound).toEqual([]);
    const off = decodeAll(adapter, samples, listed).flatMap(({ file, decoded }) =>
      `${adapter.id}/${file}` in OF_ANOTHER
        ? []
        : decoded.books.flatMap((book) =>
            offGrid(termsOf(book.symbol), book).map((level) => `${file} ${book.symbol}: ${level}`),
          ),
    );
    expect(off.slice(0, 5)).toEqual([]);
  });
});
