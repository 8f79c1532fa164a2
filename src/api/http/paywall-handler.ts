import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import type { HttpReply, PaymentInput, Paywall, Work } from '../../pay/types.ts';
import { type Answer, gzipBytes, worthGzip } from '../answers/answer.ts';
import type { ResponseCache } from '../answers/response-cache.ts';
import { EncodedResponse, sendEncoded } from '../encoded-response.ts';
import { headerRecord, PAID_CACHING } from '../headers.ts';
import { protectedRoute } from '../protect.ts';
import { clientAddress, type TrustProxy } from '../request/address.ts';
import { acceptsGzip } from '../request/encoding.ts';
import type { Target } from '../request/target.ts';
import { completeHeaders, sendProblem } from './reply.ts';

const SHUTTING_DOWN: Failure = {
  code: 'shutting_down',
  detail: 'The service is restarting. The payment was not looked at and can be presented again.',
  retryAfterSeconds: 5,
};

const text = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header;

/** Whether a request carries a payment, in either header. An empty header is none. */
export function hasPayment(request: IncomingMessage): boolean {
  const { headers } = request;
  return Boolean(headers['x-payment']) || Boolean(headers['payment-signature']);
}

/** The bytes of an answer, and the headers that they were made with. */
interface SoldResponse {
  readonly headers: HttpReply['headers'];
  readonly image: EncodedResponse;
}

/** The paywall of HTTP requests: challenges those without a payment and serves those with one. */
export class PaywallHandler {
  readonly #paywall: Paywall;
  readonly #cache: ResponseCache;
  readonly #trust: TrustProxy;
  readonly #challenges = new WeakMap<HttpReply, EncodedResponse>();
  /** By body: an answer sold to many is encoded once. */
  readonly #encoded = new WeakMap<Buffer, SoldResponse>();
  /** The answer behind the bytes that the paywall returns, for its compressed form. */
  readonly #sold = new WeakMap<Buffer, Answer>();
  /** One answer is sold to many: the same object each time, which the ledger stores once. */
  readonly #replies = new WeakMap<Answer, Result<HttpReply>>();

  constructor(paywall: Paywall, cache: ResponseCache, trust: TrustProxy) {
    this.#paywall = paywall;
    this.#cache = cache;
    this.#trust = trust;
  }

  /** The 402 of a path: always the same, whatever the query. */
  challenge({ route, path }: Target, request: IncomingMessage, response: ServerResponse): void {
    const reply = this.#paywall.challenge(protectedRoute(route), undefined, path);
    let image = this.#challenges.get(reply);
    if (image === undefined) {
      image = new EncodedResponse(reply.status, completeHeaders(reply, PAID_CACHING), reply.body);
      this.#challenges.set(reply, image);
    }
    sendEncoded(request, response, image);
  }

  /** Takes a payment, unless the service is about to stop. */
  async take(
    target: Target,
    request: IncomingMessage,
    response: ServerResponse,
    draining: boolean,
  ): Promise<void> {
    if (draining) return sendProblem(response, SHUTTING_DOWN, 'paid');
    const reply = await this.#paywall.pay(
      protectedRoute(target.route),
      this.#input(target, request),
      this.#work(target),
    );
    const encoded = this.#encode(reply, request);
    const image = encoded instanceof Promise ? await encoded : encoded;
    sendEncoded(request, response, image, { more: reply.receipts, sent: reply.sent });
  }

  #input(target: Target, request: IncomingMessage): PaymentInput {
    const { headers, socket } = request;
    return {
      method: 'GET',
      resource: target.resource(),
      xPayment: text(headers['x-payment']),
      paymentSignature: text(headers['payment-signature']),
      idempotencyKey: text(headers['idempotency-key']),
      address: clientAddress(socket.remoteAddress, text(headers['x-forwarded-for']), this.#trust),
    };
  }

  /** Methods, not arrow functions: the loader would name each of those again for every payment. */
  #work(target: Target): Work {
    const handler = this;
    return {
      check() {
        const plan = handler.#cache.plan(target);
        return plan.ok ? undefined : plan.error;
      },
      produce() {
        return handler.#produce(target);
      },
    };
  }

  #produce(target: Target): ReturnType<Work['produce']> {
    const answer = this.#cache.answer(target);
    return answer instanceof Promise ? answer.then((made) => this.#reply(made)) : this.#reply(answer);
  }

  /** The answer as the paywall holds it: uncompressed, so that it can be handed to any client later. */
  #reply(answer: Result<Answer>): Result<HttpReply> {
    if (!answer.ok) return fail(answer.error);
    const known = this.#replies.get(answer.value);
    if (known !== undefined) return known;
    const { headers, body } = answer.value.identity;
    this.#sold.set(body, answer.value);
    const reply = ok({ status: 200, headers: headerRecord(headers), body });
    this.#replies.set(answer.value, reply);
    return reply;
  }

  #encode(reply: HttpReply, request: IncomingMessage): EncodedResponse | Promise<EncodedResponse> {
    const wanted = reply.status === 200 && acceptsGzip(text(request.headers['accept-encoding']));
    return wanted && worthGzip(reply.body)
      ? this.#compressed(reply)
      : this.#encodedResponse(reply, reply.body);
  }

  async #compressed(reply: HttpReply): Promise<EncodedResponse> {
    const body = (await this.#sold.get(reply.body)?.gzip())?.body ?? (await gzipBytes(reply.body));
    return this.#encodedResponse(reply, body, { 'Content-Encoding': 'gzip' });
  }

  #encodedResponse(reply: HttpReply, body: Buffer, encoding: HttpReply['headers'] = {}): EncodedResponse {
    const known = this.#encoded.get(body);
    if (known !== undefined && known.headers === reply.headers) return known.image;
    const whole = { ...reply, body, headers: { ...reply.headers, ...encoding } };
    const image = new EncodedResponse(reply.status, completeHeaders(whole, PAID_CACHING), body);
    this.#encoded.set(body, { headers: reply.headers, image });
    return image;
  }
}
