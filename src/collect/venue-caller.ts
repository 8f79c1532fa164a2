import type { Clock } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { VenueRequest } from '../venues/adapter.ts';
import type { RateBudget } from './budget.ts';
import type { CallStats } from './call-stats.ts';
import { Circuit, type CircuitOptions } from './circuit.ts';
import type { HttpOutcome, Transport } from './http-client.ts';
import { refusedForRate } from './rate-refusal.ts';
import { responseTimestamp } from './read-age.ts';
import { failed, type Outcome, TransportFailure } from './transport-failure.ts';

/** A payload and when it was received: where it took long, when it was asked for. */
export interface Answer {
  readonly payload: unknown;
  readonly receivedAt: UnixMs;
}

/** Terms for sending a request. */
export interface CallTerms {
  readonly pool: string | undefined;
  readonly weight: number;
  readonly priority: number;
  /** The transport's own where absent. */
  readonly deadlineMs?: number | undefined;
  /** Largest answer that is read, decompressed, bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly stats: CallStats;
}

export interface VenueCallerOptions {
  readonly venue: VenueId;
  readonly bases: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly http: Transport;
  readonly budget: RateBudget;
  readonly clock: Clock;
  readonly circuit: CircuitOptions;
}

/** Makes a venue's calls: weight first, then the wire, with retries and one circuit a host. */
export class VenueCaller {
  readonly #options: VenueCallerOptions;
  readonly #circuits = new Map<string, Circuit>();

  constructor(options: VenueCallerOptions) {
    this.#options = options;
  }

  /** Never rejects: what went wrong is the failure. */
  async call(request: VenueRequest, terms: CallTerms): Promise<Outcome<Answer>> {
    const name = request.base ?? 'rest';
    const base = this.#options.bases[name];
    if (base === undefined) return failed('refused', `the venue has no base named ${name}`);
    if (!request.path.startsWith('/')) return failed('refused', 'the path does not begin with a slash');
    const outcome = await this.#circuit(base).run(() => this.#attempt(base, request, terms), terms.signal);
    if (!outcome.ok && outcome.failure.kind === 'circuit_open') terms.stats.failures.circuit_open++;
    return outcome;
  }

  /** Keeps room in the budget for a poll that spends this weight every `everyMs`. */
  reserve(source: string, pool: string | undefined, weight: number, everyMs: number): void {
    const { budget, venue } = this.#options;
    budget.reserve(`${venue} ${source}`, pool, weight, everyMs);
  }

  /** State of the circuit by host. */
  circuits(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#circuits].map(([host, circuit]) => [host, circuit.state]));
  }

  async #attempt(base: string, request: VenueRequest, terms: CallTerms): Promise<Outcome<Answer>> {
    const { budget, venue, http, clock, headers } = this.#options;
    const weight = request.weight ?? terms.weight;
    const { pool, priority, deadlineMs, maxBytes, signal, stats } = terms;
    const permit = await budget.acquire({ pool, weight, priority, owner: venue, signal });
    if (!permit.ok) {
      stats.failures[permit.failure.kind]++;
      return permit;
    }
    stats.requests++;
    stats.weight += weight;
    stats.queueWaitMs += permit.value.waitedMs;
    stats.lastQueueWaitMs = permit.value.waitedMs;
    const askedAt = clock.now();
    try {
      const { method, path, body } = request;
      const call = { base, method, path, body, headers, deadlineMs, maxBytes };
      const outcome = await http.send(call, signal);
      return this.#judge(refusedForRate(outcome, budget.limitSigns), terms, permit.value.grantedAt, askedAt);
    } finally {
      permit.value.done();
    }
  }

  #judge(outcome: HttpOutcome, terms: CallTerms, grantedAt: number, askedAt: UnixMs): Outcome<Answer> {
    const { budget, clock } = this.#options;
    const { stats, pool } = terms;
    stats.bytes += outcome.bytes;
    stats.lastDurationMs = outcome.durationMs;
    budget.observe(outcome.headers);
    if (outcome.result.ok) {
      budget.resetBackoff(pool);
      const now = clock.now();
      // The clock may have been set meanwhile.
      const receivedAt = responseTimestamp(now, Math.min(outcome.durationMs, now - askedAt));
      return { ok: true, value: { payload: outcome.result.value, receivedAt } };
    }
    const { failure } = outcome.result;
    stats.failures[failure.kind]++;
    // A refusal in the body came under a status that says nothing.
    const { status = failure.kind === 'rate_limited' ? 429 : 0 } = failure;
    const asksToWait = outcome.headers['retry-after'] !== undefined && status >= 400;
    if (failure.kind !== 'rate_limited' && !asksToWait) return outcome.result;
    const pauseMs = budget.backOff({ status, headers: outcome.headers }, pool, grantedAt);
    const reason = `${failure.reason}, pausing for ${Math.ceil(pauseMs / 1000)} s`;
    return { ok: false, failure: new TransportFailure('rate_limited', reason, failure.status) };
  }

  #circuit(base: string): Circuit {
    const host = URL.canParse(base) ? new URL(base).host : base;
    const known = this.#circuits.get(host);
    if (known !== undefined) return known;
    const made = new Circuit(this.#options.circuit);
    this.#circuits.set(host, made);
    return made;
  }
}
