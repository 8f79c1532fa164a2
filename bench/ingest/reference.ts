import { type DepthFigures, FILL_CAP_USD } from '../../src/domain/depth-quote.ts';
import { type Book, QUOTE_EVERY_MS } from './pipeline.ts';
import { quoteSum } from './quote-sum.ts';
import type { Session } from './session.ts';

type Side = Map<number, number>;

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

function change(side: Side, levels: readonly (readonly unknown[])[]): void {
  for (const [price, size] of levels) {
    if (Number(size) === 0) side.delete(Number(price));
    else side.set(Number(price), Number(size));
  }
}

const ascending = (side: Side) => [...side].sort(([a], [b]) => a - b);

/** The definition of a depth quote, computed the plain way. */
export function plainQuote({ bids, asks }: Book): DepthFigures | undefined {
  const bestBid = bids[0]?.[0];
  const bestAsk = asks[0]?.[0];
  if (bestBid === undefined || bestAsk === undefined || bestBid >= bestAsk) return undefined;
  const mid = (bestBid + bestAsk) / 2;
  const near = (levels: Book['bids']) => levels.filter(([price]) => Math.abs(price - mid) <= mid * 0.01);
  const depth = (levels: Book['bids']) => near(levels).reduce((sum, [price, size]) => sum + price * size, 0);
  const cap = Math.min(depth(bids), depth(asks), FILL_CAP_USD);
  const fill = (levels: Book['bids'], usd: number): number => {
    let left = usd;
    let base = 0;
    for (const [price, size] of near(levels)) {
      const taken = Math.min(left, price * size);
      base += taken / price;
      left -= taken;
      if (left <= 0) break;
    }
    return (Math.abs(usd / base - mid) / mid) * 10_000;
  };
  const slippage = (usd: number) => (usd > cap ? undefined : Math.max(fill(bids, usd), fill(asks, usd)));
  return {
    ...{ bestBid, bestAsk, spreadBps: ((bestAsk - bestBid) / mid) * 10_000 },
    ...{ bidDepthUsd: depth(bids), askDepthUsd: depth(asks), maxFillableUsd: cap },
    ...{ slippage1kBps: slippage(1000), slippage5kBps: slippage(5000), slippage10kBps: slippage(10_000) },
  };
}

/** Books and quote checksum of a session by the plainest code there is; never timed. */
export function reference(session: Session): {
  readonly books: Map<string, Book>;
  readonly checksum: number;
} {
  const sides = new Map<string, { bids: Side; asks: Side }>();
  for (const { symbol, payload } of session.seeds) {
    const book = { bids: new Map(), asks: new Map() };
    change(book.bids, payload.bids);
    change(book.asks, payload.asks);
    sides.set(symbol, book);
  }
  const levels = (symbol: string): Book => {
    const book = sides.get(symbol);
    if (book === undefined) return { bids: [], asks: [] };
    return { bids: ascending(book.bids).reverse(), asks: ascending(book.asks) };
  };
  let checksum = 0;
  let readAt = (session.times[0] ?? 0) + QUOTE_EVERY_MS;
  session.frames.forEach((frame, i) => {
    for (; (session.times[i] ?? 0) >= readAt; readAt += QUOTE_EVERY_MS) {
      for (const symbol of session.symbols) {
        const quote = plainQuote(levels(symbol));
        if (quote !== undefined) checksum += quoteSum(quote);
      }
    }
    const { symbol, whole, bids, asks } = readChange(session.name, frame);
    const known = sides.get(symbol);
    const book = known === undefined || whole ? { bids: new Map(), asks: new Map() } : known;
    sides.set(symbol, book);
    change(book.bids, bids);
    change(book.asks, asks);
  });
  return { books: new Map(session.symbols.map((symbol) => [symbol, levels(symbol)])), checksum };
}
