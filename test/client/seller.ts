import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClientOptions, createClient, type Signer, type WalletOptions } from '@perpmeter/client';

export const PATH = '/v1/perp/basis';
export const ANSWER = { ticker: 'BTC' };

/** Terms of a 402, or of the catalog. */
export const terms = (change: object = {}) => ({
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '5000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: `0x${'b'.repeat(40)}`,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
  ...change,
});

/** A request that carried a payment. */
export interface Presented {
  readonly payment: string;
  readonly key: string | undefined;
}

type Reply = (request: IncomingMessage, response: ServerResponse) => unknown;

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
export const problem = (status: number, code: string, retryAfter?: string): Reply =>
  json(status, { code, detail: code }, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
const receipt = Buffer.from(JSON.stringify({ success: true, transaction: '0x1', network: 'eip155:8453' }));
export const sold = json(200, ANSWER, { 'payment-response': receipt.toString('base64') });
export const broken: Reply = (request) => request.socket.destroy();
export const challenge = (change: object = {}, error = 'payment_required'): Reply => {
  const header = { x402Version: 2, resource: { url: 'x' }, accepts: [terms(change)] };
  return json(402, { error }, { 'payment-required': Buffer.from(JSON.stringify(header)).toString('base64') });
};

/** A seller who says to each request what the test has it say; the last answer to a payment is repeated. */
export interface Seller {
  readonly url: string;
  unpaid: Reply;
  paid: Reply[];
  listed: object;
  readonly presented: Presented[];
  stop(): Promise<void>;
}

export async function startSeller(): Promise<Seller> {
  const presented: Presented[] = [];
  const server = createServer((request, response) => {
    const payment = request.headers['payment-signature']?.toString();
    if (request.url?.startsWith('/v1/x402/')) {
      json(200, { items: [{ resource: `https://seller.example${PATH}`, accepts: [seller.listed] }] })(
        request,
        response,
      );
    } else if (payment === undefined) seller.unpaid(request, response);
    else {
      presented.push({ payment, key: request.headers['idempotency-key']?.toString() });
      const reply = seller.paid.length > 1 ? seller.paid.shift() : seller.paid[0];
      reply?.(request, response);
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const seller: Seller = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    unpaid: challenge(),
    paid: [sold],
    listed: terms(),
    presented,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return seller;
}

/** A client whose signatures are worth nothing, and which waits for nothing; what it signed and how long it would have waited. */
export function careful(url: string, wallet: Partial<WalletOptions> = {}, more: Partial<ClientOptions> = {}) {
  const signed: Readonly<Record<string, unknown>>[] = [];
  const waits: number[] = [];
  const signer: Signer = {
    address: `0x${'a'.repeat(40)}`,
    signTypedData: async ({ message }) => {
      signed.push(message);
      return `0x${'1'.repeat(130)}`;
    },
  };
  const client = createClient({
    baseUrl: url,
    wait: async (ms) => {
      waits.push(ms);
    },
    wallet: { signer, caps: { perCall: '0.01', total: '0.02' }, ...wallet },
    ...more,
  });
  return { client, signed, waits };
}
