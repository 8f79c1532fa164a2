import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  ConstantBackoff,
  circuitBreaker,
  ExponentialBackoff,
  halfJitterGenerator,
  handleWhenResult,
  type RetryPolicy,
  retry,
} from 'cockatiel';
import { isWire } from '../domain/read.ts';
import { sleep, type Timer } from '../runtime/timer.ts';
import { failed, type Outcome, TransportFailure } from './transport-failure.ts';

export interface CircuitOptions {
  readonly timer: Timer;
  readonly random: () => number;
  /** Further attempts after a connection fault or a gateway error; default 2. */
  readonly retries?: number;
  /** First retry comes within this time (full jitter), doubling; default 250 ms, at most 2 s. */
  readonly retryDelayMs?: number;
  /** Failures in a row that open the circuit; default 5. */
  readonly openAfter?: number;
  /** First rest of an open circuit before one probe, doubling up to `longestRestMs`; default 2 s. */
  readonly restMs?: number;
  /** Default 30 s. */
  readonly longestRestMs?: number;
}

const MAX_RETRY_MS = 2000;
const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

function failureIn(result: unknown): TransportFailure | undefined {
  const failure = isWire(result) ? result.failure : undefined;
  return failure instanceof TransportFailure ? failure : undefined;
}

/** Worth a second try at once. A timeout is not: the next round of the poll comes as soon. */
function isPassing(failure: TransportFailure | undefined): boolean {
  if (failure === undefined) return false;
  const { kind, status } = failure;
  return kind === 'reset' || kind === 'refused' || (kind === 'status' && GATEWAY_ERRORS.has(status ?? 0));
}

/** Says something of the host, not only of this one call. */
function isHostFault(failure: TransportFailure | undefined): boolean {
  if (failure === undefined) return false;
  const { kind, status = 0 } = failure;
  if (kind === 'status') return status >= 500 || status === 403 || status === 451;
  return kind === 'timeout' || kind === 'reset' || kind === 'refused';
}

/** Retry with full jitter around a circuit breaker, for one venue at one host. */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #retry: RetryPolicy;
  readonly #breaker: CircuitBreakerPolicy;

  constructor(options: CircuitOptions) {
    this.#options = options;
    // The wait before a retry is ours, so that an abort ends it; the policy only counts the attempts.
    this.#retry = retry(
      handleWhenResult((result) => isPassing(failureIn(result))),
      { maxAttempts: options.retries ?? 2, backoff: new ConstantBackoff(0) },
    );
    this.#breaker = circuitBreaker(
      handleWhenResult((result) => isHostFault(failureIn(result))),
      {
        halfOpenAfter: new ExponentialBackoff({
          generator: halfJitterGenerator,
          initialDelay: options.restMs ?? 2000,
          maxDelay: options.longestRestMs ?? 30_000,
        }),
        breaker: new ConsecutiveBreaker(options.openAfter ?? 5),
      },
    );
  }

  get state(): 'closed' | 'open' | 'half_open' {
    if (this.#breaker.state === CircuitState.Closed) return 'closed';
    return this.#breaker.state === CircuitState.HalfOpen ? 'half_open' : 'open';
  }

  /** Runs `attempt` until it gives a payload or a lasting failure. Never rejects unless `attempt` does. */
  async run<T>(attempt: () => Promise<Outcome<T>>, signal: AbortSignal): Promise<Outcome<T>> {
    return this.#retry.execute(async ({ attempt: retries }) => {
      if (retries > 0) await sleep(this.#options.timer, this.#retryDelay(retries), signal);
      if (signal.aborted) return failed('aborted', 'stopped');
      return this.#guarded(attempt, signal);
    }, signal);
  }

  async #guarded<T>(attempt: () => Promise<Outcome<T>>, signal: AbortSignal): Promise<Outcome<T>> {
    try {
      return await this.#breaker.execute(attempt);
    } catch (error) {
      if (signal.aborted) return failed('aborted', 'stopped');
      if (error instanceof BrokenCircuitError)
        return failed('circuit_open', 'the host is resting after failures');
      throw error;
    }
  }

  #retryDelay(retries: number): number {
    const ceiling = Math.min(MAX_RETRY_MS, (this.#options.retryDelayMs ?? 250) * 2 ** (retries - 1));
    return this.#options.random() * ceiling;
  }
}
