import type { FundingCurrentAnswer, PreviewFundingCurrentAnswer } from '../../packages/client/src/routes.ts';

/** A row of `/v1/funding/current`, with what its contract was paid, where that was asked for. */
export type FundingRow = FundingCurrentAnswer['rates'][number];
/** A row of the stream. */
export type StreamRow = PreviewFundingCurrentAnswer['rates'][number];
/** Means of what was paid, fractions of eight hours; null where the past is too short. */
export type SettledMeans = NonNullable<FundingRow['settled_means']>;

/** A contract's name among the rows. */
export const rowKey = ({ venue, canonical_id }: Pick<FundingRow, 'venue' | 'canonical_id'>): string =>
  `${venue} ${canonical_id}`;

const PAGE = 1000;

/** One page of the whole table. */
export const fundingPage = (page: number): string =>
  `/v1/funding/current?include_uncomparable=true&settled_means=true&limit=${PAGE}&offset=${page * PAGE}`;

/** Pages that a table of so many rows takes; at least one. */
export const fundingPages = (rows: number): readonly string[] =>
  Array.from({ length: Math.max(1, Math.ceil(rows / PAGE)) }, (_, page) => fundingPage(page));
