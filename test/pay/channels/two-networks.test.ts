import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toClientEvmSigner } from '@x402/evm';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createPublicClient, http } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/domain/clock.ts';
import { isWire, wireArray } from '../../../src/domain/read.ts';
import { selfFacilitator } from '../../../src/modules/self-settle/open-self.ts';
import { readTerms } from '../../../src/modules/self-settle/terms.ts';
import { uintWord } from '../../../src/pay/abi.ts';
import type { SandboxConfig } from '../../../src/pay/config.ts';
import { Ledger } from '../../../src/pay/ledger.ts';
import { createMulticall } from '../../../src/pay/multicall.ts';
import { type SandboxChain, startSandboxChain } from '../../../src/pay/sandbox/chain.ts';
import type { Scheme } from '../../../src/pay/scheme.ts';
import { createReadChannels, oneOf } from '../../../src/pay/schemes/batch-settlement/chain.ts';
import { Channels } from '../../../src/pay/schemes/batch-settlement/channels.ts';
import { configWords, createChannelDigests } from '../../../src/pay/schemes/batch-settlement/digests.ts';
import { openChannels } from '../../../src/pay/schemes/batch-settlement/open.ts';
import { placeChannelContracts } from '../../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import { fakeFacilitator } from '../fakes.ts';
import { createMemoryStore } from '../ledger-memory.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
import { paidRoutes } from '../routes.ts';
import { sandboxConfig } from '../sandbox-config.ts';
import { newAccount } from '../wallet.ts';
import { configOf } from './buyer.ts';
import { sendOn } from './send-on.ts';

const BASE = 'eip155:8453';
const POLYGON = 'eip155:137';
const PRICE = 5_000n;
const PATH = '/v1/perp/basis?ticker=BTC';
const KEY = `0x${'17'.repeat(32)}` as const;
const TERMS = {
  authorizerKey: KEY,
  receiverAuthorizer: privateKeyToAccount(KEY).address,
  withdrawDelay: 900,
  depositCalls: 5,
};
const TUPLE = '(address,address,address,address,address,uint40,bytes32)';

/** A network of the service, with the node that it asks. */
interface Side {
  readonly chain: SandboxChain;
  readonly config: SandboxConfig;
  /** Bodies of requests that its node got. */
  readonly asked: string[];
  /** True: its node answers nothing. */
  isAway: boolean;
  stop(): Promise<void>;
}

/** A node in front of a chain that notes what it is asked. */
async function startSide(network: string): Promise<Side> {
  const chain = await startSandboxChain({ network });
  await placeChannelContracts(chain.rpc);
  const asked: string[] = [];
  const node = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    asked.push(body);
    if (side.isAway) return void response.destroy();
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(chain.rpcUrl, { method: 'POST', headers, body });
    response.writeHead(200, headers).end(await answer.text());
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  const place = { baseUrl: 'http://127.0.0.1', ledgerPath: '', serviceName: 'test' };
  const side: Side = {
    chain,
    config: { ...sandboxConfig(chain, place), rpcUrl, channels: TERMS },
    asked,
    isAway: false,
    stop: async () => {
      node.closeAllConnections();
      await new Promise((resolve) => node.close(resolve));
      await chain.stop();
    },
  };
  return side;
}

let base: Side;
let polygon: Side;
let server: PaidServer;
let schemes: readonly Scheme[];
let channels: Channels;

beforeAll(async () => {
  [base, polygon] = await Promise.all([startSide(BASE), startSide(POLYGON)]);
});
afterAll(() => Promise.all([base.stop(), polygon.stop()]));

const earned = () => Promise.all([base, polygon].map(({ chain }) => chain.balanceOf(chain.payee.address)));
const watchOf = ({ config }: Side) =>
  schemes.find(({ seller }) => seller.network.id === config.seller.network.id)?.watch;

/** The official client asks for a refund by the first entry of the scheme: it is shown those of one network. */
const offeredOn =
  (network: string): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const header = response.headers.get('payment-required');
    if (header === null) return response;
    const challenge = JSON.parse(Buffer.from(header, 'base64').toString()) as {
      accepts: { network: string }[];
    };
    const accepts = challenge.accepts.filter((entry) => entry.network === network);
    const shown = Buffer.from(JSON.stringify({ ...challenge, accepts })).toString('base64');
    return new Response(response.body, { status: response.status, headers: { 'payment-required': shown } });
  };

/** A channel of an account on a network, and the official client that pays by it. */
async function buyerOn(side: Side, account: PrivateKeyAccount = newAccount()) {
  const { chain, config } = side;
  await chain.mint(account.address, 100n * PRICE);
  const reader = createPublicClient({ transport: http(chain.rpcUrl) });
  const client = new BatchSettlementEvmScheme(toClientEvmSigner(account as never, reader as never));
  const fetchPaid = wrapFetchWithPayment(fetch, new x402Client().register(chain.network, client));
  const channel = configOf(account.address, config.seller, TERMS);
  const id = createChannelDigests(chain.chainId).channelId(channel);
  return {
    account,
    id,
    client,
    buy: async (calls: number) => {
      for (let i = 0; i < calls; i++) {
        const response = await fetchPaid(server.url + PATH);
        expect(response.status).toBe(200);
        const said = Buffer.from(response.headers.get('payment-response') ?? '', 'base64').toString();
        expect(JSON.parse(said)).toMatchObject({ success: true, network: chain.network });
      }
    },
    leave: () =>
      sendOn(chain, account.address, `initiateWithdraw(${TUPLE},uint128)`, [
        ...configWords(channel),
        uintWord(PRICE),
      ]),
    onChain: () => oneOf(createReadChannels(createMulticall(chain.rpc), systemClock))(id),
  };
}

describe.each(['sandbox', 'self'] as const)('channels on two networks (mode %s)', (mode) => {
  beforeEach(async () => {
    for (const side of [base, polygon]) side.isAway = false;
    const store = createMemoryStore();
    const ledger = new Ledger({ store, clock: systemClock, owner: 'test' });
    if (store.accounts === undefined) throw new Error('no accounts');
    channels = new Channels(store.accounts, systemClock);
    const ownFacilitator = selfFacilitator(() => readTerms({ GAS_PRICE_CAP_GWEI: '100' }));
    const open = ({ config }: Side) =>
      openChannels({
        config: mode === 'self' ? { ...config, mode } : config,
        ownFacilitator,
        routes: paidRoutes(),
        ledger,
        clock: systemClock,
      });
    const opened = await Promise.all([open(base), open(polygon)]);
    schemes = opened;
    server = await startPaidServer({
      facilitator: fakeFacilitator(),
      payTo: base.config.seller.payTo,
      store,
      schemes,
    });
    return async () => {
      for (const { settlement } of opened) settlement.stop();
      await server.stop();
    };
  });

  it('one buyer with a channel on each: sold, claimed and settled there', async () => {
    const account = newAccount();
    const onBase = await buyerOn(base, account);
    const onPolygon = await buyerOn(polygon, account);
    await onBase.buy(3);
    await onPolygon.buy(2);
    expect(onBase.id).not.toBe(onPolygon.id);
    await onBase.leave();
    await onPolygon.leave();
    const [atFirst = 0n, other = 0n] = await earned();
    await Promise.all([watchOf(base)?.look(), watchOf(polygon)?.look()]);
    expect(await onBase.onChain()).toMatchObject({ balance: '25000', claimed: '15000' });
    expect(await onPolygon.onChain()).toMatchObject({ balance: '25000', claimed: '10000' });
    expect(await earned()).toEqual([atFirst + 3n * PRICE, other + 2n * PRICE]);
  });

  it('a look at one: the node and the money of the other stay untouched', async () => {
    const onBase = await buyerOn(base);
    const onPolygon = await buyerOn(polygon);
    await onBase.buy(2);
    await onPolygon.buy(2);
    await onBase.leave();
    await onPolygon.leave();
    const [atFirst = 0n, other] = await earned();
    base.asked.length = 0;
    polygon.asked.length = 0;
    await watchOf(base)?.look();
    expect(polygon.asked).toEqual([]);
    expect(base.asked.length).toBeGreaterThan(0);
    expect(base.asked.join()).not.toContain(onPolygon.id.slice(2));
    expect(await earned()).toEqual([atFirst + 2n * PRICE, other]);
    expect((await channels.read(onPolygon.id))?.channel.chain.claimed).toBe('0');
    expect(await onPolygon.onChain()).toMatchObject({ claimed: '0' });
  });

  it('the node of one away: the other sells, is claimed and refunds', async () => {
    const onBase = await buyerOn(base);
    const onPolygon = await buyerOn(polygon);
    await onBase.buy(1);
    await onPolygon.buy(2);
    base.isAway = true;
    await onBase.leave();
    await expect(watchOf(base)?.look()).rejects.toThrow();
    await onPolygon.buy(1);
    const said = await onPolygon.client.refund(server.url + PATH, { fetch: offeredOn(POLYGON) });
    expect(said).toMatchObject({ success: true, network: POLYGON, amount: '10000' });
    const [, other = 0n] = await earned();
    await watchOf(polygon)?.look();
    expect(await earned()).toEqual([expect.any(BigInt), other + 3n * PRICE]);
    base.isAway = false;
    await watchOf(base)?.look();
    expect(await onBase.onChain()).toMatchObject({ claimed: '5000' });
  });

  it('a buyer that has lost its count on the second: told it there', async () => {
    const account = newAccount();
    await (await buyerOn(polygon, account)).buy(3);
    const forgetful = await buyerOn(polygon, account);
    await forgetful.buy(2);
    expect((await channels.read(forgetful.id))?.channel.charged).toBe('25000');
  });

  it('a channel of one said to be of the other: refused, nothing charged', async () => {
    const onPolygon = await buyerOn(polygon);
    let sent = '';
    const spy: typeof fetch = async (input, init) => {
      sent = new Request(input, init).headers.get('payment-signature') ?? sent;
      return fetch(input, init);
    };
    await onPolygon.buy(1);
    const pay = wrapFetchWithPayment(spy, new x402Client().register(POLYGON, onPolygon.client));
    expect((await pay(server.url + PATH)).status).toBe(200);
    const payment = JSON.parse(Buffer.from(sent, 'base64').toString());
    const elsewhere = { ...payment, accepted: { ...payment.accepted, network: BASE } };
    const before = (await channels.read(onPolygon.id))?.version;
    base.asked.length = 0;
    const refused = await fetch(server.url + PATH, {
      headers: { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(elsewhere)).toString('base64') },
    });
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({ code: 'invalid_payload' });
    expect(base.asked).toEqual([]);
    expect((await channels.read(onPolygon.id))?.version).toBe(before);
  });
});

it('its 402: exact, then channels on each network', async () => {
  const ledger = new Ledger({ store: createMemoryStore(), clock: systemClock, owner: 'test' });
  const parts = { routes: paidRoutes(), ledger, clock: systemClock };
  const opened = await Promise.all([base, polygon].map(({ config }) => openChannels({ ...parts, config })));
  const { payTo } = base.config.seller;
  const selling = await startPaidServer({ facilitator: fakeFacilitator(), payTo, schemes: opened });
  const header = (await fetch(selling.url + PATH)).headers.get('payment-required') ?? '';
  const challenge: unknown = JSON.parse(Buffer.from(header, 'base64').toString());
  const entries = isWire(challenge) ? (wireArray(challenge.accepts) ?? []) : [];
  expect(entries.filter(isWire).map(({ scheme, network }) => [scheme, network])).toEqual([
    ['exact', BASE],
    ['batch-settlement', BASE],
    ['batch-settlement', POLYGON],
  ]);
  for (const { settlement } of opened) settlement.stop();
  await selling.stop();
});
