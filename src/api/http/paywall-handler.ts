import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../domain/clock.ts';
import { fail, ok } from '../../domain/errors.ts';
import { SHUTTING_DOWN } from '../../pay/replies.ts';
import type { HttpReply, PaymentInput, Paywall, PaywallReply, Work } from '../../pay/types.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { gzipBytes, worthGzip } from '../answers/answer.ts';
import type { ResponseCache } from '../answers/response-cache.ts';
import { EncodedResponse, sendEncoded } from '../encoded-response.ts';
import { PAID_CACHING } from '../headers.ts';
import type { NoticePages } from '../page/notice-pages.ts';
import { protectedRoute } from '../protect.ts';
import { prefersHtml } from '../request/accept.ts';
import { clientAddress, type TrustProxy } from '../request/address.ts';
import { acceptsGzip } from '../request/encoding.ts';
import type { Target } from '../request/target.ts';
import type { Route } from '../route.ts';
import { completeHeaders, type ReportFault, sendProblem } from './reply.ts';
import type { RequestEnds } from './request-ends.ts';

const text = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header;

/** True if a request carries a payment, in either header. An empty header is none. */
export function hasPayment(request: IncomingMessage): boolean {
  const { headers } = request;
  return Boolean(headers['x-payment']) || Boolean(headers['payment-signature']);
}

interface PaywallHandlerParts {
  readonly paywall: Paywall;
  readonly cache: ResponseCache;
  readonly trust: TrustProxy;
  readonly clock: Clock;
  readonly report: ReportFault;
  readonly ends: RequestEnds;
  /** Pages for browsers; without them everybody gets the challenge alone. */
  readonly pages?: NoticePages;
}

/** The paywall of HTTP requests: challenges those without a payment and serves those with one. */
export class PaywallHandler {
  readonly #paywall: Paywall;
  readonly #cache: ResponseCache;
  readonly #trust: TrustProxy;
  readonly #clock: Clock;
  readonly #report: ReportFault;
  readonly #ends: RequestEnds;
  /** By route: paths with parameters have one each, which is not kept. */
  readonly #challenges = new Map<Route, { readonly second: number; readonly image: EncodedResponse }>();

  readonly #pages: NoticePages | undefined;

  constructor({ paywall, cache, trust, clock, report, ends, pages }: PaywallHandlerParts) {
    this.#paywall = paywall;
    this.#cache = cache;
    this.#trust = trust;
    this.#clock = clock;
    this.#report = report;
    this.#ends = ends;
    this.#pages = pages;
  }

  /** The 402 of a path: always the same, whatever the query; a page for who prefers one, with the same terms. */
  challenge(target: Target, request: IncomingMessage, response: ServerResponse): void {
    const page = this.#pages !== undefined && prefersHtml(request.headers.accept) ? this.#pages : undefined;
    const image = page && imageOf(page.sale(target, this.quote(target)));
    sendEncoded(request, response, image ?? this.#challengeOf(target));
  }

  /**
   * Asked for far more often than anything else: it is worked out once a second. A price that changes within one
   * is asked for up to a second late; the one before is taken for a minute more.
   */
  #challengeOf(target: Target): EncodedResponse {
    const second = Math.floor(this.#clock.now() / SECOND_MS);
    const known = this.#challenges.get(target.route);
    if (known?.second === second) return known.image;
    const reply = this.quote(target);
    const image = imageOf(reply);
    if (target.route.pathParameters.size === 0) this.#challenges.set(target.route, { second, image });
    return image;
  }

  /** Takes a payment, unless the service is about to stop. */
  async take(
    target: Target,
    request: IncomingMessage,
    response: ServerResponse,
    draining: boolean,
  ): Promise<void> {
    if (draining) return sendProblem(response, SHUTTING_DOWN, 'paid');
    const reply = await this.pay(target, this.#input(target, request), () => this.#ends.ofResponse(response));
    const image = await this.#encoded(target, reply, request);
    sendEncoded(request, response, image, { more: reply.receipts, sent: reply.sent });
  }

  /**
   * All that a payment leads to, however it came; the answer has not been sent.
   *
   * @param signal makes the signal that cuts a wait for books
   */
  pay(target: Target, input: PaymentInput, signal: () => AbortSignal): Promise<PaywallReply> {
    return this.#paywall.pay(protectedRoute(target.route), input, this.#work(target, signal));
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

  /** A reply in the form the client takes; what is paid for is sent as it is where it cannot be compressed. */
  async #encoded(target: Target, reply: HttpReply, request: IncomingMessage): Promise<EncodedResponse> {
    const { status, headers, body } = reply;
    const isGzip = status === 200 && worthGzip(body) && acceptsGzip(text(request.headers['accept-encoding']));
    if (!isGzip) return imageOf(reply);
    try {
      const zipped = await (reply.gzip?.() ?? gzipBytes(body));
      return imageOf({ status, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: zipped });
    } catch (error) {
      this.#report({ at: `api ${target.route.id}`, error });
      return imageOf(reply);
    }
  }

  #work(target: Target, signal: () => AbortSignal): Work {
    return {
      check: () => this.#cache.check(target),
      produce: async () => {
        const answer = await this.#cache.answer(target, signal);
        return answer.ok ? ok(answer.value.sold) : fail(answer.error);
      },
    };
  }
}

/** The bytes of a reply as they are. */
function imageOf({ status, headers, body }: HttpReply): EncodedResponse {
  return new EncodedResponse(status, completeHeaders({ status, headers, body }, PAID_CACHING), body);
}
