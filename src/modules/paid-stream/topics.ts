import { nextSettlement } from '../../domain/next-settlement.ts';
import { annualisedPct } from '../../domain/rate.ts';
import type { BookTop } from '../../market/books/book-view.ts';
import type { MarketRow } from '../../market/view.ts';
import { withReasons } from '../../products/answer/null-reason.ts';
import { publicNumbers } from '../../products/answer/public-numbers.ts';
import { indexOf, noIndex, noNextFunding, uncomparable } from '../../products/funding/funding-row.ts';
import { marketHours } from '../../products/rows/market-hours.ts';
import { hasFreshRate, venueInfos } from '../../products/rows/select.ts';
import { isoOrNull } from '../../products/rows/value-times.ts';
import { quoteRows, type WantedQuotes } from './quote-rows.ts';
import { signalRows } from './signal-rows.ts';
import type { TopicRow } from './topic-log.ts';
import type { TopicName } from './topic-names.ts';
import { dated, nameOf, subject, type TopicPorts } from './topic-row.ts';

/** Rates that are fresh, as of `/v1/funding/current`. */
function* fundingRows({ market, clock }: TopicPorts): Generator<TopicRow> {
  const venues = venueInfos(market);
  const now = clock.now();
  for (const row of market.eachRow()) {
    if (!row.fresh || !hasFreshRate(row)) continue;
    const next = nextSettlement(row, now);
    const values = (): string => {
      const shown = {
        ...subject(row),
        rate: row.fundingRate ?? null,
        ...(row.rateSettled === true && { rate_settled: true }),
        funding_interval_hours: row.fundingIntervalHours ?? null,
        rate_8h: row.rate8h ?? null,
        annualized_pct: annualisedPct(row.fundingRate, row.fundingIntervalHours) ?? null,
        next_funding_time: isoOrNull(next),
        ...marketHours(row),
        ...uncomparable(row),
      };
      const reasons = withReasons(shown, {
        funding_interval_hours: 'interval_unknown',
        rate_8h: 'interval_unknown',
        annualized_pct: 'interval_unknown',
        next_funding_time: noNextFunding(row, venues.get(row.venue)),
      });
      return JSON.stringify(publicNumbers(reasons));
    };
    const text = dated('rate_updated_at', isoOrNull(row.fundingUpdatedAt));
    // Once the settlement that a venue has named is over, the next one is another.
    yield { ...nameOf(row), source: next === row.nextFundingTime ? row : {}, values, text };
  }
}

/** Best bid and ask of a fresh contract: of its book where one is followed, else as the venue's list states them. */
function* touchRows({ market, books }: TopicPorts): Generator<TopicRow> {
  const venues = venueInfos(market);
  for (const row of market.eachRow()) {
    if (!row.fresh || row.marketOpen === false) continue;
    const known = books.passive.top(row.venue, row.symbol);
    const top = known?.isFresh === true ? known : undefined;
    if (top === undefined && row.bestBid === undefined && row.bestAsk === undefined) continue;
    const values = (): string => {
      const info = venues.get(row.venue);
      const shown = {
        ...subject(row),
        ...touchOf(row, top),
        mark_price: row.markPrice ?? null,
        index_price: indexOf(row, info) ?? null,
        ...uncomparable(row),
      };
      const side = top === undefined ? 'unknown' : 'one_sided';
      return JSON.stringify(
        publicNumbers(
          withReasons(shown, {
            best_bid: side,
            best_ask: side,
            bid_size: side,
            ask_size: side,
            index_price: noIndex(info),
          }),
        ),
      );
    };
    const text = dated('updated_at', isoOrNull(top?.confirmedAt ?? row.updatedAt));
    yield { ...nameOf(row), source: top === undefined ? row : {}, values, text };
  }
}

function touchOf(row: MarketRow, top: BookTop | undefined) {
  if (top === undefined)
    return { best_bid: row.bestBid ?? null, best_ask: row.bestAsk ?? null, source: 'list' };
  return {
    best_bid: top.bestBid ?? null,
    bid_size: top.bidSize ?? null,
    best_ask: top.bestAsk ?? null,
    ask_size: top.askSize ?? null,
    source: top.source,
  };
}

/** Tells how the rows of a topic are looked at. */
type RowsOf = (ports: TopicPorts, wanted: Iterable<WantedQuotes>) => Iterable<TopicRow>;

/** The rows of each topic as they stand. */
export const TOPIC_ROWS: Readonly<Record<TopicName, RowsOf>> = {
  funding: fundingRows,
  touches: touchRows,
  quotes: quoteRows,
  signals: signalRows,
};
