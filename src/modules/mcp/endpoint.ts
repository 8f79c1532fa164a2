import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/node';
import { createMcpHandler, METHOD_NOT_FOUND, type Server } from '@modelcontextprotocol/server';
import { EncodedResponse, sendEncoded } from '../../api/encoded-response.ts';
import { sendProblem } from '../../api/http/reply.ts';
import type { Clock } from '../../domain/clock.ts';
import { isWire } from '../../domain/read.ts';
import { Limiter } from '../../pay/limiter.ts';
import type { PaywallReply } from '../../pay/types.ts';
import type { McpBackend } from './backend.ts';
import { type Received, receive } from './message.ts';
import { ANY_ORIGIN, isPublicHttps, PREFLIGHT } from './origins.ts';
import { type ClientRequest, McpServers } from './server.ts';

/** A call with its payment has a few kilobytes. */
const MAX_BODY_BYTES = 64 * 1024;
/** Messages of one client address: so many at once, and then as many a second as the refill allows. */
const BURST = 120;
const REFILL_MS = 33;
const TOO_MANY = 'Too many messages from this address.';
const TOO_LARGE = new EncodedResponse(413, ['Connection', 'close', 'Content-Length', '0'], Buffer.alloc(0));
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

export interface EndpointOptions {
  readonly backend: McpBackend;
  readonly clock: Clock;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly report: (error: unknown) => void;
  /** Serves a request; the tools of the backend unless others are given. */
  readonly servers?: { readonly create: (clientRequest: ClientRequest) => Server };
}

/**
 * Serves MCP over HTTP, both protocol revisions, each request by itself: there are no sessions, and no streams
 * are kept open. Requests for another host are refused, and those of another site's page where the service is not
 * public over https (DNS rebinding). A page of any site may use a public one, which nothing but a payment is
 * asked of.
 */
export function createEndpoint(options: EndpointOptions) {
  const { backend, clock, addressOf, report, servers = new McpServers(backend) } = options;
  const requests = new AsyncLocalStorage<ClientRequest>();
  const limiter = new Limiter({ clock, burst: BURST, refillMs: REFILL_MS });
  const hosts = [...new Set([new URL(backend.baseUrl).hostname, ...LOCAL])];
  const isOurHost = hostHeaderValidation(hosts);
  const isPublic = isPublicHttps(backend.baseUrl);
  const isOurOrigin = isPublic ? () => true : originValidation(hosts);
  const answerTo = answersOf(servers, requests);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOurHost(request, response) || !isOurOrigin(request, response)) return;
    if (isPublic && request.method === 'OPTIONS') {
      response.writeHead(204, PREFLIGHT.flat()).end();
      return;
    }
    const address = addressOf(request);
    const retryAfterSeconds = take(limiter, address);
    if (retryAfterSeconds > 0) {
      sendProblem(response, { code: 'rate_limited', detail: TOO_MANY, retryAfterSeconds });
      return;
    }
    const sold: PaywallReply[] = [];
    const clientRequest: ClientRequest = {
      address,
      wait: waitFor(limiter, address),
      sold: (reply) => sold.push(reply),
    };
    try {
      const received = await receive(request, MAX_BODY_BYTES);
      const answer = await (received === undefined
        ? TOO_LARGE
        : imageOf(await requests.run(clientRequest, () => answerTo(received)), isPublic));
      sendEncoded(request, response, answer, sold.length > 0 ? { sent: reportTo(sold) } : {});
    } catch (error) {
      reportTo(sold)(false);
      // Its sender is gone: nobody waits for an answer, and nothing failed here.
      if (!request.complete || request.readableAborted) {
        response.destroy();
        return;
      }
      report(error);
      sendProblem(response, { code: 'internal', detail: 'The message could not be answered.' });
    }
  };
}

/** Answers a message by a server of the request in which it is handled. */
function answersOf(
  servers: NonNullable<EndpointOptions['servers']>,
  requests: AsyncLocalStorage<ClientRequest>,
): (received: Received) => Promise<Response> {
  const handler = createMcpHandler(
    () => {
      const clientRequest = requests.getStore();
      if (clientRequest === undefined) throw new Error('a server outside of a request');
      return servers.create(clientRequest);
    },
    // The callback would get refused messages; their senders get the error in the response.
    { maxSubscriptions: 0, maxRequestBodySize: MAX_BODY_BYTES, onerror: () => undefined },
  );
  return async ({ message, request }) => {
    const answer = await handler.fetch(request, { parsedBody: message });
    return isWire(message) && isRefusedListener(message.method, answer) ? notServed(message.id) : answer;
  };
}

/** Counts a message where there is room for it; else the seconds until there is. */
function take(limiter: Limiter, address: string): number {
  const seconds = limiter.waitSeconds(address);
  if (seconds === 0) limiter.take(address);
  return seconds;
}

/** The wait of each call of a message. The message itself was counted; a batch of calls is as many messages. */
function waitFor(limiter: Limiter, address: string): ClientRequest['wait'] {
  let isCounted = true;
  return () => {
    const seconds = isCounted ? 0 : take(limiter, address);
    isCounted = false;
    return seconds;
  };
}

/** The SDK says that there are too many listeners where there are to be none. */
const isRefusedListener = (method: unknown, { status, headers }: Response): boolean =>
  method === 'subscriptions/listen' &&
  status === 200 &&
  headers.get('content-type')?.startsWith('application/json') === true;

function notServed(id: unknown): Response {
  const error = { code: METHOD_NOT_FOUND, message: 'Method not found' };
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error }, { status: 404 });
}

async function imageOf(answer: Response, isPublic: boolean): Promise<EncodedResponse> {
  const body = Buffer.from(await answer.arrayBuffer());
  // Node decides on the connection by what the client asked.
  const headers = [...answer.headers].filter(([name]) => name !== 'connection').flat();
  if (isPublic) headers.push(...ANY_ORIGIN.flat());
  headers.push('Content-Length', String(body.length));
  return new EncodedResponse(answer.status, headers, body);
}

/** All answers sold in one response have arrived, or are still redeemable, together. */
const reportTo = (sold: readonly PaywallReply[]) => (complete: boolean) => {
  for (const { sent } of sold) sent?.(complete);
};
