import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../domain/clock.ts';
import type { Failure, Result } from '../../domain/errors.ts';
import { OpenTasks } from '../../domain/open-tasks.ts';
import { SHUTTING_DOWN } from '../../pay/replies.ts';
import type { Paywall, PaywallReply } from '../../pay/types.ts';
import type { Answer } from '../answers/answer.ts';
import type { ResponseCache } from '../answers/response-cache.ts';
import type { Call } from '../call.ts';
import { sendEncoded } from '../encoded-response.ts';
import { ALLOWED_METHODS, headerRecord, PREFLIGHT_HEADERS, SECRET_HEADER } from '../headers.ts';
import type { NoticePages } from '../page/notice-pages.ts';
import { renderProblem } from '../problem.ts';
import { acceptsEvents, prefersHtml } from '../request/accept.ts';
import { clientAddress, type TrustProxy } from '../request/address.ts';
import { acceptsGzip } from '../request/encoding.ts';
import type { Target, Targets } from '../request/target.ts';
import type { Route } from '../route.ts';
import type { EventStream, Upgrade } from './event-stream.ts';
import { hasPayment, PaywallHandler } from './paywall-handler.ts';
import { type ReportFault, send, sendProblem } from './reply.ts';
import { RequestEnds } from './request-ends.ts';
import type { RequestTally } from './request-tally.ts';

/** The refusal of a free request. */
export interface FreeRefusal {
  readonly retryAfterSeconds: number;
  /** Fields that say what the limit is. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts a free request of a client; undefined = it is served. */
export type FreeLimiter = (address: string, route: Route) => FreeRefusal | undefined;

export interface DispatcherParts {
  readonly targets: Targets;
  readonly cache: ResponseCache;
  /** Where it charges nothing (payments off), all routes are served as free ones. */
  readonly paywall: Paywall;
  readonly trust: TrustProxy;
  readonly clock: Clock;
  readonly limiter?: FreeLimiter;
  readonly report: ReportFault;
  readonly tally: RequestTally;
  /** By id of the route that it belongs to. */
  readonly streams: ReadonlyMap<string, EventStream>;
  /** Pages for browsers that open what is sold. */
  readonly pages?: NoticePages;
}

const INTERNAL: Failure = {
  code: 'internal',
  detail: 'The request could not be answered. Nothing was charged for it.',
};

/** Answers requests for the paths of the route table, straight from the socket. */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #paywall: PaywallHandler | undefined;
  /** Requests that wait for something: the only ones that a shutdown has to wait for. */
  readonly #open = new OpenTasks();
  readonly #ends = new RequestEnds();
  #draining = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#paywall = parts.paywall.free ? undefined : new PaywallHandler({ ...parts, ends: this.#ends });
  }

  /**
   * Takes the request if its path is in the table; returns false otherwise, so that the next handler may take
   * it. Never throws.
   */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#draining) response.shouldKeepAlive = false;
    const target = this.#parts.targets.find(request.url ?? '');
    if (target === undefined) return false;
    const began = performance.now();
    try {
      const pending = this.#dispatch(target, request, response);
      if (pending === undefined) this.#count(target, response, began);
      else this.#track(target, response, began, pending);
    } catch (error) {
      this.#broken(target, response, error);
      this.#count(target, response, began);
    }
    return true;
  }

  /** Answers a call as a GET of its address is answered: the same checks, payments and counters. Never rejects. */
  async call(call: Call): Promise<PaywallReply> {
    const target = this.#parts.targets.find(call.url)?.withSecret(call.secret);
    if (target === undefined) {
      return renderProblem({ code: 'unknown_route', detail: 'The arguments make no path of this service.' });
    }
    const began = performance.now();
    const answered = this.#ends.duringCall(call.signal, (ends) => this.#answerCall(target, call, () => ends));
    const answering = answered.catch((error) => {
      this.#parts.report({ at: `api ${target.route.id}`, error });
      return renderProblem(INTERNAL);
    });
    this.#open.add(answering, () => undefined);
    const reply = await answering;
    this.#parts.tally.count(target.route.id, reply.status, (performance.now() - began) / 1000);
    return reply;
  }

  async #answerCall(
    target: Target,
    { address, payment }: Call,
    ends: () => AbortSignal,
  ): Promise<PaywallReply> {
    const sale = target.route.access === 'paid' ? this.#paywall : undefined;
    if (sale !== undefined && payment !== undefined) {
      if (this.#draining) return renderProblem(SHUTTING_DOWN);
      const resource = target.resource();
      return sale.pay(target, { method: 'GET', resource, paymentSignature: payment, address }, ends);
    }
    if (sale !== undefined) {
      // Nobody should sign for arguments that are then refused.
      const plan = this.#parts.cache.plan(target);
      return plan.ok ? sale.quote(target) : renderProblem(plan.error);
    }
    const answer = await this.#parts.cache.answer(target, ends);
    if (!answer.ok) return renderProblem(answer.error);
    const { headers, body } = answer.value.identity;
    return { status: 200, headers: headerRecord(headers), body };
  }

  /** Requests that wait for something. */
  get open(): number {
    return this.#open.size;
  }

  /** From now on no payment is taken; resolves when those under way have been answered. */
  async drain(): Promise<void> {
    this.#draining = true;
    this.#ends.stop();
    await this.#open.none();
  }

  /** A promise where the answer still waits for something. */
  #dispatch(
    target: Target,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<unknown> | undefined {
    const { method } = request;
    if (method === 'GET' || method === 'HEAD') {
      const sale = target.route.access === 'paid' ? this.#paywall : undefined;
      const isPage = target.route.hasPage === true && prefersHtml(request.headers.accept);
      return sale === undefined
        ? this.#give(isPage ? target.asPage() : target, request, response)
        : this.#sell(sale, target, request, response);
    }
    if (method === 'OPTIONS') send(response, 204, PREFLIGHT_HEADERS);
    else {
      const detail = `${target.route.path} answers ${ALLOWED_METHODS} only.`;
      const failure: Failure = { code: 'method_not_allowed', detail };
      sendProblem(response, failure, target.route.access, { Allow: ALLOWED_METHODS });
    }
    return undefined;
  }

  /** A paid path: HEAD never buys anything, and without a payment there is nothing but the challenge. */
  #sell(
    sale: PaywallHandler,
    target: Target,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> | undefined {
    if (request.method !== 'HEAD' && hasPayment(request)) {
      return sale.take(target, request, response, this.#draining);
    }
    sale.challenge(target, request, response);
    return undefined;
  }

  #give(asked: Target, request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const target = asked.withSecret(request.headers[SECRET_HEADER.toLowerCase()]?.toString());
    const refusal = this.#limit(target, request);
    if (refusal !== undefined) {
      const { retryAfterSeconds, headers } = refusal;
      const detail = 'Too many free requests from this address.';
      const failure: Failure = { code: 'rate_limited', detail, retryAfterSeconds };
      sendProblem(response, failure, target.route.access, headers);
      return undefined;
    }
    if (this.#streams(target, request, response)) return undefined;
    const answer = this.#parts.cache.answer(target, () => this.#ends.ofResponse(response));
    return answer instanceof Promise
      ? answer.then((made) => this.#deliver(made, target, request, response))
      : this.#deliver(answer, target, request, response);
  }

  /** Begins a stream for a client that asks for one; true where the request is answered. */
  #streams(target: Target, request: IncomingMessage, response: ServerResponse): boolean {
    const { route } = target;
    if (request.method !== 'GET' || !acceptsEvents(request.headers.accept)) return false;
    const stream = this.#parts.streams.get(route.id);
    const asked = target.input();
    if (stream === undefined || !asked.ok) return false;
    const refusal = stream.open(request, response, this.#address(request), asked.value);
    if (refusal !== undefined) sendProblem(response, refusal, route.access);
    return true;
  }

  /** Gives the connection of a request for another protocol to the stream of its path; false where that takes none. Never throws. */
  upgrade(asked: Upgrade): boolean {
    try {
      return this.#switch(asked);
    } catch (error) {
      this.#parts.report({ at: `api ${asked.request.url}`, error });
      asked.socket.destroy();
      return true;
    }
  }

  #switch(asked: Upgrade): boolean {
    const { request } = asked;
    const target = request.method === 'GET' ? this.#parts.targets.find(request.url ?? '') : undefined;
    const input = target?.input();
    if (target === undefined || input?.ok !== true) return false;
    const { route } = target;
    const stream = this.#parts.streams.get(route.id);
    // One beyond the limit is refused where it is answered as any other request.
    if (stream?.upgrade === undefined || this.#limit(target, request) !== undefined) return false;
    const began = performance.now();
    const status = stream.upgrade(asked, this.#address(request), input.value);
    if (status === undefined) return false;
    this.#parts.tally.count(route.id, status, (performance.now() - began) / 1000);
    return true;
  }

  #address({ headers, socket }: IncomingMessage): string {
    return clientAddress(socket.remoteAddress, headers['x-forwarded-for']?.toString(), this.#parts.trust);
  }

  #limit(target: Target, request: IncomingMessage): FreeRefusal | undefined {
    return this.#parts.limiter?.(this.#address(request), target.route);
  }

  /** Sends an answer in the form the client takes; a promise where it still has to be compressed. */
  #deliver(
    made: Result<Answer>,
    target: Target,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> | undefined {
    if (!made.ok) {
      sendProblem(response, made.error, target.route.access);
      return undefined;
    }
    const answer = made.value;
    const { headers } = request;
    if (answer.matches(headers['if-none-match'])) {
      send(response, 304, answer.shared);
      return undefined;
    }
    const form = acceptsGzip(headers['accept-encoding']?.toString()) ? answer.gzip() : answer.identity;
    if (form instanceof Promise) {
      return form.then((image) => sendEncoded(request, response, image));
    }
    sendEncoded(request, response, form);
    return undefined;
  }

  #track(target: Target, response: ServerResponse, began: number, pending: Promise<unknown>): void {
    const counted = pending.then(() => this.#count(target, response, began));
    this.#open.add(counted, (error) => {
      this.#broken(target, response, error);
      this.#count(target, response, began);
    });
  }

  #count({ route }: Target, { statusCode }: ServerResponse, began: number): void {
    this.#parts.tally.count(route.id, statusCode, (performance.now() - began) / 1000);
  }

  #broken(target: Target, response: ServerResponse, error: unknown): void {
    this.#parts.report({ at: `api ${target.route.id}`, error });
    if (response.headersSent) response.destroy();
    else sendProblem(response, INTERNAL, target.route.access);
  }
}
