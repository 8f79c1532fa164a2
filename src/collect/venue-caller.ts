import type { Clock } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { VenueRequest } from '../venues/adapter.ts';
import type { RateBudget } from './budget.ts';
import type { CallStats } from './call-stats.ts';
import { Circuit, type CircuitOptions } from './circuit.ts';
import type { HttpCall, HttpOutcome, Transport } from './http-client.ts';
import { refusedForRate } from './rate-refusal.ts';
import { responseTimestamp } from './read-age.ts';
import { failed, type Outcome } from './transport-failure.ts';
import type { Wire, WireKind } from './wire.ts';

/** A payload and when it was received: where it took long, when it was asked for. */
export interface Answer {
  readonly payload: unknown;
  readonly receivedAt: UnixMs;
}

/** One exchange with a host, a retry of a call included. */
export interface Exchange {
  /** Comes as the transport gave it, but for an answer that says a rate limit was met: that is a failure. */
  readonly outcome: HttpOutcome;
  readonly askedAt: UnixMs;
  readonly answeredAt: UnixMs;
  /** Pause of the budget after a refusal, ms; undefined = none. */
  readonly pauseMs: number | undefined;
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
  /** The kind under which its answers are heard on the wire; default `history`. */
  readonly kind?: WireKind;
  /** Gets every exchange of the call; a call that is not sent has none. */
  readonly observe?: ((exchange: Exchange) => void) | undefined;
}

export interface VenueCallerOptions {
  readonly venue: VenueId;
  readonly bases: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly http: Transport;
  readonly budget: RateBudget;
  readonly clock: Clock;
  /** Undefined = a call is one attempt, and a host that fails is asked again by the next call. */
  readonly circuit: CircuitOptions | undefined;
  /** Hears answers before they are decoded. */
  readonly wire?: Wire | undefined;
}

/** Makes a venue's calls: weight first, then the wire, where wanted with retries and one circuit a host. */
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
    const { circuit } = this.#options;
    const attempt = (): Promise<Outcome<Answer>> => this.#attempt(base, request, terms);
    if (circuit === undefined) return attempt();
    const outcome = await this.#circuit(base, circuit).run(attempt, terms.signal);
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
      const hear = this.#hearing(request, terms);
      const call = { base, method, path, body, headers, deadlineMs, maxBytes, hear };
      const outcome = await http.send(call, signal);
      return this.#judge(refusedForRate(outcome, budget.limitSigns), terms, permit.value.grantedAt, askedAt);
    } finally {
      permit.value.done();
    }
  }

  /** Gives the answer of this call to who hears the wire; undefined where nobody does. */
  #hearing(request: VenueRequest, { kind = 'history' }: CallTerms): HttpCall['hear'] {
    const { wire, venue } = this.#options;
    if (wire?.tap === undefined) return undefined;
    const { base = 'rest', method, path, body } = request;
    const line = { venue, kind, stream: 'http' };
    return (status, payload) => wire.tap?.answer({ line, base, method, path, body, status, payload });
  }

  #judge(outcome: HttpOutcome, terms: CallTerms, grantedAt: number, askedAt: UnixMs): Outcome<Answer> {
    const { budget, clock } = this.#options;
    const { stats, pool, observe } = terms;
    const { result, bytes, durationMs, headers } = outcome;
    stats.bytes += bytes;
    stats.lastDurationMs = durationMs;
    budget.observe(headers);
    const answeredAt = clock.now();
    const pauseMs = this.#pause(outcome, pool, grantedAt);
    observe?.({ outcome, askedAt, answeredAt, pauseMs });
    if (result.ok) {
      // The clock may have been set meanwhile.
      const receivedAt = responseTimestamp(answeredAt, Math.min(durationMs, answeredAt - askedAt));
      return { ok: true, value: { payload: result.value, receivedAt } };
    }
    const { kind, reason, status } = result.failure;
    stats.failures[kind]++;
    if (pauseMs === undefined) return result;
    return failed('rate_limited', `${reason}, pausing for ${Math.ceil(pauseMs / 1000)} s`, status);
  }

  /** The budget's pause after a refusal, ms; undefined where the venue does not ask to wait. */
  #pause({ result, headers }: HttpOutcome, pool: string | undefined, grantedAt: number): number | undefined {
    const { budget } = this.#options;
    if (result.ok) {
      budget.resetBackoff(pool);
      return undefined;
    }
    const isRefusal = result.failure.kind === 'rate_limited';
    // A refusal in the body came under a status that says nothing.
    const { status = isRefusal ? 429 : 0 } = result.failure;
    const asksToWait = headers['retry-after'] !== undefined && status >= 400;
    return isRefusal || asksToWait ? budget.backOff({ status, headers }, pool, grantedAt) : undefined;
  }

  #circuit(base: string, options: CircuitOptions): Circuit {
    const host = URL.canParse(base) ? new URL(base).host : base;
    const known = this.#circuits.get(host);
    if (known !== undefined) return known;
    const made = new Circuit(options);
    this.#circuits.set(host, made);
    return made;
  }
}
