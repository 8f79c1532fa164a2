import type { Outcome } from '../../collect/transport-failure.ts';
import type { Answer } from '../../collect/venue-caller.ts';
import { type Decoded, emptyDecoded, rowCount } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isFault } from '../../domain/reject.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import { sleep, type Timer } from '../../runtime/timer.ts';
import type { VenueAdapter, VenueRequest } from '../../venues/adapter.ts';
import type { BackfillEndpoint, BackfillKind } from '../../venues/backfill-endpoint.ts';
import type { BackfillThrottle } from './backfill-throttle.ts';

/** Sends a request within a venue's budget, after all that live data needs. Never rejects. */
export type SendRequest = (
  venue: VenueId,
  request: VenueRequest,
  terms: { readonly pool?: string; readonly weight?: number; readonly priority: number },
) => Promise<Outcome<Answer>>;

export interface BackfillSources {
  readonly adapter: VenueAdapter;
  readonly instruments: () => ReadonlyMap<string, Instrument>;
  readonly send: SendRequest;
  readonly throttle: BackfillThrottle;
  /** Whether others wait for this contract to go first, or none is left to wait for. */
  readonly isUrgent: () => boolean;
  /** Its place in the queue of the venue's budget. */
  readonly priority: number;
  readonly timer: Timer;
  readonly signal: AbortSignal;
}

/** What was fetched of one contract. */
export interface ContractHistory {
  readonly decoded: Decoded;
  readonly requests: number;
  /** Kinds whose endpoint failed, or answered a page with an error; empty = complete. */
  readonly failed: readonly string[];
}

const TRIES = 3;
const FIRST_PAUSE_MS = 1000;
/** No venue pays more often. */
const MIN_INTERVAL_MS = HOUR_MS;
/** Answers that the payments of one page may take: a contract of one a day that once paid every hour, and some. */
const MAX_ANSWERS = 32;

type Span = readonly [from: UnixMs, to: UnixMs];

/** Fetches all that a venue has of a contract's span [from, to), oldest first. Stops early when the signal aborts. */
export async function fetchContractHistory(
  sources: BackfillSources,
  instrument: Instrument,
  from: UnixMs,
  to: UnixMs,
): Promise<ContractHistory> {
  const fetched = await Promise.all(
    (sources.adapter.backfill ?? []).map((endpoint) => fetchKind(sources, endpoint, instrument, from, to)),
  );
  const decoded = emptyDecoded();
  for (const { answers } of fetched) {
    for (const answer of answers) {
      decoded.funding.push(...answer.funding.filter(({ time }) => time >= from && time < to));
      decoded.history.push(...answer.history);
      decoded.rejects.push(...answer.rejects);
    }
  }
  return {
    decoded,
    requests: fetched.reduce((sum, { requests }) => sum + requests, 0),
    failed: fetched.flatMap(({ kind, isComplete }) => (isComplete ? [] : [kind])),
  };
}

/** What was fetched from one endpoint. */
interface FetchedKind {
  readonly kind: BackfillKind;
  readonly answers: Decoded[];
  readonly requests: number;
  readonly isComplete: boolean;
}

/**
 * Fetches one endpoint, page after page, and what a full page has left out; ends at the first that does not come. A page that
 * the venue answers with an error, as many do under status 200, leaves the kind incomplete: the pages after it may have data,
 * as where it knows nothing of the time before a listing.
 */
async function fetchKind(
  sources: BackfillSources,
  endpoint: BackfillEndpoint,
  instrument: Instrument,
  from: UnixMs,
  to: UnixMs,
): Promise<FetchedKind> {
  const { kind, pages } = endpoint;
  if (pages !== undefined) return fetchPages(sources, { ...endpoint, pages }, instrument, from, to);
  const answers: Decoded[] = [];
  let requests = 0;
  let isComplete = true;
  const left = spansOf(endpoint, instrument, from, to);
  const most = left.length * MAX_ANSWERS;
  for (let span = left.shift(); span !== undefined; span = left.shift()) {
    const request = endpoint.request(instrument, ...span);
    const answer = await fetchSpan(sources, endpoint, request, isComplete ? TRIES : 1);
    requests += 1;
    if (answer === undefined) return { kind, answers, requests, isComplete: false };
    answers.push(answer);
    if (!isReadable(answer)) isComplete = false;
    else if (requests < most) left.unshift(...leftOut(endpoint, span, answer));
  }
  return { kind, answers, requests, isComplete };
}

/**
 * Fetches an endpoint whose pages have numbers, the newest points first, until one has room to spare, nothing new, or what
 * is older than the span. A page that stays an error leaves the kind incomplete; a second one in a row ends the pages.
 */
async function fetchPages(
  sources: BackfillSources,
  endpoint: BackfillEndpoint & { readonly pages: number },
  instrument: Instrument,
  from: UnixMs,
  to: UnixMs,
): Promise<FetchedKind> {
  const { kind, points, pages } = endpoint;
  const answers: Decoded[] = [];
  const seen = new Set<number>();
  let isComplete = true;
  let errors = 0;
  let page = 0;
  while (page < pages) {
    page += 1;
    const request = endpoint.request(instrument, from, to, page);
    const answer = await fetchSpan(sources, endpoint, request, isComplete ? TRIES : 1);
    if (answer === undefined) return { kind, answers, requests: page, isComplete: false };
    const fresh = withoutSeen(answer, seen);
    answers.push(fresh);
    errors = isReadable(answer) ? 0 : errors + 1;
    if (errors > 0) isComplete = false;
    if (errors > 1) break;
    if (errors === 0 && isLastPage(answer, fresh, points, from)) break;
  }
  return { kind, answers, requests: page, isComplete };
}

const pointsOf = ({ funding, history }: Decoded): readonly { readonly time: UnixMs }[] => [
  ...funding,
  ...history,
];

/** A point that comes while the pages are fetched moves the last of one to the next. */
function withoutSeen(answer: Decoded, seen: Set<number>): Decoded {
  const isNew = ({ time }: { readonly time: UnixMs }): boolean => !seen.has(time);
  const fresh = { ...answer, funding: answer.funding.filter(isNew), history: answer.history.filter(isNew) };
  for (const { time } of pointsOf(fresh)) seen.add(time);
  return fresh;
}

function isLastPage(answer: Decoded, fresh: Decoded, points: number, from: UnixMs): boolean {
  const times = pointsOf(fresh).map(({ time }) => time);
  return rowCount(answer) + answer.rejects.length < points || times.length === 0 || Math.min(...times) < from;
}

/** False where the venue answered with an error, or with what nothing can be read of; an empty list is an answer. */
const isReadable = (answer: Decoded): boolean =>
  rowCount(answer) > 0 || !answer.rejects.some((reject) => reject.symbol === null && isFault(reject));

/**
 * The parts of a page of payments that its answer may have left out, where it has as many as an answer can have: a page is
 * made for the interval of today, and the contract may have paid more often. Venues differ in the end that they cut off.
 */
function leftOut({ kind, points, isLatestOnly }: BackfillEndpoint, span: Span, answer: Decoded): Span[] {
  if (kind !== 'funding' || isLatestOnly === true) return [];
  if (answer.funding.length + answer.rejects.length < points) return [];
  const [start, end] = span;
  const times = answer.funding.map(({ time }) => time).filter((time) => time >= start && time < end);
  if (times.length === 0) return [];
  const before: Span = [start, asMs(Math.min(...times))];
  const after: Span = [asMs(Math.max(...times) + 1), end];
  return [before, after].filter(([from, to]) => to - from >= MIN_INTERVAL_MS);
}

/** The span in pages of one response each. Volume over 24 hours needs the day before it. */
function spansOf(endpoint: BackfillEndpoint, instrument: Instrument, from: UnixMs, to: UnixMs): Span[] {
  const earliest = endpoint.reachMs === undefined ? 0 : to - endpoint.reachMs;
  const start = asMs(Math.max(earliest, endpoint.kind === 'volume' ? from - DAY_MS : from));
  if (endpoint.isLatestOnly === true) return [[start, to]];
  const stepMs = endpoint.stepMs ?? (instrument.fundingIntervalHours ?? 1) * HOUR_MS;
  const spanMs = endpoint.points * stepMs;
  const spans: Span[] = [];
  for (let at = start; at < to; at = asMs(at + spanMs)) spans.push([at, asMs(Math.min(at + spanMs, to))]);
  return spans;
}

async function fetchSpan(
  { adapter, instruments, send, throttle, isUrgent, priority, timer, signal }: BackfillSources,
  endpoint: BackfillEndpoint,
  request: VenueRequest,
  tries: number,
): Promise<Decoded | undefined> {
  const { call, pool, weight } = endpoint;
  const terms = { priority, ...(pool !== undefined && { pool }), ...(weight !== undefined && { weight }) };
  const cost = { budget: adapter.budget, pool: pool ?? 'default', weight: weight ?? 1 };
  for (let i = 1; i <= tries && !signal.aborted; i++) {
    await throttle.acquire(cost, isUrgent, signal);
    if (signal.aborted) return undefined;
    const outcome = await send(adapter.id, request, terms);
    if (outcome.ok) {
      const { payload, receivedAt } = outcome.value;
      const answer = call.decode(payload, { instruments: instruments(), request, receivedAt });
      if (isReadable(answer) || i === tries) return answer;
    }
    if (i < tries) await sleep(timer, FIRST_PAUSE_MS * 4 ** (i - 1), signal);
  }
  return undefined;
}
