import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { BackfillEndpoint } from '../../venues/backfill-endpoint.ts';
import type { BackfillSources, FetchedKind } from './fetch-answer.ts';
import { PageFetch } from './fetch-pages.ts';
import { SpanFetch } from './fetch-spans.ts';
import type { MissingSpan, Span } from './gaps.ts';

/** The fetched history of one contract. */
export interface ContractHistory {
  readonly decoded: Decoded;
  readonly requests: number;
  /** Kinds whose endpoint failed, answered a page with an error, or left payments out; empty = complete. */
  readonly failed: readonly string[];
  /** True if the venue answered all requests for the failed kinds, and its answers have gaps all the same. */
  readonly hasOnlyGaps: boolean;
  /** Stretches of which nothing came, with the reason; also where that makes no kind incomplete, as before a listing. */
  readonly missing: readonly MissingSpan[];
}

/** Fetches all that a venue has of a contract's span [from, to), oldest first. Stops early when the signal aborts. */
export async function fetchContractHistory(
  sources: BackfillSources,
  instrument: Instrument,
  from: UnixMs,
  to: UnixMs,
): Promise<ContractHistory> {
  const endpoints = sources.adapter.backfill ?? [];
  const asked: Span = [from, to];
  const fetched = await Promise.all(
    endpoints.map((endpoint) => fetchKind(sources, endpoint, instrument, asked)),
  );
  const decoded = emptyDecoded();
  for (const { answers } of fetched) {
    for (const answer of answers) {
      decoded.funding.push(...answer.funding.filter(({ time }) => time >= from && time < to));
      decoded.history.push(...answer.history);
      decoded.rejects.push(...answer.rejects);
    }
  }
  const failed = fetched.filter(({ state }) => state !== 'whole');
  return {
    decoded,
    requests: fetched.reduce((sum, { requests }) => sum + requests, 0),
    failed: failed.map(({ kind }) => kind),
    hasOnlyGaps: failed.length > 0 && failed.every(({ state }) => state === 'gaps'),
    missing: fetched.flatMap(({ missing }) => missing),
  };
}

function fetchKind(
  sources: BackfillSources,
  endpoint: BackfillEndpoint,
  instrument: Instrument,
  asked: Span,
): Promise<FetchedKind> {
  const { pages } = endpoint;
  if (pages === undefined) return new SpanFetch(sources, endpoint, instrument, asked).run();
  return new PageFetch(sources, { ...endpoint, pages }, instrument, asked).run();
}
