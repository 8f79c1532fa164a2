import type { RateBudget } from '../../collect/budget.ts';
import { emptyCallStats } from '../../collect/call-stats.ts';
import type { HttpOutcome, Transport } from '../../collect/http-client.ts';
import { PRIORITY } from '../../collect/priority.ts';
import type { FailureKind, Outcome } from '../../collect/transport-failure.ts';
import { type Answer, type CallTerms, type Exchange, VenueCaller } from '../../collect/venue-caller.ts';
import type { Clock } from '../../domain/clock.ts';
import type { VenueAdapter, VenueRequest } from '../../venues/adapter.ts';
import { redactText } from './redact.ts';
import type { CallRecord, Sample } from './venue-probe.ts';

export interface VisitOptions {
  readonly adapter: VenueAdapter;
  readonly bases: Readonly<Record<string, string>>;
  readonly http: Transport;
  readonly budget: RateBudget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Weight and pool of a request, and what its answer may have. */
export interface Terms extends Pick<CallTerms, 'weight' | 'maxBytes'> {
  readonly pool?: string | undefined;
}

interface Attempt {
  readonly outcome: Outcome<Answer>;
  /** Undefined where nothing was sent. */
  readonly exchange: Exchange | undefined;
}

/** Failures that a second try tells from a venue that is gone. */
const PASSING: ReadonlySet<FailureKind> = new Set(['reset', 'refused', 'timeout', 'rate_limited']);
/** A second try is not made after a longer pause than this. */
const MAX_PAUSE_MS = 30_000;

/** Sends a venue's requests as the collector does, but each to the wire, and records the outcome. */
export class VisitCall {
  readonly #options: VisitOptions;
  readonly #caller: VenueCaller;
  readonly #stats = emptyCallStats();

  constructor(options: VisitOptions) {
    const { adapter, bases, http, budget, clock } = options;
    this.#options = options;
    const { id: venue, headers } = adapter;
    // A host that fails once is asked again: the report is of every call.
    this.#caller = new VenueCaller({ venue, bases, headers, http, budget, clock, circuit: undefined });
  }

  /** Never rejects: what went wrong is the failure, and stands in the record. */
  async send(record: CallRecord, request: VenueRequest, terms: Terms): Promise<Outcome<Answer>> {
    record.asked++;
    let attempt = await this.#attempt(record, request, terms);
    if (isWorthAnother(attempt) && !this.#options.signal.aborted)
      attempt = await this.#attempt(record, request, terms);
    const { outcome, exchange } = attempt;
    if (outcome.ok) record.answered++;
    else if (outcome.failure.kind !== 'aborted') {
      const { reason, status } = outcome.failure;
      record.failures.add(exchange === undefined ? reason : describeFailure(exchange.outcome));
      record.sample = exchange && sampleOf(request, status, exchange.outcome);
    }
    return outcome;
  }

  async #attempt(record: CallRecord, request: VenueRequest, terms: Terms): Promise<Attempt> {
    const { weight, pool, maxBytes } = terms;
    const exchanges: Exchange[] = [];
    const outcome = await this.#caller.call(request, {
      weight,
      pool,
      maxBytes,
      priority: PRIORITY.bulk,
      signal: this.#options.signal,
      stats: this.#stats,
      observe: (exchange) => {
        exchanges.push(exchange);
        noteDate(record, exchange);
      },
    });
    const exchange = exchanges.at(-1);
    return { outcome: asAnswered(outcome, exchange), exchange };
  }
}

/**
 * An answer that came when it was there. The collector counts a slow answer from its asking, so that no value looks younger
 * than it is; held against the venue's stamps such an age would look like a clock that is ahead.
 */
function asAnswered(outcome: Outcome<Answer>, exchange: Exchange | undefined): Outcome<Answer> {
  if (!outcome.ok || exchange === undefined) return outcome;
  return { ok: true, value: { ...outcome.value, receivedAt: exchange.answeredAt } };
}

function isWorthAnother({ exchange }: Attempt): boolean {
  if (exchange === undefined) return false;
  const { pauseMs = 0, outcome } = exchange;
  return !outcome.result.ok && PASSING.has(outcome.result.failure.kind) && pauseMs <= MAX_PAUSE_MS;
}

function noteDate(record: CallRecord, { outcome: { headers }, askedAt, answeredAt }: Exchange): void {
  const stated = Date.parse(String(headers.date ?? ''));
  if (Number.isNaN(stated)) return;
  // The header is cut to the second.
  const offsetMs = stated + 500 - (askedAt + answeredAt) / 2;
  record.dates.push({ offsetMs, doubtMs: 500 + (answeredAt - askedAt) / 2 });
}

const sampleOf = (
  request: VenueRequest,
  status: number | undefined,
  { errorBody = '' }: HttpOutcome,
): Sample => ({ request, status, text: redactText(errorBody), hasFault: true });

/** A failure for a person: where a redirect leads, and how the body begins. */
function describeFailure({ result, headers, errorBody }: HttpOutcome): string {
  if (result.ok) return '';
  const to = headers.location === undefined ? '' : ` to ${hostOf(headers.location)}`;
  const said = errorBody === undefined ? '' : `: ${redactText(errorBody.replace(/\s+/g, ' ')).slice(0, 120)}`;
  return `${result.failure.reason}${to}${said}`;
}

function hostOf(location: string): string {
  return URL.canParse(location) ? new URL(location).host + new URL(location).pathname : location;
}
