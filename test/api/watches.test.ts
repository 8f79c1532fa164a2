import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createClient } from '@perpmeter/client';
import { keySigner } from '@perpmeter/client/key-signer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSignedBy, readJws } from '../../src/modules/receipts/jws.ts';
import { knownKey } from '../../src/modules/receipts/key-document.ts';
import { RECEIPTS } from '../../src/modules/receipts/port.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { WatchDesk } from '../../src/modules/watch/desk.ts';
import { WatchEngine } from '../../src/modules/watch/engine.ts';
import { STATEMENT_TYPE, statementOf } from '../../src/modules/watch/statement.ts';
import { openWatchStore } from '../../src/modules/watch/watch-store.ts';
import { WatchStream } from '../../src/modules/watch/watch-stream.ts';
import type { Ports } from '../../src/products/define-product.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { PROGRAM } from '../cli/run-cli.ts';
import { openSale, type Sale } from '../pay/open-sale.ts';
import { until } from '../until.ts';
import { createExampleApi, type ExampleApi } from './example-api.ts';
import { exampleBooks } from './example-books.ts';
import { exampleRows, rowsAtRate } from './example-market.ts';
import { examplePorts } from './example-ports.ts';
import { getRaw } from './raw-http.ts';

const folder = mkdtempSync(join(tmpdir(), 'watches-'));
const LEVEL = 0.001;
let sale: Sale;
/** Its market and clock are those of the watches. */
let given: ExampleApi;
let example: ExampleApi;
let engine: WatchEngine;
let desk: WatchDesk;
let base: string;
let one: Bought;
let two: Bought;

beforeAll(async () => {
  sale = await openSale();
  const store = openWatchStore(folder);
  given = createExampleApi({ paywall: sale.payments.paywall, payments: sale.info });
  const ports: Ports = {
    market: given.market,
    books: exampleBooks(),
    health: { all: () => [], of: () => undefined },
    clock: given.clock,
    readPort: sale.readPort,
  };
  const stream: { tell?: WatchStream } = {};
  engine = new WatchEngine({
    store,
    ports,
    routes: ROUTES,
    clock: given.clock,
    owner: 'test',
    listener: {
      held: () => {},
      released: () => {},
      forgotten: () => {},
      told: (firing) => stream.tell?.tell(firing),
    },
    statementOf: (record) =>
      sale.readPort(RECEIPTS)?.sign(statementOf(record, given.clock.now()), STATEMENT_TYPE),
    onError: (cause) => {
      throw cause;
    },
  });
  desk = new WatchDesk({ store, engine, clock: given.clock, isCharging: true, delivery: undefined });
  stream.tell = new WatchStream(desk);
  for (const id of ['watch-day', 'watch-month'])
    sale.payments.hearSales(id, (record, answer) => desk.sold(record, answer));
  example = createExampleApi({
    paywall: sale.payments.paywall,
    payments: sale.info,
    market: given.market,
    clock: given.clock,
    readPort: examplePorts({ sale: sale.payments.ports, watches: desk }),
    streams: new Map([['watch', stream.tell]]),
  });
  base = await example.start();
  engine.turn();
});
afterAll(async () => {
  await example.api.close();
  await engine.stop();
  await sale.stop();
  rmSync(folder, { recursive: true, force: true });
});

const buyer = () =>
  createClient({
    baseUrl: base,
    wallet: { signer: keySigner(sale.chain.buyer.privateKey), caps: { perCall: '1', total: '5' } },
  });

async function bought() {
  const client = buyer();
  const answer = await client.watchDay({ kind: 'funding', ticker: 'BTC', venue: 'binance', above: LEVEL });
  if (!answer.ok) throw new Error(answer.problem.detail);
  const { id, secret } = answer.data;
  return { client, id, secret: secret ?? '', answer: answer.data };
}

type Bought = Awaited<ReturnType<typeof bought>>;

/** A tool's answer. */
interface Told {
  readonly data?: { readonly id?: string; readonly secret?: string };
}

describe('a watch that is bought', () => {
  it('twice, of one condition: two watches, each read with its secret alone', async () => {
    one = await bought();
    two = await bought();
    expect(one.id).not.toBe(two.id);
    expect(one.secret).not.toBe(two.secret);
    expect(one.answer.state?.holds).toBe(false);
    expect(desk.find(one.id)?.payer).toBe(sale.chain.buyer.address.toLowerCase());
    const { client, id, secret } = one;
    const read = await client.watch({ id }, { secret });
    expect(read).toMatchObject({ ok: true, data: { id, phase: 'armed', sequence: 0, firings: [] } });
    const asked = { Accept: 'text/event-stream', 'Perpmeter-Secret': two.secret };
    expect((await getRaw(base, `http://:x/v1/watches/${id}`, asked)).status).toBe(404);
    const refused = await client.watch({ id }, { secret: two.secret });
    expect(refused).toMatchObject({ ok: false, problem: { code: 'no_data' } });
    expect(await client.watch({ id })).toMatchObject({ ok: false, problem: { code: 'missing_parameter' } });
  });

  it('a wrong condition: refused, and nothing is charged', async () => {
    const before = await sale.earned();
    const refused = await one.client.watchDay({ kind: 'funding', ticker: 'BTC', venue: 'binance' });
    expect(refused).toMatchObject({ ok: false, problem: { code: 'invalid_parameter', charged: false } });
    expect(await sale.earned()).toBe(before);
  });

  it('its rate rises: the reader gets the event, and all of them by GET', async () => {
    const { client, id, secret } = one;
    const reading = new AbortController();
    const response = await fetch(`${base}/v1/watches/${id}`, {
      headers: { accept: 'text/event-stream', 'perpmeter-secret': secret },
      signal: reading.signal,
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    let heard = '';
    const hear = (async () => {
      for await (const chunk of response.body ?? []) heard += Buffer.from(chunk).toString();
    })().catch(() => {});
    engine.turn();
    given.market.replace(rowsAtRate(0.002));
    // Rows that nobody states anew are looked at once they may be old.
    given.clock.advance(61_000);
    engine.turn();
    await until(() => expect(heard).toContain('event: fired'));
    expect(heard).toContain('id: 1');
    reading.abort();
    await hear;
    const read = await client.watch({ id }, { secret });
    expect(read).toMatchObject({
      ok: true,
      data: {
        phase: 'fired',
        firings: [{ sequence: 1, what: 'fired', condition: { above: LEVEL }, values: { rate_8h: 0.002 } }],
      },
    });
    given.market.replace(exampleRows());
  });

  it('by an agent over perpmeter mcp: tried, bought, told, and read', async () => {
    mkdirSync(join(folder, 'var'));
    const demo = { base_url: base, buyer_private_key: sale.chain.buyer.privateKey };
    writeFileSync(join(folder, 'var/demo.json'), JSON.stringify(demo));
    const agent = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    const args = [PROGRAM, 'mcp', '--url', base, '--max-total-usd', '0.02'];
    await agent.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder }));
    const call = async (product: string, others: object) =>
      (await agent.callTool({ name: 'watch', arguments: { product, ...others } })).structuredContent as Told;
    const condition = { kind: 'funding', ticker: 'BTC', venue: 'binance', above: 0.003, firings: 1 };
    const before = await sale.earned();
    expect(await call('watch-check', condition)).toMatchObject({ data: { state: { holds: false } } });
    const { data } = await call('watch-day', condition);
    expect((await sale.earned()) - before).toBe(20_000n);
    const { id, secret } = data ?? {};
    expect(await call('watch', { id, secret, after: 0 })).toMatchObject({ data: { firings: [] } });
    given.market.replace(rowsAtRate(0.004));
    given.clock.advance(61_000);
    engine.turn();
    const told = await call('watch', { id, secret, after: 0 });
    expect(told).toMatchObject({ data: { firings: [{ what: 'fired', sequence: 1 }, { what: 'ended' }] } });
    expect(await call('watch', { id, secret, after: 2 })).toMatchObject({ data: { firings: [] } });
    expect(await call('watch', { id, secret: one.secret })).toMatchObject({ code: 'no_data' });
    expect(await call('watch-day', condition)).toMatchObject({ code: 'over_budget' });
    await agent.close();
    given.market.replace(exampleRows());
  }, 120_000);

  it('a renewal: the same watch for thirty days more', async () => {
    const { client, id, answer } = one;
    const renewed = await client.watchMonth({ renews: id });
    expect(renewed).toMatchObject({ ok: true, data: { id, secret: null, days: 30 } });
    expect(desk.find(id)?.endsAt).toBe(Date.parse(answer.ends_at) + 30 * DAY_MS);
  });

  it('its end: a statement that the published key has signed', async () => {
    const { client, id, secret } = two;
    given.clock.advance(DAY_MS + 1000);
    for (let turn = 0; turn < 40; turn += 1) engine.turn();
    const read = await client.watch({ id }, { secret });
    const jws = readJws((read.ok && read.data.statement) || '');
    expect(jws?.type).toBe(STATEMENT_TYPE);
    expect(jws?.payload).toMatchObject({ watch_id: id, end_reason: 'time', fired: 1 });
    const keys = sale.readPort(RECEIPTS)?.roots.keyDocument();
    const known = knownKey(keys, jws?.keyId ?? '');
    expect(jws !== undefined && known !== undefined && isSignedBy(jws, known.key)).toBe(true);
    expect((await client.watch({ id: one.id }, { secret: one.secret })).ok).toBe(true);
    expect(desk.find(one.id)?.endedAt).toBeUndefined();
  });
});
