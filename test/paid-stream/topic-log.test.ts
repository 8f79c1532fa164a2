import { describe, expect, it } from 'vitest';
import { type AskedSelection, filterOf, readSelection } from '../../src/modules/paid-stream/selection.ts';
import { TopicBoard } from '../../src/modules/paid-stream/topic-board.ts';
import { TopicLog, type TopicRow } from '../../src/modules/paid-stream/topic-log.ts';
import { streamMarket } from './stream-rig.ts';

const ALL = filterOf({ topics: ['funding'], uses: 10 });

function row(key: string, value: string, currency = 'USD'): TopicRow {
  return { key, asset: key, venue: 'v', currency, source: {}, values: () => value, text: (text) => text };
}

const BROKEN = new Error('a row that cannot be written');
const broken = (key: string): TopicRow => ({
  ...row(key, ''),
  values: () => {
    throw BROKEN;
  },
});

function openLog(mostGone = 100) {
  const faults: unknown[] = [];
  return { faults, log: new TopicLog(mostGone, (cause) => faults.push(cause)) };
}

describe('the log of a topic', () => {
  it('a row that cannot be written: the others are told, it is gone', () => {
    const { log, faults } = openLog();
    log.look([row('a', '1'), row('b', '1')], 1);
    log.look([row('a', '2'), broken('b')], 2);
    expect(log.since(1, ALL)).toEqual({ texts: ['2'], gone: ['b'] });
    expect(faults).toEqual([BROKEN]);
    log.look([row('a', '2'), row('b', '1')], 3);
    expect(log.since(1, ALL)).toEqual({ texts: ['2', '1'], gone: [] });
  });

  it('rows that cannot be read: no change is lost, and no data meanwhile', () => {
    const { log, faults } = openLog();
    log.look([row('a', '1')], 1);
    const failing = function* () {
      yield row('a', '2');
      throw BROKEN;
    };
    log.look(failing(), 2);
    expect([faults, log.has(ALL)]).toEqual([[BROKEN], false]);
    log.look([row('a', '2')], 3);
    expect([log.since(1, ALL), log.has(ALL)]).toEqual([{ texts: ['2'], gone: [] }, true]);
  });

  it('however many changes: the latest of each row since any look', () => {
    const { log } = openLog(1);
    for (let look = 1; look <= 1000; look += 1) log.look([row('a', `a${look}`), row('b', 'b')], look);
    expect(log.since(1, ALL)).toEqual({ texts: ['a1000'], gone: [] });
    expect(log.since(1000, ALL)).toEqual({ texts: [], gone: [] });
  });

  it('more rows went than are kept: what was before is not known', () => {
    const { log } = openLog(1);
    log.look([row('a', '1'), row('b', '1')], 1);
    log.look([row('b', '1')], 2);
    log.look([], 3);
    expect(log.since(1, ALL)).toBeUndefined();
    expect(log.since(2, ALL)).toEqual({ texts: [], gone: ['b'] });
  });

  it('another currency: gone for streams of the former one alone', () => {
    const { log } = openLog();
    const dollars = filterOf({ topics: ['funding'], uses: 10, quote: ['USD'] });
    log.look([row('a', '1')], 1);
    log.look([row('a', '2', 'EUR')], 2);
    expect(log.since(1, ALL)).toEqual({ texts: ['2'], gone: [] });
    expect(log.since(1, dollars)).toEqual({ texts: [], gone: ['a'] });
  });
});

/** A board over the books of two venues, which counts what it measures. */
function openBoard() {
  const market = streamMarket();
  for (const venue of ['binance', 'okx']) {
    market.list(venue, ['BTC']);
    market.quote(venue, { symbol: 'BTCUSDT', mark: 100, rate: 0.0001, interval: 8 });
    market.fillBook(venue, 99.9, 100.1, 1000);
  }
  market.pass(0);
  const { books } = market.ports;
  const measured: string[] = [];
  const counting: typeof books = Object.assign(Object.create(books), {
    quote: books.quote.bind(books),
    isPending: books.isPending.bind(books),
    fillPrice: (...asked: Parameters<typeof books.fillPrice>) => {
      measured.push(`${asked[0]} ${asked[3]}`);
      return books.fillPrice(...asked);
    },
  });
  const board = new TopicBoard({ ...market.ports, books: counting }, (cause) => {
    throw cause;
  });
  const filterIn = (asked: AskedSelection) => {
    const selection = readSelection({ topics: 'quotes', symbol: 'BTC', ...asked }, market.market.view);
    if (!selection.ok) throw new Error(selection.error.detail);
    return filterOf(selection.value);
  };
  /** The books that some work measures. */
  const measuredBy = (work: () => void): readonly string[] => {
    measured.length = 0;
    work();
    return [...new Set(measured)].sort();
  };
  return { market, board, filterIn, measuredBy };
}

describe('books of streams with quotes', () => {
  it('a new size: it alone is measured', () => {
    const { board, filterIn, measuredBy } = openBoard();
    board.want(filterIn({}));
    const large = filterIn({ size_usd: 50_000 });
    expect(measuredBy(() => board.want(large))).toEqual(['binance 50000', 'okx 50000']);
    expect(measuredBy(() => board.want(large))).toEqual([]);
    expect(board.snapshot(large).text.match(/"size_usd":50000/g)).toHaveLength(2);
  });

  it('one venue is named: no other is measured', () => {
    const { board, filterIn, measuredBy } = openBoard();
    expect(measuredBy(() => board.want(filterIn({ venues: 'okx' })))).toEqual(['okx 10000']);
    expect(measuredBy(() => board.want(filterIn({ exclude: 'okx' })))).toEqual(['binance 10000']);
  });

  it('no message of a book: it is not measured again', () => {
    const { market, board, filterIn, measuredBy } = openBoard();
    const both = filterIn({});
    board.want(both);
    const look = (): void => board.lookAt([both]);
    expect(measuredBy(look)).toEqual([]);
    market.fillBook('okx', 99.8, 100.2, 1000);
    expect(measuredBy(look)).toEqual(['okx 10000']);
  });

  it('a book changes between two looks: whoever is there hears of it', () => {
    const { market, board, filterIn } = openBoard();
    const both = filterIn({});
    board.want(both);
    const { look } = board;
    market.fillBook('okx', 99.8, 100.2, 1000);
    board.want(filterIn({ venues: 'okx' }));
    expect(board.since(look, both)?.text).toContain('"best_bid":99.8');
  });

  it('as many as a process reads: no further ones', () => {
    const { board, filterIn } = openBoard();
    const filter = filterIn({});
    const assets = Array.from({ length: 199 }, (_, at) => `crypto:A${at}`);
    board.want(filter);
    board.want({ ...filter, assets });
    expect(board.refusal(filter)).toBeUndefined();
    expect(board.refusal(filterIn({ size_usd: 1000 }))).toMatchObject({ code: 'stream_full' });
    board.want(filterIn({ size_usd: 1000 }));
    expect([board.has(filter), board.has(filterIn({ size_usd: 1000 }))]).toEqual([true, false]);
  });
});
