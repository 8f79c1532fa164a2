import type { RateBudget } from '../../collect/budget.ts';
import type { HttpOutcome, Transport } from '../../collect/http-client.ts';
import { PRIORITY } from '../../collect/priority.ts';
import { refusedForRate } from '../../collect/rate-refusal.ts';
import { type FailureKind, failed, type Outcome } from '../../collect/transport-failure.ts';
import type { Answer } from '../../collect/venue-caller.ts';
import type { Clock } from '../../domain/clock.ts';
import type { VenueAdapter, VenueRequest } from '../../venues/adapter.ts';
import { redactText } from './redact.ts';
import type { CallRecord, Sample } from './venue-probe.ts';

export interface VenueClientOptions {
  readonly adapter: VenueAdapter;
  readonly bases: Readonly<Record<string, string>>;
  readonly http: Transport;
  readonly budget: RateBudget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Weight and pool of a request, and what its answer may have. */
export interface Terms {
  readonly weight: number;
  readonly pool?: string | undefined;
  /** Largest answer that is read, decompressed, bytes: the collector's own bound of the endpoint. */
  readonly maxBytes: number;
}

interface Attempt {
  readonly outcome: Outcome<Answer>;
  /** The failure for a person. */
  readonly reason: string;
  readonly isWorthAnother: boolean;
  readonly sample?: Sample;
}

const unsent = (outcome: ReturnType<typeof failed>): Attempt => ({
  outcome,
  reason: outcome.failure.reason,
  isWorthAnother: false,
});

/** Failures that a second try tells from a venue that is gone. */
const PASSING: ReadonlySet<FailureKind> = new Set(['reset', 'refused', 'timeout', 'rate_limited']);
/** A second try is not made after a longer pause than this. */
const MAX_PAUSE_MS = 30_000;

/** Sends a venue's requests within its budget, and records the outcome of each. */
export class VenueClient {
  readonly #options: VenueClientOptions;

  constructor(options: VenueClientOptions) {
    this.#options = options;
  }

  /** Never rejects: what went wrong is the failure, and stands in the record. */
  async send(record: CallRecord, request: VenueRequest, terms: Terms): Promise<Outcome<Answer>> {
    record.asked++;
    let attempt = await this.#attempt(record, request, terms);
    if (attempt.isWorthAnother && !this.#options.signal.aborted)
      attempt = await this.#attempt(record, request, terms);
    const { outcome, reason, sample } = attempt;
    if (outcome.ok) record.answered++;
    else if (outcome.failure.kind !== 'aborted') {
      record.failures.add(reason);
      record.sample = sample;
    }
    return outcome;
  }

  async #attempt(record: CallRecord, request: VenueRequest, terms: Terms): Promise<Attempt> {
    const { weight, pool, maxBytes } = terms;
    const { adapter, bases, http, budget, clock, signal } = this.#options;
    const base = bases[request.base ?? 'rest'];
    if (base === undefined) return unsent(failed('refused', `the venue has no base named ${request.base}`));
    const asked = {
      pool,
      weight: request.weight ?? weight,
      priority: PRIORITY.bulk,
      owner: adapter.id,
      signal,
    };
    const permit = await budget.acquire(asked);
    if (!permit.ok) return unsent(permit);
    const sentAt = clock.now();
    const { method, path, body } = request;
    const answer = await http.send({ base, method, path, body, headers: adapter.headers, maxBytes }, signal);
    const outcome = refusedForRate(answer, budget.limitSigns);
    permit.value.done();
    const receivedAt = clock.now();
    budget.observe(outcome.headers);
    this.#noteDate(record, outcome, sentAt, receivedAt);
    const { result, errorBody = '' } = outcome;
    if (result.ok) {
      return {
        outcome: { ok: true, value: { payload: result.value, receivedAt } },
        reason: '',
        isWorthAnother: false,
      };
    }
    const { kind, status } = result.failure;
    const pauseMs = this.#pause(outcome, pool, permit.value.grantedAt);
    const isWorthAnother = PASSING.has(kind) && pauseMs <= MAX_PAUSE_MS;
    return {
      outcome: result,
      reason: describeFailure(outcome),
      isWorthAnother,
      sample: { request, status, text: redactText(errorBody), hasFault: true },
    };
  }

  #pause(outcome: HttpOutcome, pool: string | undefined, grantedAt: number): number {
    if (outcome.result.ok || outcome.result.failure.kind !== 'rate_limited') return 0;
    const { status = 429 } = outcome.result.failure;
    return this.#options.budget.backOff({ status, headers: outcome.headers }, pool, grantedAt);
  }

  #noteDate(record: CallRecord, { headers }: HttpOutcome, sentAt: number, receivedAt: number): void {
    const stated = Date.parse(String(headers.date ?? ''));
    if (Number.isNaN(stated)) return;
    // The header is cut to the second.
    const offsetMs = stated + 500 - (sentAt + receivedAt) / 2;
    record.dates.push({ offsetMs, doubtMs: 500 + (receivedAt - sentAt) / 2 });
  }
}

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
