import type { MarketRow } from '../../market/view.ts';
import { chosenCurrency } from '../../products/choice/chosen-market.ts';
import type { Ports } from '../../products/define-product.ts';
import { contractName } from '../../products/rows/contract-name.ts';

/** The ports that topics look at. */
export type TopicPorts = Pick<Ports, 'market' | 'books' | 'clock'>;

/** The names by which a stream takes a row. */
export const nameOf = ({ venue, canonicalId, quote }: MarketRow) => ({
  key: `${venue} ${canonicalId}`,
  asset: canonicalId,
  venue,
  currency: chosenCurrency(quote),
});

/** The fields that name the contract of a row. */
export const subject = (row: MarketRow) => ({
  venue: row.venue,
  symbol: row.ticker,
  canonical_id: row.canonicalId,
  ...contractName(row),
});

/** The row's JSON, closed by the time of its values: what alone is younger is no change. */
export const dated =
  (name: string, time: string | null) =>
  (values: string): string =>
    `${values.slice(0, -1)},"${name}":${JSON.stringify(time)}}`;
