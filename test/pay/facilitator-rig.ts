import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach } from 'vitest';
import type { FacilitatorAuth } from '../../src/pay/config-facilitators.ts';
import type { Facilitator } from '../../src/pay/facilitator.ts';
import { createRemoteFacilitator } from '../../src/pay/facilitators/remote.ts';
import { type ExactRequest, settlementRequest } from '../../src/pay/schemes/exact/request.ts';
import { paidRoutes, routeOf, sellerAt } from './routes.ts';
import { newAccount, paymentOf, signAuthorization } from './wallet.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export let url: string;
/** The calls to the facilitator. */
export let calls: { path: string; body: unknown; authorization: string | undefined }[];
export let request: ExactRequest;
export const payer = newAccount();
let server: Server;
let answer: Answer;

/** An answer in JSON. */
export const json =
  (status: number, body: unknown): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };

/** Sets the facilitator's answer from now on. */
export function answerWith(next: Answer): void {
  answer = next;
}

function take(incoming: IncomingMessage, response: ServerResponse): void {
  let body = '';
  incoming.on('data', (chunk: Buffer) => {
    body += chunk.toString('utf8');
  });
  incoming.on('end', () => {
    const { authorization } = incoming.headers;
    calls.push({
      path: incoming.url ?? '',
      body: body === '' ? undefined : JSON.parse(body),
      authorization,
    });
    answer(incoming, response, body);
  });
}

/** Closes the facilitator's port. */
export async function close(): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** A facilitator on loopback and a request to it, new for each test of the file that calls it. */
export function useFacilitator(): void {
  beforeEach(async () => {
    calls = [];
    server = createServer(take);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x402`;
    const seller = sellerAt();
    const payment = paymentOf(await signAuthorization(payer, seller, { value: '5000' }));
    const record = { ...payment, resource: '/v1/perp/basis', amount: '5000' };
    request = settlementRequest(seller, routeOf(paidRoutes(), 'perp-basis'), record);
  });
  afterEach(() => close());
}

/** The client of the facilitator that is tested. */
export function remote(auth: FacilitatorAuth = { kind: 'none' }, ms = 2_000): Facilitator {
  const times = { verifyMs: ms, settleMs: ms, breakMs: 60_000 };
  return createRemoteFacilitator({ url, auth, scheme: 'exact', network: 'eip155:8453', times });
}
