import type { Reply } from './result.ts';

/** The used part of `fetch`. */
export type Fetch = (
  url: string,
  init: {
    readonly headers: Readonly<Record<string, string>>;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

export interface HttpOptions {
  readonly fetch?: Fetch | undefined;
  /** Sent with every request. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  /** The time that one response may take with its body, ms; default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** The number of repetitions of a request without a payment; default 2. */
  readonly retries?: number | undefined;
  /** A longer Retry-After ends the call instead, ms; default 30,000. */
  readonly longestWaitMs?: number | undefined;
  /** Waits; rejects when the signal is aborted. */
  readonly wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** A response, or why there is none that counts. */
export type Sent =
  | { readonly code: 'replied'; readonly reply: Reply }
  | { readonly code: 'redirected'; readonly reply?: Reply }
  | { readonly code: 'unreachable'; readonly cause: unknown }
  | { readonly code: 'aborted' };

/** The secret of what is read, as its purchase gave it. */
export const SECRET_HEADER = 'perpmeter-secret';

const TIMEOUT_MS = 60_000;
const RETRIES = 2;
const MAX_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 500;

function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Whole seconds that a response asks to wait; undefined where it says none. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** GETs that never follow a redirect: what is asked, and what is paid, goes to one host. */
export class Http {
  readonly #options: HttpOptions;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  /** The response as it begins. */
  open(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const { fetch: ask = fetch, headers: own } = this.#options;
    return ask(url.href, { headers: { ...own?.(), ...headers }, redirect: 'manual', signal });
  }

  /** Asks once, and takes in the whole body. Never rejects. */
  async once(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Sent> {
    const limit = AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_MS);
    try {
      signal?.throwIfAborted();
      const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      const response = await this.open(url, headers, both);
      if (response.type === 'opaqueredirect') return { code: 'redirected' };
      const body = new Uint8Array(await response.arrayBuffer());
      const reply = { status: response.status, headers: response.headers, body };
      const isRedirect = response.status >= 300 && response.status < 400;
      return { code: isRedirect ? 'redirected' : 'replied', reply };
    } catch (cause) {
      return signal?.aborted ? { code: 'aborted' } : { code: 'unreachable', cause };
    }
  }

  /** Asks, and asks again what can pass: 429, 5xx and broken connections. */
  async get(
    url: URL,
    signal: AbortSignal | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Sent> {
    for (let attempt = 1; ; attempt++) {
      const sent = await this.once(url, headers, signal);
      const isOver = attempt > (this.#options.retries ?? RETRIES) || !isRetryable(sent);
      if (isOver || !(await this.pause(attempt, sent, signal))) return sent;
    }
  }

  /**
   * Waits before another attempt: as long as the service asks, else ever longer.
   * @returns false where the service asks for more than the caller wants to wait, or the call was ended
   */
  async pause(attempt: number, sent: Sent, signal: AbortSignal | undefined): Promise<boolean> {
    const { longestWaitMs = MAX_WAIT_MS } = this.#options;
    const asked = askedWait(sent);
    if (asked !== undefined && asked * 1000 > longestWaitMs) return false;
    return this.rest(attempt, sent, signal);
  }

  /** Waits as pause does, and the longest wait where the service asks for more. @returns false where the call was ended */
  async rest(attempt: number, sent: Sent, signal: AbortSignal | undefined): Promise<boolean> {
    const { longestWaitMs = MAX_WAIT_MS } = this.#options;
    const asked = askedWait(sent);
    const ms = asked === undefined ? FIRST_WAIT_MS * 2 ** (attempt - 1) : asked * 1000;
    return this.sleep(Math.min(ms, longestWaitMs), signal);
  }

  /** Waits. @returns false where the call was ended */
  async sleep(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
    const { wait = waitFor } = this.#options;
    try {
      await wait(ms, signal);
      return true;
    } catch {
      return false;
    }
  }
}

const askedWait = (sent: Sent): number | undefined =>
  sent.code === 'replied' ? retryAfterOf(sent.reply.headers) : undefined;

/** True if another try can have another outcome. */
const isRetryable = (sent: Sent): boolean =>
  sent.code === 'unreachable' ||
  (sent.code === 'replied' && (sent.reply.status === 429 || sent.reply.status >= 500));
