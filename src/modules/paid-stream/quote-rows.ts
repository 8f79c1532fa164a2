import { MOST_NOTIONAL_USD } from '../../domain/depth-quote.ts';
import type { BookQuote } from '../../market/books/book-view.ts';
import type { MarketRow, TrackedVenue } from '../../market/view.ts';
import { withReasons } from '../../products/answer/null-reason.ts';
import { publicNumbers } from '../../products/answer/public-numbers.ts';
import { freshQuote, isBookRead } from '../../products/books/book-source.ts';
import { sizedSlippage } from '../../products/books/execution-cost.ts';
import { fillableUsd } from '../../products/books/leg-book.ts';
import { PUBLIC_FEES, takerFeeOf } from '../../products/rows/asked-fees.ts';
import { isoOrNull } from '../../products/rows/value-times.ts';
import type { Filter } from './selection.ts';
import type { TopicRow } from './topic-log.ts';
import { dated, nameOf, subject, type TopicPorts } from './topic-row.ts';

/** An asset whose books some streams read for a size, US dollars. */
export interface WantedQuotes {
  /** Canonical id. */
  readonly asset: string;
  readonly sizeUsd: number;
  /** True of the contracts that these streams take. */
  readonly takes: Filter['takes'];
}

/** Sized quotes of what some stream asks for, from fresh order books, each once: to look is to ask for these books. */
export function* quoteRows(ports: TopicPorts, wanted: Iterable<WantedQuotes>): Generator<TopicRow> {
  const { market, books } = ports;
  const venues = new Map(market.venues().map((venue) => [venue.info.id, venue]));
  const known = new Map<string, readonly Contract[]>();
  const seen = new Set<string>();
  for (const { asset, sizeUsd, takes } of wanted) {
    const contracts = known.get(asset) ?? contractsOf(market.rowsOf(asset), venues);
    known.set(asset, contracts);
    for (const contract of contracts) {
      const { row, name, taker } = contract;
      const key = `${name.key} ${sizeUsd}`;
      if (seen.has(key) || !takes({ ...name, sizeUsd })) continue;
      seen.add(key);
      books.isPending(row.venue, row.symbol, sizeUsd);
      contract.book ??= bookOf(contract, books);
      const { quote, state } = contract.book;
      if (quote === undefined) continue;
      yield {
        ...name,
        key,
        sizeUsd,
        source: state,
        values: () => quoteValues(ports, { row, quote, sizeUsd, taker }),
        text: dated('updated_at', isoOrNull(quote.confirmedAt)),
      };
    }
  }
}

/** A contract whose book can be read; its book once a stream that takes it was found. */
interface Contract {
  readonly row: MarketRow;
  readonly name: ReturnType<typeof nameOf>;
  readonly taker: number | undefined;
  book?: { readonly quote: BookQuote | undefined; readonly state: string };
}

function contractsOf(rows: readonly MarketRow[], venues: ReadonlyMap<string, TrackedVenue>): Contract[] {
  const contracts: Contract[] = [];
  for (const row of rows) {
    const venue = venues.get(row.venue);
    if (!row.fresh || venue === undefined || !isBookRead(row, venue)) continue;
    contracts.push({ row, name: nameOf(row), taker: takerFeeOf(row, venue, PUBLIC_FEES) });
  }
  return contracts;
}

function bookOf({ row, taker }: Contract, books: TopicPorts['books']) {
  const quote = freshQuote(books, row.venue, row.symbol);
  return { quote, state: quote === undefined ? '' : stateOf(row, quote, taker) };
}

/** Equal while a book has had no message: its time is that of the last one, and its figures tell two in one millisecond apart. */
const stateOf = ({ ticker, symbol, multiplier }: MarketRow, quote: BookQuote, taker: number | undefined) =>
  [
    quote.confirmedAt,
    quote.source,
    quote.bestBid,
    quote.bidSize,
    quote.bestAsk,
    quote.askSize,
    quote.bidDepthUsd,
    quote.askDepthUsd,
    ticker,
    symbol,
    multiplier,
    taker,
  ].join();

interface Quoted {
  readonly row: MarketRow;
  readonly quote: BookQuote;
  readonly sizeUsd: number;
  /** Public taker fee, bps; undefined where none is published. */
  readonly taker: number | undefined;
}

function quoteValues({ books }: TopicPorts, { row, quote, sizeUsd, taker }: Quoted): string {
  const slippage = (side: 'buy' | 'sell'): number | null =>
    sizedSlippage({ quote }, books, { size: sizeUsd, side, capUsd: MOST_NOTIONAL_USD }) ?? null;
  const shown = {
    ...subject(row),
    size_usd: sizeUsd,
    best_bid: quote.bestBid,
    best_ask: quote.bestAsk,
    spread_bps: quote.spreadBps,
    buy_slippage_bps: slippage('buy'),
    sell_slippage_bps: slippage('sell'),
    taker_fee_bps: taker ?? null,
    bid_depth_usd: quote.bidDepthUsd,
    ask_depth_usd: quote.askDepthUsd,
    max_fillable_usd: fillableUsd(quote, 'worse', MOST_NOTIONAL_USD),
    source: quote.source,
  };
  return JSON.stringify(
    publicNumbers(
      withReasons(shown, {
        buy_slippage_bps: 'too_thin',
        sell_slippage_bps: 'too_thin',
        taker_fee_bps: 'not_published',
      }),
    ),
  );
}
