import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Failure, fail, ok } from '../../domain/errors.ts';
import type { HttpReply, PaymentInput, Paywall, PaywallReply, Work } from '../../pay/types.ts';
import { gzipBytes, worthGzip } from '../answers/answer.ts';
import type { ResponseCache } from '../answers/response-cache.ts';
import { EncodedResponse, sendEncoded } from '../encoded-response.ts';
import { PAID_CACHING } from '../headers.ts';
import { protectedRoute } from '../protect.ts';
import { clientAddress, type TrustProxy } from '../request/address.ts';
import { acceptsGzip } from '../request/encoding.ts';
import type { Target } from '../request/target.ts';
import { completeHeaders, sendProblem } from './reply.ts';

export const SHUTTING_DOWN: Failure = {
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

/** The paywall of HTTP requests: challenges those without a payment and serves those with one. */
export class PaywallHandler {
  readonly #paywall: Paywall;
  readonly #cache: ResponseCache;
  readonly #trust: TrustProxy;
  /** A challenge is asked for far more often than anything else, and is the same object until its price changes. */
  readonly #challenges = new WeakMap<HttpReply, EncodedResponse>();

  constructor(paywall: Paywall, cache: ResponseCache, trust: TrustProxy) {
    this.#paywall = paywall;
    this.#cache = cache;
    this.#trust = trust;
  }

  /** The 402 of a path: always the same, whatever the query. */
  challenge(target: Target, request: IncomingMessage, response: ServerResponse): void {
    const reply = this.quote(target);
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
    const reply = await this.pay(target, this.#input(target, request));
    const image = await encoded(reply, request);
    sendEncoded(request, response, image, { more: reply.receipts, sent: reply.sent });
  }

  /** All that a payment leads to, however it came; the answer has not been sent. */
  pay(target: Target, input: PaymentInput): Promise<PaywallReply> {
    return this.#paywall.pay(protectedRoute(target.route), input, this.#work(target));
  }

  /** The challenge of a path as it stands, for callers that do not come over HTTP. */
  quote({ route, path }: Target): HttpReply {
    return this.#paywall.challenge(protectedRoute(route), undefined, path);
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

  #work(target: Target): Work {
    return {
      check: () => {
        const plan = this.#cache.plan(target);
        return plan.ok ? undefined : plan.error;
      },
      produce: async () => {
        const answer = await this.#cache.answer(target);
        return answer.ok ? ok(answer.value.sold) : fail(answer.error);
      },
    };
  }
}

/** The bytes of a reply in the form the client takes. */
async function encoded(reply: HttpReply, request: IncomingMessage): Promise<EncodedResponse> {
  const isGzip =
    reply.status === 200 && worthGzip(reply.body) && acceptsGzip(text(request.headers['accept-encoding']));
  const body = isGzip ? await (reply.gzip?.() ?? gzipBytes(reply.body)) : reply.body;
  const headers = isGzip ? { ...reply.headers, 'Content-Encoding': 'gzip' } : reply.headers;
  return new EncodedResponse(
    reply.status,
    completeHeaders({ status: reply.status, headers, body }, PAID_CACHING),
    body,
  );
}
