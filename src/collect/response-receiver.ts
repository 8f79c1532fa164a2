import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { type Outcome, TransportFailure } from './transport-failure.ts';

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Bodies of refusals are read only to keep the connection; more than this is not worth it. */
const ERROR_BODY_CAP = 64 * 1024;
/** Answers before the answer (1xx) are free to send, and so without an end: nobody needs more of them. */
const MOST_INTERIM = 16;

const REFUSED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'UND_ERR_INVALID_ARG',
]);
const TIMEOUT = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** Names what a socket error means. Only its code is kept: messages can hold addresses. */
function classifySocketError(error: unknown): TransportFailure {
  const holder = error instanceof AggregateError ? error.errors[0] : error;
  const raw: unknown = typeof holder === 'object' && holder !== null && 'code' in holder ? holder.code : '';
  const code = typeof raw === 'string' ? raw : '';
  if (TIMEOUT.has(code)) return new TransportFailure('timeout', `no answer in time (${code})`);
  if (REFUSED.has(code)) return new TransportFailure('refused', `no connection (${code})`);
  if (/CERT|SSL|TLS|SELF_SIGNED/.test(code)) return new TransportFailure('refused', `TLS failed (${code})`);
  return new TransportFailure('reset', code === '' ? 'connection broke' : `connection broke (${code})`);
}

interface ReceiverOptions {
  /** True if the status alone answers the call: a body that is too long or does not end is cut off, and no failure. */
  readonly isHeadEnough?: boolean;
}

/** Receives one response as its bytes, within a cap. Settles exactly once; nothing is read after that. */
export class ResponseReceiver implements Dispatcher.DispatchHandler {
  readonly finished: Promise<Outcome<RawResponse>>;
  /** Bytes of the body received so far. */
  bytes = 0;
  readonly #cap: number;
  #resolve: (outcome: Outcome<RawResponse>) => void = () => {};
  #chunks: Buffer[] = [];
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #interim = 0;
  readonly #isHeadEnough: boolean;

  constructor(cap: number, { isHeadEnough = false }: ReceiverOptions = {}) {
    this.#cap = cap;
    this.#isHeadEnough = isHeadEnough;
    this.finished = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get headers(): IncomingHttpHeaders {
    return this.#headers;
  }

  /** Ends the call from our side. A refusal whose body never ends still shows its status. */
  stop(failure: TransportFailure): void {
    const isAnswer = this.#status >= (this.#isHeadEnough ? 200 : 300);
    if (isAnswer && failure.kind !== 'aborted') this.#settle(this.#response());
    else this.#settle({ ok: false, failure });
    this.#controller?.abort(new Error(failure.kind));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error('settled before it was sent'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) {
      this.#interim += 1;
      if (this.#interim > MOST_INTERIM) this.stop(new TransportFailure('reset', 'too many answers of 1xx'));
      return;
    }
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length']) > this.#limit()) this.#overflow();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.bytes += chunk.length;
    if (this.bytes > this.#limit()) this.#overflow();
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#settle(this.#response());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle({ ok: false, failure: classifySocketError(error) });
  }

  #limit(): number {
    return this.#status >= 300 ? Math.min(ERROR_BODY_CAP, this.#cap) : this.#cap;
  }

  #overflow(): void {
    this.stop(new TransportFailure('too_large', `body over ${this.#cap} bytes`));
  }

  #response(): Outcome<RawResponse> {
    const [only] = this.#chunks;
    const body = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    return { ok: true, value: { status: this.#status, headers: this.#headers, body } };
  }

  #settle(outcome: Outcome<RawResponse>): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#chunks = [];
    this.#resolve(outcome);
  }
}
