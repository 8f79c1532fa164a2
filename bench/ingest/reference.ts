import { PlainBook } from '../../test/books/plain-book.ts';
import { type Book, QUOTE_EVERY_MS } from './pipeline.ts';
import { quoteSum } from './quote-sum.ts';
import type { Session } from './session.ts';

/** Book changes of a frame, read with JSON.parse and nothing else. */
interface Change {
  readonly symbol: string;
  readonly whole: boolean;
  readonly bids: readonly (readonly unknown[])[];
  readonly asks: readonly (readonly unknown[])[];
}

type Level = { readonly price: number; readonly qty: number };

function readChange(name: Session['name'], frame: string): Change {
  const m = JSON.parse(frame);
  if (name === 'Binance USD-M') return { symbol: m.data.s, whole: false, bids: m.data.b, asks: m.data.a };
  if (name === 'OKX') {
    const [{ bids, asks }] = m.data;
    return { symbol: m.arg.instId, whole: m.action === 'snapshot', bids, asks };
  }
  const pair = ({ price, qty }: Level): readonly unknown[] => [price, qty];
  if (m.feed === 'book_snapshot') {
    return { symbol: m.product_id, whole: true, bids: m.bids.map(pair), asks: m.asks.map(pair) };
  }
  const level = [pair(m)];
  const [bids, asks] = m.side === 'buy' ? [level, []] : [[], level];
  return { symbol: m.product_id, whole: false, bids, asks };
}

const levels = (rows: readonly (readonly unknown[])[]) =>
  rows.map(([price, size]) => [Number(price), Number(size)] as const);

/** Books and quote checksum of a session by the plainest code there is; never timed. */
export function reference(session: Session): {
  readonly books: Map<string, Book>;
  readonly checksum: number;
} {
  const books = new Map(session.symbols.map((symbol) => [symbol, new PlainBook()]));
  for (const { symbol, payload } of session.seeds) books.get(symbol)?.replace(read(payload));
  let checksum = 0;
  let readAt = (session.times[0] ?? 0) + QUOTE_EVERY_MS;
  session.frames.forEach((frame, i) => {
    for (; (session.times[i] ?? 0) >= readAt; readAt += QUOTE_EVERY_MS) {
      for (const book of books.values()) {
        const quote = book.quote();
        if (quote !== undefined) checksum += quoteSum(quote);
      }
    }
    const change = readChange(session.name, frame);
    const book = books.get(change.symbol);
    if (change.whole) book?.replace(read(change));
    else book?.apply(read(change));
  });
  return { books: new Map([...books].map(([symbol, book]) => [symbol, book.levels()])), checksum };
}

function read({ bids, asks }: Pick<Change, 'bids' | 'asks'>): Book {
  return { bids: levels(bids), asks: levels(asks) };
}
