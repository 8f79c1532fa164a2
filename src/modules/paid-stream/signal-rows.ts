import { publicNumbers } from '../../products/answer/public-numbers.ts';
import { legBooksOf } from '../../products/books/leg-book.ts';
import { signalNow } from '../../products/perp-arbitrage-funding-signal.ts';
import { PUBLIC_FEES } from '../../products/rows/asked-fees.ts';
import type { TopicRow } from './topic-log.ts';
import type { TopicPorts } from './topic-row.ts';

/** As `/v1/perp/arbitrage/funding-signal` has them by default, but for their number. */
const ASKED = {
  min_diff: 0.0001,
  limit: 100,
  include_below_1k: false,
  holding_days: 7,
  contract_terms: false,
} as const;

/** True where some asset has a fresh contract: then the pairs that it has, or has not, are known. */
export function canSignal(
  { market }: Pick<TopicPorts, 'market'>,
  assets: readonly string[] | undefined,
): boolean {
  if (assets !== undefined) return assets.some((asset) => market.rowsOf(asset).some(({ fresh }) => fresh));
  for (const { fresh } of market.eachRow()) if (fresh) return true;
  return false;
}

/** The best pair of each asset among the hundred best, of all venues, without what the past says of them. */
export function* signalRows({ market, books, clock }: TopicPorts): Generator<TopicRow> {
  const found = signalNow(market, legBooksOf(books.passive), ASKED, clock.now(), PUBLIC_FEES);
  if (!found.ok) return;
  for (const pair of found.value.answer().body.opportunities) {
    const { canonical_id: asset } = pair;
    yield {
      key: asset,
      asset,
      venue: '',
      currency: '',
      source: pair,
      values: () => JSON.stringify(publicNumbers(pair)),
      text: (values) => values,
    };
  }
}
