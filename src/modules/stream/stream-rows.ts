import type { MarketRow } from '../../market/view.ts';
import { publicNumbers } from '../../products/answer/public-numbers.ts';
import type { Ports } from '../../products/define-product.ts';
import { rowText } from '../../products/funding/row-text.ts';
import { previewRates } from '../../products/preview-funding-current.ts';
import { isCurrent, venueInfos } from '../../products/rows/select.ts';
import type { StreamRow } from './change-log.ts';
import { RowStream } from './row-stream.ts';

/** The rows of `/v1/preview/funding-current`: as late and as rounded. */
export function* previewStreamRows({ market, clock }: Pick<Ports, 'market' | 'clock'>): Generator<StreamRow> {
  for (const rate of previewRates(market, clock.now()).body.rates) {
    const text = JSON.stringify(publicNumbers(rate));
    yield { key: `${rate.venue} ${rate.canonical_id}`, version: text, text: () => text };
  }
}

/** The rows of `/v1/funding/current` over all venues: fresh ones, comparable or not. A row is another object when it has changed. */
export function* tableStreamRows({ market, clock }: Pick<Ports, 'market' | 'clock'>): Generator<StreamRow> {
  const venues = venueInfos(market);
  const keyOf = ({ venue, canonicalId }: MarketRow): string => `${venue} ${canonicalId}`;
  for (const row of market.eachRow()) {
    if (!isCurrent(row)) continue;
    yield { key: keyOf(row), version: row, text: () => rowText(row, venues, clock.now()) };
  }
}

/** The preview's rows on every port, and the whole table for the operator. */
export interface RowStreams {
  readonly preview: RowStream;
  readonly table: RowStream;
}

const PREVIEW_KEPT_ROWS = 3000;
const TABLE_KEPT_ROWS = 30_000;
const OPERATORS = 20;

export function openRowStreams(ports: Pick<Ports, 'market' | 'clock'>): RowStreams {
  return {
    preview: new RowStream({ rows: () => previewStreamRows(ports), keptRows: PREVIEW_KEPT_ROWS }),
    table: new RowStream({
      rows: () => tableStreamRows(ports),
      keptRows: TABLE_KEPT_ROWS,
      maxReaders: OPERATORS,
    }),
  };
}
