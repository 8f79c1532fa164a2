import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostHeaderValidation, originValidation, toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { EncodedResponse, sendEncoded } from '../api/encoded-response.ts';
import { sendProblem } from '../api/http/reply.ts';
import type { Clock } from '../domain/clock.ts';
import { Limiter } from '../pay/limiter.ts';
import type { PaywallReply } from '../pay/types.ts';
import type { Face } from './face.ts';
import { type Exchange, McpServers } from './server.ts';

/** A call with its payment has a few kilobytes. */
const MAX_BODY_BYTES = 64 * 1024;
/** Messages of one client address: so many at once, and then as many a second as the refill allows. */
const BURST = 120;
const REFILL_MS = 33;
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** The same request, to types that know no absent fields. */
type NodeRequest = Parameters<typeof toWebRequest>[0];

export interface EndpointOptions {
  readonly face: Face;
  readonly clock: Clock;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly report: (error: unknown) => void;
}

/**
 * Serves MCP over HTTP, both generations, each request by itself: there are no sessions, and no streams are kept open.
 * Requests for another host or of another site's page are refused (DNS rebinding).
 */
export function createEndpoint({ face, clock, addressOf, report }: EndpointOptions) {
  const servers = new McpServers(face);
  const exchanges = new AsyncLocalStorage<Exchange>();
  const limiter = new Limiter({ clock, burst: BURST, refillMs: REFILL_MS });
  const hosts = [...new Set([new URL(face.baseUrl).hostname, ...LOCAL])];
  const isOurHost = hostHeaderValidation(hosts);
  const isOurOrigin = originValidation(hosts);
  const handler = createMcpHandler(
    () => {
      const exchange = exchanges.getStore();
      if (exchange === undefined) throw new Error('a request outside of its exchange');
      return servers.create(exchange);
    },
    // What it reports are messages that it refuses, which their senders are told.
    { maxSubscriptions: 0, maxRequestBodySize: MAX_BODY_BYTES, onerror: () => undefined },
  );
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOurHost(request, response) || !isOurOrigin(request, response)) return;
    const address = addressOf(request);
    const take = (): number => {
      const seconds = limiter.waitSeconds(address);
      if (seconds === 0) limiter.take(address);
      return seconds;
    };
    const retryAfterSeconds = take();
    if (retryAfterSeconds > 0) {
      const detail = 'Too many messages from this address.';
      sendProblem(response, { code: 'rate_limited', detail, retryAfterSeconds });
      return;
    }
    const sold: PaywallReply[] = [];
    let counted = true;
    const wait = (): number => {
      // The message itself was counted; a batch of calls is as many messages.
      const seconds = counted ? 0 : take();
      counted = false;
      return seconds;
    };
    const exchange: Exchange = { address, wait, sold: (reply) => sold.push(reply) };
    try {
      const asked = await toWebRequest(request as NodeRequest, undefined, {
        maxRequestBodySize: MAX_BODY_BYTES,
      });
      const answer = await exchanges.run(exchange, () => handler.fetch(asked));
      const body = Buffer.from(await answer.arrayBuffer());
      // Node decides on the connection by what the client asked.
      const headers = [...answer.headers].filter(([name]) => name !== 'connection').flat();
      headers.push('Content-Length', String(body.length));
      const image = new EncodedResponse(answer.status, headers, body);
      sendEncoded(request, response, image, sold.length > 0 ? { sent: reportTo(sold) } : {});
    } catch (error) {
      reportTo(sold)(false);
      if (error instanceof Error && error.name === 'RequestBodyTooLargeError') {
        const headers = ['Connection', 'close', 'Content-Length', '0'];
        sendEncoded(request, response, new EncodedResponse(413, headers, Buffer.alloc(0)));
        return;
      }
      if (!request.complete) {
        response.destroy();
        return;
      }
      report(error);
      sendProblem(response, { code: 'internal', detail: 'The message could not be answered.' });
    }
  };
}

/** What was sold in one response has arrived, or is still redeemable, together. */
const reportTo = (sold: readonly PaywallReply[]) => (complete: boolean) => {
  for (const { sent } of sold) sent?.(complete);
};
