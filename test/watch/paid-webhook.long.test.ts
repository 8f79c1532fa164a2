import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Client,
  challengeAnswer,
  createClient,
  dataOf,
  publishedKeys,
  verifyWebhook,
  type WatchCheckAsked,
  type Webhook,
} from '@perpmeter/client';
import { keySigner } from '@perpmeter/client/key-signer';
import { simBases } from '@perpmeter/sim/bases';
import { createWorld } from '@perpmeter/sim/create-world';
import { type SimServer, startSimServer } from '@perpmeter/sim/server';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/host/process/free-port.ts';
import { calendar } from '../../src/modules/calendar/module.ts';
import { isSignedBy, readJws } from '../../src/modules/receipts/jws.ts';
import { knownKey } from '../../src/modules/receipts/key-document.ts';
import { receipts } from '../../src/modules/receipts/module.ts';
import { tables } from '../../src/modules/tables/module.ts';
import { watch } from '../../src/modules/watch/module.ts';
import { watchConditions } from '../../src/modules/watch-conditions/module.ts';
import { webhook } from '../../src/modules/webhook/module.ts';
import { parsePaymentConfig } from '../../src/pay/config.ts';
import { isChainInstalled } from '../../src/pay/sandbox/anvil.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { serve } from '../collect/loopback.ts';
import { startSmall } from '../host/start-small.ts';
import { until } from '../until.ts';

const HOST = '127.0.0.1';
const VENUE = 'hyperliquid';
const CAPS = { perCall: '1', perDay: '5', total: '10' } as const;
/** Rates are that many times what they were, once the condition is to hold. */
const RISE = 20;

let sim: SimServer;
let chain: SandboxChain;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  if (!isChainInstalled()) return;
  sim = await startSimServer({
    world: createWorld(7),
    venues: SIM_VENUES.filter(({ id }) => id === VENUE),
  });
  chain = await startSandboxChain();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await chain?.stop();
  await sim?.close();
});

/** A service that sells on the chain what it collects from the simulated venue. */
async function startSeller(dataDir: string, port: number) {
  const payments = parsePaymentConfig(
    {
      PAYMENTS_MODE: 'sandbox',
      PAY_TO_ADDRESS: chain.payee.address,
      BASE_URL: `http://${HOST}:${port}`,
      RPC_URL: chain.rpcUrl,
      FACILITATOR_PRIVATE_KEY: chain.facilitator.privateKey,
      LEDGER_PATH: join(dataDir, 'ledger'),
    },
    HOST,
  );
  const adapter = adapterOf(VENUE);
  if (!payments.ok || adapter === undefined) throw new Error(JSON.stringify(payments));
  const started = await startSmall({
    dataDir,
    port,
    modules: [calendar, receipts, tables, watch, watchConditions, webhook],
    settings: { dataDir, watchLoopback: 'on' },
    venues: [adapter],
    bases: { [VENUE]: simBases(adapter.bases, sim.url, VENUE) },
    booksPerVenue: 1,
    payments: payments.value,
  });
  if (!started.ok) throw new Error(started.errors.join('\n'));
  let isRunning = true;
  const stop = async (): Promise<void> => {
    if (isRunning) await started.value.stop();
    isRunning = false;
  };
  closing.push(stop);
  return { stop };
}

/** A receiver of webhooks, which believes what the client verifies by the published keys. */
async function startReceiver(baseUrl: string) {
  const keys = publishedKeys(baseUrl);
  const heard: Webhook[] = [];
  const refused: string[] = [];
  const state = { isTaking: true };
  const { url, close } = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const result = await verifyWebhook({ headers: request.headers, body: Buffer.concat(chunks), keys });
    if (!result.ok) {
      refused.push(result.problem.code);
      response.writeHead(400).end();
      return;
    }
    heard.push(result.webhook);
    const answer = challengeAnswer(result.webhook);
    if (answer === undefined && !state.isTaking) response.writeHead(503).end();
    else response.end(answer);
  });
  closing.push(close);
  return { url: `${url}/hook`, heard, refused, state };
}

/** The rate of BTC now, once the service has read it. */
async function rateNow(client: Client, asked: WatchCheckAsked): Promise<number> {
  let rate: unknown;
  await until(async () => {
    const { state } = await dataOf(client.watchCheck({ ...asked, above: 1 }));
    rate = state.values.rate_8h;
    expect(typeof rate).toBe('number');
  });
  return Number(rate);
}

/** The claims of a statement that a published key has signed. */
async function claimsOf(statement: string, baseUrl: string): Promise<unknown> {
  const jws = readJws(statement);
  const document: unknown = await (await fetch(`${baseUrl}/.well-known/did.json`)).json();
  const known = jws && knownKey(document, jws.keyId ?? '');
  if (jws === undefined || known === undefined) throw new Error('not signed by a published key');
  expect(isSignedBy(jws, known.key)).toBe(true);
  return jws.payload;
}

const numbersOf = (heard: readonly Webhook[]): readonly (number | null)[] =>
  heard.filter(({ event }) => event === 'firing').map(({ sequence }) => sequence);

describe.skipIf(!isChainInstalled())('a watch that is paid on a chain, with a webhook', () => {
  it('fires over a restart: verified, acknowledged, stated', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'paid-webhook-'));
    closing.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const port = await freePort(HOST);
    const baseUrl = `http://${HOST}:${port}`;
    const first = await startSeller(dataDir, port);
    const receiver = await startReceiver(baseUrl);
    const client = createClient({
      baseUrl,
      wallet: { signer: keySigner(chain.buyer.privateKey), caps: CAPS },
    });
    const asked = { kind: 'funding', ticker: 'BTC', venue: VENUE } as const;
    const rate = await rateNow(client, asked);
    const level = rate > 0 ? { above: rate * 10 } : { below: rate * 10 };
    const before = await chain.balanceOf(chain.payee.address);
    const bought = await dataOf(client.watchDay({ ...asked, ...level, firings: 1, webhook: receiver.url }));
    expect(await chain.balanceOf(chain.payee.address)).toBe(before + 20_000n);
    expect(bought.state).toMatchObject({ holds: false });
    const { id, secret } = bought;
    const read = () => dataOf(client.watch({ id }, { secret: secret ?? '' }));
    await until(async () =>
      expect((await read()).delivery).toMatchObject({ state: 'ready', acknowledged: 0 }),
    );
    expect(receiver.heard).toMatchObject([{ event: 'challenge', watchId: id, sequence: null }]);

    receiver.state.isTaking = false;
    sim.faults.add({ venue: VENUE, fault: { kind: 'scale', field: 'funding', by: RISE } });
    await until(() => expect(numbersOf(receiver.heard)).toContain(1));
    await first.stop();
    receiver.state.isTaking = true;
    await startSeller(dataDir, port);
    await until(async () => expect((await read()).delivery).toMatchObject({ acknowledged: 2, waiting: 0 }));

    const firings = receiver.heard.filter(({ event }) => event === 'firing');
    expect([...new Set(numbersOf(firings))]).toEqual([1, 2]);
    // A repeated delivery has the same id.
    expect(new Set(firings.map((each) => each.id)).size).toBe(2);
    expect(firings.at(-2)?.data).toMatchObject({ watch_id: id, what: 'fired', condition: { ticker: 'BTC' } });
    expect(firings.at(-1)?.data).toMatchObject({ watch_id: id, what: 'ended', reason: 'all_firings' });
    expect(receiver.refused).toEqual([]);
    const ended = await read();
    expect(ended).toMatchObject({ phase: 'ended', fired: 1, sequence: 2 });
    expect(await claimsOf(ended.statement ?? '', baseUrl)).toMatchObject({
      watch_id: id,
      end_reason: 'all_firings',
      fired: 1,
      sequence: 2,
      condition: { webhook: new URL(receiver.url).host },
    });
  });
});
