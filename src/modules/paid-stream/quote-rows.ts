import { MOST_NOTIONAL_USD } from '../../domain/depth-quote.ts';
import type { BookQuote } from '../../market/books/book-view.ts';
import type { MarketRow } from '../../market/view.ts';
import { withReasons } from '../../products/answer/null-reason.ts';
import { publicNumbers } from '../../products/answer/public-numbers.ts';
import { isBookRead } from '../../products/books/book-source.ts';
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
  const seen = new Set<string>();
  for (const { asset, sizeUsd, takes } of wanted)
    for (const row of market.rowsOf(asset)) {
      const name = nameOf(row);
      const key = `${name.key} ${sizeUsd}`;
      const venue = market.venue(row.venue);
      if (seen.has(key) || !takes({ ...name, sizeUsd })) continue;
      if (!row.fresh || venue === undefined || !isBookRead(row, venue)) continue;
      seen.add(key);
      books.isPending(row.venue, row.symbol, sizeUsd);
      const quote = books.quote(row.venue, row.symbol);
      if (quote?.isFresh !== true) continue;
      const taker = takerFeeOf(row, venue, PUBLIC_FEES);
      yield {
        ...name,
        key,
        sizeUsd,
        source: stateOf(row, quote, taker),
        values: () => quoteValues(ports, { row, quote, sizeUsd, taker }),
        text: dated('updated_at', isoOrNull(quote.confirmedAt)),
      };
    }
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
