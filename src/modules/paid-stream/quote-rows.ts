import { MOST_NOTIONAL_USD } from '../../domain/depth-quote.ts';
import type { BookQuote } from '../../market/books/book-view.ts';
import type { MarketRow, TrackedVenue } from '../../market/view.ts';
import { withReasons } from '../../products/answer/null-reason.ts';
import { publicNumbers } from '../../products/answer/public-numbers.ts';
import { isBookRead } from '../../products/books/book-source.ts';
import { sizedSlippage } from '../../products/books/execution-cost.ts';
import { fillableUsd } from '../../products/books/leg-book.ts';
import { PUBLIC_FEES, takerFeeOf } from '../../products/rows/asked-fees.ts';
import { isoOrNull } from '../../products/rows/value-times.ts';
import type { TopicRow } from './topic-log.ts';
import { dated, nameOf, subject, type TopicPorts } from './topic-row.ts';

/** An asset whose books are read for a size, US dollars. */
export interface WantedQuotes {
  /** Canonical id. */
  readonly asset: string;
  readonly sizeUsd: number;
}

/** Sized quotes of what some stream asks for, from fresh order books: to look is to ask for these books. */
export function* quoteRows(ports: TopicPorts, wanted: Iterable<WantedQuotes>): Generator<TopicRow> {
  const { market, books } = ports;
  for (const { asset, sizeUsd } of wanted)
    for (const row of market.rowsOf(asset)) {
      const venue = market.venue(row.venue);
      if (!row.fresh || venue === undefined || !isBookRead(row, venue)) continue;
      books.isPending(row.venue, row.symbol, sizeUsd);
      const quote = books.quote(row.venue, row.symbol);
      if (quote?.isFresh !== true) continue;
      const name = nameOf(row);
      yield {
        ...name,
        key: `${name.key} ${sizeUsd}`,
        sizeUsd,
        source: {},
        values: () => quoteValues(ports, { row, venue, quote, sizeUsd }),
        text: dated('updated_at', isoOrNull(quote.confirmedAt)),
      };
    }
}

interface Quoted {
  readonly row: MarketRow;
  readonly venue: TrackedVenue;
  readonly quote: BookQuote;
  readonly sizeUsd: number;
}

function quoteValues({ books }: TopicPorts, { row, venue, quote, sizeUsd }: Quoted): string {
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
    taker_fee_bps: takerFeeOf(row, venue, PUBLIC_FEES) ?? null,
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
