import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Facilitator } from '../../src/pay/facilitator.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { createRpcVerifier } from '../../src/pay/schemes/exact/proof.ts';
import { createSandboxFacilitator } from '../../src/pay/schemes/exact/sandbox-facilitator.ts';
import { type PaidServer, startPaidServer } from './paid-server.ts';
import { encodeHeader, type SignedAuthorization, signAuthorization, v2Payload } from './wallet.ts';

export const BASIS = '/v1/perp/basis?ticker=BTC';
const PRICE = '5000';

export let chain: SandboxChain;
export let paidServer: PaidServer;
export let buyer: PrivateKeyAccount;
/** The number of requests for settlement. */
export let settleCalls = 0;
let settling: (() => Promise<void>) | undefined;

/** Has this run between verify and settle. */
export function beforeSettle(run: () => Promise<void>): void {
  settling = run;
}

/** The facilitator of the chain. Counts settlements. */
async function countingFacilitator(): Promise<Facilitator> {
  const real = await createSandboxFacilitator({
    rpcUrl: chain.rpcUrl,
    privateKey: chain.facilitator.privateKey,
    network: chain.network,
  });
  return {
    name: real.name,
    verify: real.verify,
    probe: real.probe,
    get ok() {
      return real.ok;
    },
    async settle(request) {
      settleCalls++;
      await settling?.();
      return real.settle(request);
    },
  };
}

/** A chain, a seller and a buyer for the tests of the file that calls it. */
export function useChain(): void {
  beforeAll(async () => {
    chain = await startSandboxChain();
    const facilitator = await countingFacilitator();
    const proof = createRpcVerifier(chain.rpc);
    paidServer = await startPaidServer({ facilitator, payTo: chain.payee.address, proof });
    buyer = privateKeyToAccount(chain.buyer.privateKey);
  });
  afterAll(async () => {
    await paidServer.stop();
    await chain.stop();
  });
  beforeEach(() => {
    settling = undefined;
    settleCalls = 0;
    paidServer.check = undefined;
    paidServer.produce = undefined;
    paidServer.cutPaid = false;
  });
}

type Headers = Record<string, string>;
export const get = (headers: Headers, path = BASIS): Promise<Response> =>
  fetch(paidServer.url + path, { headers });
export const pay = (signed: SignedAuthorization, more: Headers = {}, path = BASIS): Promise<Response> =>
  get({ 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(paidServer.seller, signed)), ...more }, path);
export const sign = (
  change: Parameters<typeof signAuthorization>[2] = {},
  account = buyer,
): Promise<SignedAuthorization> => signAuthorization(account, paidServer.seller, { value: PRICE, ...change });
export const earned = (): Promise<bigint> => chain.balanceOf(chain.payee.address);

/** The settlement in a header of an answer. */
export function receipt(response: Response, name = 'payment-response'): unknown {
  return JSON.parse(Buffer.from(response.headers.get(name) ?? '', 'base64').toString('utf8'));
}

/** Runs an attempt that must not move money. */
export async function unpaid(
  attempt: () => Promise<Response>,
): Promise<{ status: number; body: Record<string, unknown>; response: Response }> {
  const before = await earned();
  const response = await attempt();
  const body = (await response.json()) as Record<string, unknown>;
  expect(body).not.toHaveProperty('product');
  expect(await earned()).toBe(before);
  return { status: response.status, body, response };
}
