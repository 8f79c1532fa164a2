import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, fetch } from 'undici';
import { readText, type Wire } from '../../domain/read.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { CCXT_CALLS, type CcxtCall, type CcxtProfile } from '../../venues/ccxt/profile.ts';
import type { HttpCall, HttpOutcome, Transport } from '../http-client.ts';
import { failed, type Outcome, TransportFailure } from '../transport-failure.ts';
import {
  type CcxtExchange,
  type FetchedResponse,
  linearSymbols,
  profileOf,
  setUpExchange,
} from './exchange.ts';
import { failureOf, isErrorOf } from './failure.ts';
import { readCapped } from './read-capped.ts';

/** Time for one request of a unified call. */
const REQUEST_MS = 15_000;

export interface CcxtTransportOptions {
  /** Address in place of the exchange's own hosts: a simulated venue, a mirror. */
  readonly base?: string | undefined;
  /** Time for a unified call with all its requests and its wait for ccxt's limiter; default 60 s. */
  readonly deadlineMs?: number;
  /** Largest body after decompression; default 32 MiB. */
  readonly maxBodyBytes?: number;
}

/** One unified call under way, and what its requests came to. */
class CallTally {
  readonly controller = new AbortController();
  /** Resolves when the call is ended from our side. */
  readonly ended: Promise<Outcome<unknown>>;
  /** Largest body of its requests, bytes. */
  readonly maxBytes: number;
  bytes = 0;
  status: number | undefined;
  headers: IncomingHttpHeaders = {};

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    const { signal } = this.controller;
    this.ended = new Promise((resolve) => {
      const end = () => resolve({ ok: false, failure: signal.reason });
      signal.addEventListener('abort', end, { once: true });
    });
  }

  end(failure: TransportFailure): void {
    this.controller.abort(failure);
  }
}

const STOPPED = new TransportFailure('aborted', 'stopped');

/** A call for all contracts, and the one that asks for each of them in its place. */
const EACH: Partial<Record<CcxtCall, CcxtCall>> = {
  fetchFundingRates: 'fetchFundingRate',
  fetchTickers: 'fetchTicker',
  fetchOpenInterests: 'fetchOpenInterest',
};

/** A unified call, as a request's path names it. */
interface UnifiedCall {
  readonly name: CcxtCall;
  readonly symbol: string | undefined;
}

/** Errors by which an exchange that was named all contracts says that it takes fewer at a time. */
const TOO_MANY = ['ArgumentsRequired', 'BadRequest'];

/**
 * Makes a venue's calls through one ccxt exchange, inside ccxt's own rate limiter: a request's path names a unified
 * call, its payload is the unified answer. The requests themselves go through our fetch, which has deadlines, body
 * caps and an end.
 */
export class CcxtTransport implements Transport {
  readonly #exchange: CcxtExchange;
  readonly #deadlineMs: number;
  readonly #cap: number;
  readonly #agent = new Agent({ connect: { timeout: 5000 } });
  readonly #tallies = new AsyncLocalStorage<CallTally>();
  /** Calls that the exchange refuses for linear swaps: they are made for each contract from then on. */
  readonly #refused = new Set<CcxtCall>();
  /** Calls that need the contracts named. */
  readonly #wantSymbols = new Set<CcxtCall>();
  readonly #underWay = new Set<CallTally>();
  #closed = false;

  constructor(exchange: CcxtExchange, options: CcxtTransportOptions = {}) {
    this.#exchange = exchange;
    this.#deadlineMs = options.deadlineMs ?? MINUTE_MS;
    this.#cap = options.maxBodyBytes ?? 32 * 1024 * 1024;
    setUpExchange(exchange, {
      base: options.base,
      timeoutMs: REQUEST_MS,
      fetch: (url, init) => this.#fetch(url, init),
    });
  }

  /** The exchange's description of itself, kept up to date with its refusals. */
  get profile(): CcxtProfile {
    return profileOf(this.#exchange, this.#refused);
  }

  async send(call: HttpCall, signal: AbortSignal): Promise<HttpOutcome> {
    const startedAt = performance.now();
    const tally = new CallTally(this.#capOf(call));
    const result = await this.#outcome(call, tally, signal);
    const { headers, bytes } = tally;
    return { result, headers, bytes, durationMs: performance.now() - startedAt };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const tally of this.#underWay) tally.end(STOPPED);
    // Calls that wait in ccxt's limiter are let through to fail at once: its timers would hold the process.
    const unlimited = { tokens: Number.POSITIVE_INFINITY, capacity: Number.POSITIVE_INFINITY };
    Object.assign(this.#exchange.throttler.config, unlimited);
    await this.#agent.destroy();
  }

  /** The markets come with all others of the exchange, spot among them: they have the transport's own bound. */
  #capOf({ path, maxBytes = this.#cap }: HttpCall): number {
    return path === '/loadMarkets' ? this.#cap : Math.min(maxBytes, this.#cap);
  }

  async #outcome(call: HttpCall, tally: CallTally, signal: AbortSignal): Promise<Outcome<unknown>> {
    const unified = readCallPath(call.path);
    if (unified === undefined) return failed('refused', 'the path names no unified call');
    if (signal.aborted || this.#closed) return { ok: false, failure: STOPPED };
    const stop = (): void => tally.end(STOPPED);
    const late = new TransportFailure('timeout', `no complete answer within ${this.#deadlineMs} ms`);
    const timer = setTimeout(() => tally.end(late), this.#deadlineMs);
    signal.addEventListener('abort', stop, { once: true });
    this.#underWay.add(tally);
    const answered = this.#tallies
      .run(tally, () => this.#ask(unified))
      .then(
        (value): Outcome<unknown> => ({ ok: true, value }),
        (error: unknown): Outcome<unknown> => ({ ok: false, failure: failureOf(error, tally.status) }),
      );
    const outcome = await Promise.race([tally.ended, answered]);
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    this.#underWay.delete(tally);
    return outcome;
  }

  #ask({ name, symbol }: UnifiedCall): Promise<unknown> {
    if (name === 'loadMarkets') return this.#loadMarkets();
    if (symbol !== undefined) return this.#exchange[name](symbol);
    return this.#askForAll(name);
  }

  async #loadMarkets(): Promise<unknown> {
    try {
      return await this.#exchange.loadMarkets(true);
    } catch (error) {
      // ccxt would keep the failure and give it to every other call; the markets of the last good load stay.
      Object.assign(this.#exchange, { marketsLoading: undefined });
      throw error;
    }
  }

  async #askForAll(name: CcxtCall): Promise<unknown> {
    const symbols = this.#wantSymbols.has(name) ? linearSymbols(this.#exchange) : undefined;
    try {
      return await this.#exchange[name](symbols);
    } catch (error) {
      if (symbols === undefined && isErrorOf(error, 'ArgumentsRequired')) {
        this.#wantSymbols.add(name);
        return this.#askForAll(name);
      }
      const each = EACH[name];
      const unsuited =
        isErrorOf(error, 'NotSupported') ||
        (symbols !== undefined && TOO_MANY.some((className) => isErrorOf(error, className)));
      if (!unsuited || each === undefined || !this.profile.offers(each)) throw error;
      this.#refused.add(name);
      return {};
    }
  }

  /** One request of ccxt's. Redirects are not followed. */
  async #fetch(url: string, init: Wire): Promise<FetchedResponse> {
    const tally = this.#tallies.getStore();
    const signals = [init.signal, tally?.controller.signal].filter((signal) => signal instanceof AbortSignal);
    if (this.#closed) throw new Error('closed');
    const response = await fetch(url, {
      method: readText(init.method) ?? 'GET',
      headers: init.headers as Record<string, string>,
      body: readText(init.body) ?? null,
      redirect: 'error',
      signal: AbortSignal.any(signals),
      dispatcher: this.#agent,
    });
    if (tally !== undefined) {
      tally.status = response.status;
      tally.headers = Object.fromEntries(response.headers);
    }
    const { body, bytes } = await readCapped(response, tally?.maxBytes ?? this.#cap);
    if (tally !== undefined) tally.bytes += bytes;
    const { status, statusText, headers } = response;
    return { status, statusText, headers: new Headers([...headers]), text: async () => body };
  }
}

/** Reads `/fetchFundingRate?symbol=BTC%2FUSDT%3AUSDT`; undefined for a path that names no unified call. */
function readCallPath(path: string): UnifiedCall | undefined {
  const [name = '', query = ''] = path.slice(1).split('?');
  const call = CCXT_CALLS.find((known) => known === name);
  if (call === undefined) return undefined;
  return { name: call, symbol: new URLSearchParams(query).get('symbol') ?? undefined };
}
