import { describe, expect, it } from 'vitest';
import { frameOf } from '../../test/books/frame-of.ts';
import { emptyDecoded } from '../domain/decoded.ts';
import type { FundingPoint, QuotePatch } from '../domain/quote.ts';
import { asMs, asPrice, asRate } from '../domain/units.ts';
import { createBookStore } from '../market/books/book-store.ts';
import { type ContractState, hasChanged, QUOTE_FIELDS, type QuoteChange, SLOT } from '../market/contract.ts';
import { makeInstrument, makeMarket, makeVenueInfo } from '../market/market-fixture.ts';
import type { TapeListener } from './listener.ts';
import { Tape } from './tape.ts';

const VENUE = 'gate';
const BTC = makeInstrument({ venue: VENUE, base: 'BTC' });
const ETH = makeInstrument({ venue: VENUE, base: 'ETH' });
const PAID: FundingPoint = { symbol: BTC.symbol, time: asMs(0), rate: asRate(0.0001) };

const failing = (): never => {
  throw new Error('no');
};

/** A tape over a real table and real books, with the lines of its log. */
function tapeOver() {
  const { market, now } = makeMarket();
  const { bookSink, view } = createBookStore({ clock: { now } });
  const log: object[] = [];
  const logger = { info: () => {}, warn: (fields: object) => void log.push(fields) };
  const tape = new Tape({ table: market.sink, books: bookSink, logger });
  const { sinks } = tape;
  return {
    tape,
    market,
    view,
    bookSink,
    log,
    now,
    sinks,
    list: () => {
      sinks.market.venue(makeVenueInfo({ id: VENUE }), 5000);
      sinks.market.instruments(VENUE, [BTC, ETH], now());
    },
    /** A payload of these patches, received so long after the beginning. */
    quote: (afterMs: number, ...patches: readonly QuotePatch[]) =>
      sinks.market.quotes(VENUE, patches, asMs(now() + afterMs)),
  };
}

const marked = (mark: number, { symbol } = BTC): QuotePatch => ({ symbol, markPrice: asPrice(mark) });

/** A listener that writes down everything that it hears. */
function noting(to: string[], name = ''): TapeListener {
  const note = (text: string): void => void to.push(`${name}${text}`);
  return {
    venue: ({ id }) => note(`venue ${id}`),
    instruments: (_, list) => note(`list ${list.map(({ ticker }) => ticker)}`),
    relisted: (before, after) =>
      note(`relisted ${before.instrument.multiplier} ${after.instrument.multiplier}`),
    changed: (state, change) => note(`changed ${changeText(state, change)}`),
    quotes: (_, patches) => note(`quotes ${patches.length}`),
    book: ({ ticker }) => note(`book ${ticker}`),
    payments: (_, funding) => note(`payments ${funding.length}`),
    store: { kinds: ['funding'], take: (_, { funding }) => note(`funding ${funding.length}`) },
  };
}

function changeText({ instrument, values }: ContractState, change: QuoteChange): string {
  const changed = QUOTE_FIELDS.filter((field) => hasChanged(change, field));
  const said = changed.map((field) => `${field} ${change.before[SLOT[field]]} -> ${values[SLOT[field]]}`);
  return [instrument.ticker, ...said].join(', ');
}

describe('the change that a patch makes', () => {
  it('values stated again: only those that differ are told', () => {
    const { tape, list, quote } = tapeOver();
    const heard: string[] = [];
    tape.listen('test', { changed: (state, change) => void heard.push(changeText(state, change)) });
    list();
    quote(0, { ...marked(100), fundingRate: asRate(0.0001) });
    quote(1, { ...marked(101), fundingRate: asRate(0.0001) });
    quote(2, marked(101));
    quote(3, { ...marked(101), restated: true });
    expect(heard).toEqual([
      'BTC, markPrice NaN -> 100, fundingRate NaN -> 0.0001',
      'BTC, markPrice 100 -> 101',
    ]);
  });

  it('a late message: nothing is told', () => {
    const { tape, now, list, quote } = tapeOver();
    const heard: string[] = [];
    tape.listen('test', { changed: (state, change) => void heard.push(changeText(state, change)) });
    list();
    quote(0, { ...marked(100), venueTime: now() });
    quote(1, { ...marked(90), venueTime: asMs(now() - 1000) });
    expect(heard).toEqual(['BTC, markPrice NaN -> 100']);
  });

  it('two contracts in one payload: one record serves both', () => {
    const { tape, list, quote } = tapeOver();
    const records = new Set<QuoteChange>();
    tape.listen('test', { changed: (_, change) => void records.add(change) });
    list();
    quote(0, marked(100), marked(10, ETH));
    quote(1, marked(101), marked(11, ETH));
    expect(records.size).toBe(1);
  });
});

describe('the order', () => {
  it('one payload: every listener hears it in turn, the table first', () => {
    const { tape, market, list, quote } = tapeOver();
    const heard: string[] = [];
    tape.listen('a', {
      ...noting(heard, 'a '),
      quotes: () => {
        market.sweep();
        heard.push(`a reads ${market.view.rows().map(({ markPrice }) => markPrice)}`);
      },
    });
    tape.listen('b', noting(heard, 'b '));
    list();
    quote(0, marked(100));
    expect(heard).toEqual([
      'a venue gate',
      'b venue gate',
      'a list BTC,ETH',
      'b list BTC,ETH',
      'a changed BTC, markPrice NaN -> 100',
      'b changed BTC, markPrice NaN -> 100',
      'a reads 100',
      'b quotes 1',
    ]);
  });

  it('a listener added after a venue was announced: told of it', () => {
    const { tape, sinks } = tapeOver();
    sinks.market.venue(makeVenueInfo({ id: VENUE }), 5000);
    const heard: string[] = [];
    tape.listen('late', noting(heard));
    expect(heard).toEqual(['venue gate']);
  });

  it('a listener ended while others are told: they hear all, it no more', () => {
    const { tape, sinks, list, quote } = tapeOver();
    const heard: string[] = [];
    const end = tape.listen('ended', noting(heard, 'ended '));
    tape.listen('a', { changed: () => end() });
    tape.listen('b', { changed: () => void heard.push('b') });
    list();
    quote(0, marked(100), marked(10, ETH));
    expect(heard.slice(2)).toEqual(['ended changed BTC, markPrice NaN -> 100', 'b', 'b']);
    expect(sinks.market.stores).toEqual([]);
  });

  it('a contract listed in other units: told before the list', () => {
    const { tape, now, sinks, list } = tapeOver();
    list();
    const heard: string[] = [];
    tape.listen('test', noting(heard));
    sinks.market.instruments(VENUE, [{ ...BTC, multiplier: 1000 }], now());
    expect(heard).toEqual(['venue gate', 'relisted 1 1000', 'list BTC']);
  });
});

describe('books, payments and other kinds', () => {
  const frame = frameOf({ symbol: BTC.symbol, kind: 'snapshot', bids: [[99, 1]], asks: [[101, 1]] });

  it('a book: told of all that is done to it, after it was done', () => {
    const { tape, now, sinks, view } = tapeOver();
    const heard: string[] = [];
    tape.listen('test', {
      book: ({ venue, symbol }) => void heard.push(`${view.top(venue, symbol)?.bestBid}`),
    });
    const book = sinks.books.open(BTC, { uncrosses: false });
    expect(book.replace(frame, now(), { source: 'stream' })).toBe('good');
    book.confirm(now());
    book.invalidate();
    book.close();
    expect(heard).toEqual(['99', '99', 'undefined', 'undefined']);
  });

  it('a book that nobody listens to: written without a detour', () => {
    const { tape, bookSink, sinks } = tapeOver();
    tape.listen('test', { quotes: () => {} });
    const direct = bookSink.open(BTC, { uncrosses: false });
    expect(Object.getPrototypeOf(sinks.books.open(ETH, { uncrosses: false }))).toBe(
      Object.getPrototypeOf(direct),
    );
  });

  it('payments and stores: given to those that take them', () => {
    const { tape, sinks } = tapeOver();
    const heard: string[] = [];
    tape.listen('a', noting(heard, 'a '));
    tape.listen('b', { store: { kinds: ['history'], take: () => void heard.push('b history') } });
    sinks.payments(VENUE, [PAID], asMs(0));
    expect(sinks.market.stores?.map(({ kinds }) => kinds)).toEqual([['funding'], ['history']]);
    for (const store of sinks.market.stores ?? [])
      store.take(VENUE, { ...emptyDecoded(), funding: [PAID] }, asMs(0));
    expect(heard).toEqual(['a payments 1', 'a funding 1', 'b history']);
  });
});

describe('faults', () => {
  const FAULTY: TapeListener = {
    venue: failing,
    instruments: failing,
    relisted: failing,
    changed: failing,
    quotes: failing,
    book: failing,
    payments: failing,
    store: { kinds: ['funding'], take: failing },
  };

  /** Everything that a listener can hear, once. */
  function sayAll({ sinks, now, list, quote }: ReturnType<typeof tapeOver>): void {
    list();
    quote(0, marked(100));
    sinks.market.instruments(VENUE, [{ ...BTC, multiplier: 1000 }], now());
    sinks.books.open(BTC, { uncrosses: false }).confirm(now());
    sinks.payments(VENUE, [PAID], now());
    for (const store of sinks.market.stores ?? [])
      store.take(VENUE, { ...emptyDecoded(), funding: [PAID] }, now());
  }

  it('a listener that always fails: counted, and all others hear the same', () => {
    const alone = tapeOver();
    const expected: string[] = [];
    alone.tape.listen('after', noting(expected));
    sayAll(alone);
    const beside = tapeOver();
    const heard: string[] = [];
    beside.tape.listen('faulty', FAULTY);
    beside.tape.listen('after', noting(heard));
    sayAll(beside);
    expect(heard).toEqual(expected);
    expect(beside.market.stateOf(VENUE)).toEqual(alone.market.stateOf(VENUE));
    expect(beside.tape.faults()).toEqual(
      new Map([
        ['faulty', heard.length],
        ['after', 0],
      ]),
    );
  });

  it('a listener that always fails: logged when its faults have doubled', () => {
    const { tape, log, list, quote } = tapeOver();
    tape.listen('faulty', { changed: failing });
    list();
    for (let i = 1; i <= 9; i++) quote(i, marked(100 + i));
    expect(log).toEqual([1, 2, 4, 8].map((faults) => ({ listener: 'faulty', faults, reason: 'no' })));
  });

  it('a table that fails: the caller is told, and no listener hears', () => {
    const { market, bookSink, log } = tapeOver();
    const table = { ...market.sink, quotes: failing };
    const logger = { info: () => {}, warn: (fields: object) => void log.push(fields) };
    const tape = new Tape({ table, books: bookSink, logger });
    const heard: string[] = [];
    tape.listen('test', noting(heard));
    expect(() => tape.sinks.market.quotes(VENUE, [marked(100)], asMs(0))).toThrow('no');
    expect(heard).toEqual([]);
    expect(tape.faults()).toEqual(new Map([['test', 0]]));
  });
});
