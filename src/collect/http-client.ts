import type { IncomingHttpHeaders } from 'node:http';
import { Pool } from 'undici';
import { MINUTE_MS } from '../runtime/duration.ts';
import { MAX_ANSWER_BYTES } from '../venues/answer-bound.ts';
import { decodeBody, parseJson } from './body.ts';
import { type RawResponse, ResponseReceiver } from './response-receiver.ts';
import { failed, type Outcome, TransportFailure } from './transport-failure.ts';

/** One call; `base` is an entry of an adapter's bases, `path` begins with `/`. */
export interface HttpCall {
  readonly base: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string | undefined;
  /** Beside those of every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Time for this call, where it may take longer than others. */
  readonly deadlineMs?: number | undefined;
  /** Largest body of this call, on the wire and decompressed, bytes; never above the client's own. */
  readonly maxBytes?: number | undefined;
  /** Gets the body of an answer of any status, without its content encoding. Must not throw. */
  readonly hear?: ((status: number, body: Buffer) => void) | undefined;
}

/** The result of a call: always the headers that arrived, and the payload or the reason why there is none. */
export interface HttpOutcome {
  readonly result: Outcome<unknown>;
  readonly headers: IncomingHttpHeaders;
  /** Bytes of the body on the wire. */
  readonly bytes: number;
  readonly durationMs: number;
  /** The beginning of a body that was no payload (a refusal, a web page), for a person to read. */
  readonly errorBody?: string;
}

/** Makes a venue's calls. Never rejects: what went wrong is the failure of its outcome. */
export interface Transport {
  send(call: HttpCall, signal: AbortSignal): Promise<HttpOutcome>;
  /** Drops all connections for good. */
  close(): Promise<void>;
}

export interface HttpClientOptions {
  /** Time for the whole call, connection included; default 10 s. */
  readonly deadlineMs?: number;
  /** Largest body, on the wire and decompressed; default 16 MiB. */
  readonly maxBodyBytes?: number;
  readonly userAgent?: string;
}

/** Connections to one origin at most, and the time that one may take to be made. */
const CONNECTIONS = 32;
const CONNECT_MS = 5000;
const KEEP_ALIVE_MS = MINUTE_MS;
const ERROR_BODY_BYTES = 2048;

type Reading = Pick<HttpOutcome, 'result' | 'errorBody'>;

function judgeStatus(response: RawResponse): TransportFailure | undefined {
  const { status } = response;
  if (status >= 200 && status < 300) return undefined;
  const note = status < 400 ? ' (redirects are not followed)' : '';
  const kind = status === 429 || status === 418 ? 'rate_limited' : 'status';
  return new TransportFailure(kind, `HTTP ${status}${note}`, status);
}

async function readPayload(raw: Outcome<RawResponse>, cap: number, hear: HttpCall['hear']): Promise<Reading> {
  if (!raw.ok) return { result: raw };
  const { body, headers, status } = raw.value;
  const refusal = judgeStatus(raw.value);
  const decoded = await decodeBody(body, headers['content-encoding'], cap);
  if (decoded.ok) hear?.(status, decoded.value);
  const parsed = decoded.ok ? parseJson(decoded.value) : decoded;
  const result: Outcome<unknown> = refusal === undefined ? parsed : { ok: false, failure: refusal };
  if (result.ok || !decoded.ok) return { result };
  return { result, errorBody: decoded.value.toString('utf8', 0, ERROR_BODY_BYTES) };
}

interface BaseAddress {
  readonly origin: string;
  readonly prefix: string;
}

/** Keep-alive pools per origin, deadlines, body caps and JSON. Errors are values. */
export class HttpClient implements Transport {
  readonly #deadlineMs: number;
  readonly #cap: number;
  readonly #pools = new Map<string, Pool>();
  readonly #baseAddresses = new Map<string, BaseAddress>();
  readonly #headers: Readonly<Record<string, string>>;
  #closed = false;

  constructor(options: HttpClientOptions = {}) {
    this.#deadlineMs = options.deadlineMs ?? 10_000;
    this.#cap = options.maxBodyBytes ?? MAX_ANSWER_BYTES;
    this.#headers = {
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': options.userAgent ?? 'perpmeter',
    };
  }

  /** Makes one call. Never rejects and never follows a redirect. */
  async send(call: HttpCall, signal: AbortSignal): Promise<HttpOutcome> {
    const startedAt = performance.now();
    const receiver = new ResponseReceiver(this.#capOf(call));
    const reading = await this.#roundTrip(call, receiver, signal);
    const durationMs = performance.now() - startedAt;
    return { ...reading, headers: receiver.headers, bytes: receiver.bytes, durationMs };
  }

  /** Drops all connections for good. */
  async close(): Promise<void> {
    this.#closed = true;
    const open = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(open.map((pool) => pool.destroy()));
  }

  async #roundTrip(call: HttpCall, receiver: ResponseReceiver, signal: AbortSignal): Promise<Reading> {
    const baseAddress = this.#baseAddressOf(call.base);
    if (baseAddress === undefined)
      return { result: failed('refused', 'the base address is not an http(s) URL') };
    if (signal.aborted || this.#closed) return { result: failed('aborted', 'stopped') };
    const abort = (): void => receiver.stop(new TransportFailure('aborted', 'stopped'));
    const { deadlineMs = this.#deadlineMs } = call;
    const late = new TransportFailure('timeout', `no complete answer within ${deadlineMs} ms`);
    const timer = setTimeout(() => receiver.stop(late), deadlineMs);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const { method, body } = call;
      const headers = {
        ...this.#headers,
        ...call.headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const path = baseAddress.prefix + call.path;
      // Our own deadline covers both; these only free the socket of a response nobody waits for any more.
      const spare = { headersTimeout: deadlineMs + 1000, bodyTimeout: deadlineMs + 1000 };
      const request = { method, path, headers, body: body ?? null, ...spare };
      this.#poolOf(baseAddress.origin).dispatch(request, receiver);
      return await readPayload(await receiver.finished, this.#capOf(call), call.hear);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  #capOf({ maxBytes = this.#cap }: HttpCall): number {
    return Math.min(maxBytes, this.#cap);
  }

  #baseAddressOf(base: string): BaseAddress | undefined {
    const known = this.#baseAddresses.get(base);
    if (known !== undefined) return known;
    const url = URL.canParse(base) ? new URL(base) : undefined;
    if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
    const baseAddress = { origin: url.origin, prefix: url.pathname.replace(/\/$/, '') };
    this.#baseAddresses.set(base, baseAddress);
    return baseAddress;
  }

  #poolOf(origin: string): Pool {
    const known = this.#pools.get(origin);
    if (known !== undefined) return known;
    const pool = new Pool(origin, {
      connections: CONNECTIONS,
      connect: { timeout: CONNECT_MS },
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    this.#pools.set(origin, pool);
    return pool;
  }
}
