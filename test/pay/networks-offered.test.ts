import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, startSeller } from '../../scripts/foreign/sellers.ts';
import { isWire, type Wire, wireArray } from '../../src/domain/read.ts';
import { ledgerReconcile } from '../../src/modules/ledger-check/reconcile.ts';
import { checksumAddress } from '../../src/pay/address.ts';
import { NETWORKS } from '../../src/pay/networks.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { sellerAt } from './routes.ts';
import { encodeHeader, newAccount, signAuthorization, v2Payload } from './wallet.ts';

const BASE = 'eip155:8453';
const POLYGON = 'eip155:137';
const PATH = '/v1/funding/current?symbol=BTC';

const folder = mkdtempSync(join(tmpdir(), 'networks-'));
let base: SandboxChain;
let polygon: SandboxChain;
let seller: Running;
const buyer = newAccount();

beforeAll(async () => {
  [base, polygon] = await Promise.all([startSandboxChain(), startSandboxChain({ network: POLYGON })]);
  // One key settles on both.
  await polygon.rpc('anvil_setBalance', [base.facilitator.address, '0xde0b6b3a7640000']);
  for (const chain of [base, polygon]) await chain.mint(buyer.address, 1_000_000n);
  seller = await sellBy('sandbox', folder);
});
afterAll(async () => {
  await seller.stop();
  await Promise.all([base.stop(), polygon.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const sellBy = (mode: string, at: string) =>
  startSeller(base, {
    PAYMENTS_MODE: mode,
    PAYMENT_NETWORK: `${POLYGON},${BASE}`,
    PAY_TO_ADDRESS: `${base.payee.address},${POLYGON}=${polygon.payee.address}`,
    RPC_URL: `${base.rpcUrl},${POLYGON}=${polygon.rpcUrl}`,
    FACILITATOR_PRIVATE_KEY: base.facilitator.privateKey,
    LEDGER_PATH: join(at, 'ledger'),
  });

const payOn = (...networks: `eip155:${number}`[]) =>
  wrapFetchWithPayment(
    fetch,
    networks.reduce(
      (client, network) => client.register(network, new ExactEvmScheme(buyer)),
      new x402Client(),
    ),
  );
const earned = () => Promise.all([base, polygon].map((chain) => chain.balanceOf(chain.payee.address)));
/** Terms of a network. */
function on(id: string): Seller {
  const network = NETWORKS[id];
  if (network === undefined) throw new Error(`no network ${id}`);
  const { asset, assetName, assetVersion } = network;
  return { ...sellerAt(), network, asset, assetName, assetVersion };
}
const payeeOn = ({ network }: Seller) =>
  checksumAddress((network.id === BASE ? base : polygon).payee.address);
const entriesOf = (header: string | null): readonly Wire[] => {
  const read: unknown = JSON.parse(Buffer.from(header ?? '', 'base64').toString());
  return (isWire(read) ? (wireArray(read.accepts) ?? []) : []).filter(isWire);
};

describe('a service that sells on two networks', () => {
  it('its 402: Base first, each with its token and receiver', async () => {
    const response = await fetch(seller.url + PATH);
    const header = response.headers.get('payment-required');
    expect(header?.length).toBeLessThan(3_500);
    const [first, second, ...others] = entriesOf(header);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ scheme: 'exact', network: BASE, asset: NETWORKS[BASE]?.asset });
    expect(first).toHaveProperty('outputSchema');
    expect(second).toMatchObject({
      scheme: 'exact',
      network: POLYGON,
      amount: first?.amount,
      asset: NETWORKS[POLYGON]?.asset,
    });
    expect(String(second?.payTo).toLowerCase()).toBe(polygon.payee.address.toLowerCase());
    // The first generation refuses all entries where it does not know one of them.
    const body = (await response.json()) as { accepts: { network: string }[] };
    expect(body.accepts.map(({ network }) => network)).toEqual(['base']);
  });

  it('the official client that knows the second alone: pays there', async () => {
    const [onBase, onPolygon] = await earned();
    const response = await payOn(POLYGON)(seller.url + PATH);
    expect(response.status).toBe(200);
    expect(await earned()).toEqual([onBase, (onPolygon ?? 0n) + 1_000n]);
    const receipt = Buffer.from(response.headers.get('payment-response') ?? '', 'base64').toString();
    expect(JSON.parse(receipt)).toMatchObject({ success: true, network: POLYGON });
  });

  it('the official client that knows both: pays on the first', async () => {
    const [onBase, onPolygon] = await earned();
    expect((await payOn(BASE, POLYGON)(seller.url + PATH)).status).toBe(200);
    expect(await earned()).toEqual([(onBase ?? 0n) + 1_000n, onPolygon]);
  });

  it.each([
    ['signed for the second, said to be for the first', on(POLYGON), on(BASE)],
    ['signed for the first, said to be for the second', on(BASE), on(POLYGON)],
  ])('a payment %s: refused', async (_, signedFor, saidToBe) => {
    const before = await earned();
    const to = { payTo: payeeOn(saidToBe) };
    const signed = await signAuthorization(buyer, { ...signedFor, ...to }, { value: '1000' });
    const headers = { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload({ ...saidToBe, ...to }, signed)) };
    const response = await fetch(seller.url + PATH, { headers });
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ code: 'wrong_domain' });
    expect(await earned()).toEqual(before);
  });

  it('one nonce on both networks: two payments, and the ledger has both', async () => {
    const before = await earned();
    const nonce = `0x${'5a'.repeat(32)}`;
    for (const terms of [on(BASE), on(POLYGON)]) {
      const to = { ...terms, payTo: payeeOn(terms) };
      const signed = await signAuthorization(buyer, to, { value: '1000', nonce });
      const headers = { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(to, signed)) };
      expect((await fetch(seller.url + PATH, { headers })).status).toBe(200);
      // Presented once more it buys nothing, whether the ledger has heard yet that its answer arrived or not.
      expect([402, 409]).toContain((await fetch(seller.url + PATH, { headers })).status);
    }
    expect(await earned()).toEqual(before.map((atomic) => atomic + 1_000n));
    const compare = (network: string, rpcUrl: string) => {
      const settings = { network, rpcUrl, payTo: undefined, asset: undefined };
      return ledgerReconcile({ dataDir: folder, place: undefined }, settings, { json: true });
    };
    const nodes = `${base.rpcUrl},${POLYGON}=${polygon.rpcUrl}`;
    expect(await compare(`${BASE},${POLYGON}`, nodes)).toBe(0);
    expect(await compare(POLYGON, polygon.rpcUrl)).toBe(0);
    expect(await compare(POLYGON, base.rpcUrl)).toBe(1);
  });

  it('the catalog: both networks of every route', async () => {
    const catalog = (await (await fetch(`${seller.url}/v1/x402/discovery/resources`)).json()) as {
      items: { accepts: { network: string }[] }[];
    };
    for (const { accepts } of catalog.items)
      expect(accepts.map(({ network }) => network)).toEqual([BASE, POLYGON]);
    const words = await (await fetch(`${seller.url}/llms.txt`)).text();
    expect(words).toContain(`or of token ${NETWORKS[POLYGON]?.asset} on ${POLYGON}`);
  });
});

it('settled by the service itself: each on its own chain', async () => {
  for (const chain of [base, polygon]) await chain.rpc('anvil_setNextBlockBaseFeePerGas', ['0x1']);
  const own = await sellBy('self', join(folder, 'self'));
  const before = await earned();
  for (const network of [BASE, POLYGON] as const)
    expect((await payOn(network)(own.url + PATH)).status).toBe(200);
  expect(await earned()).toEqual(before.map((atomic) => atomic + 1_000n));
  await own.stop();
});
