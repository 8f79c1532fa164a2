import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { ok, type Result } from '../domain/errors.ts';
import type { PastRow, PastTable } from '../market/delayed-table.ts';
import { groupBy } from '../runtime/group-by.ts';
import { fourDigits } from './answer/four-digits.ts';
import type { RenderedAnswer } from './answer/product-answer.ts';
import {
  assetClass,
  canonicalIdName,
  integer,
  nullable,
  number,
  text,
  tickerName,
  timestamp,
  venueName,
} from './answer/schema.ts';
import { defineProduct, type Ports } from './define-product.ts';
import example from './examples/free-matrix.json' with { type: 'json' };
import { tableOfThen } from './free/table-of-then.ts';
import { intervalHours, uncomparableField } from './funding/funding-row.ts';
import { knownSum } from './rows/weighted.ts';

const cell = Type.Object({
  venue: venueName,
  rate: nullable(number('Funding rate, fraction per interval of the venue; null where it was not known')),
  rate_8h: nullable(number('Rate scaled to eight hours; null when the interval is unknown')),
  funding_interval_hours: intervalHours,
  open_interest: nullable(number('Open interest, USD; null where it was not known')),
  volume_24h: nullable(number('Traded in 24 hours, USD; null where it was not known')),
  ...uncomparableField,
});
type Cell = Static<typeof cell>;

const answer = Type.Object({
  assets: Type.Array(
    Type.Object({
      canonical_id: canonicalIdName,
      ticker: tickerName,
      asset_class: assetClass,
      open_interest: nullable(number('Sum over the venues that state it, USD')),
      cells: Type.Array(cell, { description: 'A cell for each venue that had a row' }),
    }),
    { description: 'The assets with the largest open interest first' },
  ),
  total: integer('Assets of the whole matrix'),
  as_of: nullable(timestamp('Moment that all cells are of; null while none is old enough')),
  delay_seconds: integer('Least age of the cells'),
  paid_full_endpoint: text('Path of the rates of now'),
  note: text('How to read this'),
});
type FreeMatrix = Static<typeof answer>;

export const freeMatrix = defineProduct({
  id: 'free-matrix',
  path: '/v1/free/matrix',
  access: 'free',
  summary: 'All funding rates, delayed',
  description:
    'Funding rates of all assets on all venues as they were at least 15 minutes ago, each with its true interval, open interest and the reason why it is not compared; to four significant digits. Simulated data is delayed by one minute.',
  tags: ['preview', 'funding'],
  dependsOn: 'second',
  revisedAt: '2026-11-29T10:30:00.000Z',
  query: Type.Object({
    limit: Type.Integer({
      minimum: 1,
      maximum: 5000,
      default: 5000,
      description: 'Most assets to give: those with the largest open interest',
    }),
  }),
  answer,
  example: { request: '/v1/free/matrix?limit=2', answer: example },
  compute: ({ limit }, ports) => {
    const table = tableOfThen(ports);
    return table instanceof Promise
      ? table.then((found) => answerOf(found, limit, ports))
      : answerOf(table, limit, ports);
  },
});

/** An asset as its part of the answer. */
interface WrittenAsset {
  readonly openInterest: number | null;
  readonly text: string;
}

/** The assets of a table are written once, whatever number of them is asked for. */
const written = new WeakMap<PastTable, readonly WrittenAsset[]>();

function answerOf(
  found: Result<PastTable | undefined>,
  limit: number,
  { market }: Ports,
): Result<RenderedAnswer> {
  if (!found.ok) return found;
  const table = found.value;
  const assets = table === undefined ? [] : writtenAssets(table);
  const body: FreeMatrix = {
    assets: [],
    total: assets.length,
    as_of: table === undefined ? null : iso(table.at),
    delay_seconds: market.delayed.delayMs / 1000,
    paid_full_endpoint: '/v1/funding/current',
    note: 'Delayed and rounded; empty while the service has kept nothing that is old enough. Raw fractions per interval of each venue; not a profit forecast.',
  };
  const parts = assets.slice(0, limit).map(({ text }) => text);
  const venues = [...new Set(table?.rows.map(({ venue }) => venue))];
  return ok({
    content: {
      write: () => JSON.stringify(body).replace('"assets":[]', () => `"assets":[${parts.join(',')}]`),
    },
    asOf: table?.at,
    sources: { used: venues, missing: [] },
    basis: [table, limit],
  });
}

function writtenAssets(table: PastTable): readonly WrittenAsset[] {
  const known = written.get(table);
  if (known !== undefined) return known;
  const made = [...groupBy(table.rows, ({ canonicalId }) => canonicalId).values()]
    .map(writeAsset)
    .sort((a, b) => (b.openInterest ?? -1) - (a.openInterest ?? -1));
  written.set(table, made);
  return made;
}

function writeAsset(rows: readonly PastRow[]): WrittenAsset {
  const [first] = rows;
  const sum = knownSum(rows.map(({ openInterestUsd }) => openInterestUsd));
  const openInterest = sum === undefined ? null : fourDigits(sum);
  const text = JSON.stringify({
    canonical_id: first?.canonicalId,
    ticker: first?.ticker,
    asset_class: first?.assetClass,
    open_interest: openInterest,
    cells: rows.map(cellOf),
  });
  return { openInterest, text };
}

const cellOf = (row: PastRow): Cell => ({
  venue: row.venue,
  rate: fourDigits(row.fundingRate ?? null),
  rate_8h: fourDigits(row.rate8h ?? null),
  funding_interval_hours: row.fundingIntervalHours ?? null,
  open_interest: fourDigits(row.openInterestUsd ?? null),
  volume_24h: fourDigits(row.volume24hUsd ?? null),
  ...reasonOf(row),
});

const reasonOf = (row: PastRow): Pick<Cell, 'uncomparable_reason'> => {
  const reason = row.uncomparableReason ?? (row.rateFresh ? undefined : 'stale');
  return reason === undefined ? {} : { uncomparable_reason: reason };
};
