import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '../../src/domain/canonical-json.ts';
import { asMs } from '../../src/domain/units.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { operatorHandler } from '../../src/modules/watch/operator.ts';
import { statementOf } from '../../src/modules/watch/statement.ts';
import { conditionFrom, marketRig, watchRig } from './watch-rig.ts';

const AT = asMs(Date.UTC(2026, 10, 29, 12));
const FAILURE = { seq: 1, at: AT, reason: 'HTTP 500' };
const VIEW = {
  host: 'hooks.example.com',
  challenge: 'passed',
  delivered: 3,
  failed: 1,
  lastSuccessAt: AT,
  lastFailure: FAILURE,
  nextTryAt: undefined,
  givenUp: [FAILURE],
} as const;
const market = marketRig();
const proofs: string[] = [];
const rig = watchRig(market, { isCharging: false, prove: (id) => proofs.push(id) });
const server = createServer((request, response) => {
  const isAnswered = operatorHandler({
    engine: rig.engine,
    desk: rig.desk,
    deliveries: { view: () => VIEW },
    rules: () => [{ name: 'mine', watchId: 'rule-mine', fault: 'no venue lists it' }],
    ports: market.ports,
    routes: ROUTES,
    report: ({ error }) => rig.faults.push(error),
  })(request, response);
  if (!isAnswered) response.writeHead(404).end('{}');
});
let base: string;

beforeAll(async () => {
  market.list('binance', ['BTC']);
  rig.turn();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await rig.close();
});

const ask = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(base + path);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('watches on the operator’s port', () => {
  it('a purchase costs nothing: the watch is held at once, and listed', async () => {
    const { status, body } = await ask('/v1/watch/day?kind=funding&ticker=BTC&venue=binance&above=0.001');
    expect(status).toBe(200);
    expect(rig.engine.size).toBe(1);
    const listed = await ask('/operator/watches');
    expect(listed.body).toMatchObject({
      holds: true,
      held: 1,
      total: 1,
      rules: [{ name: 'mine', fault: 'no venue lists it' }],
      watches: [{ id: body.id, rule: null, payer: null, phase: 'armed', delivery: null }],
    });
    expect(JSON.stringify(listed.body)).not.toContain(String(body.secret));
  });

  it('more than a page: the rest behind next, found by a text as well', async () => {
    const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.00777 });
    const held = Array.from({ length: 201 }, () => rig.hold(condition));
    const listed: string[] = [];
    for (let after: unknown = ''; after !== null; ) {
      const query = new URLSearchParams({ q: '0.00777', ...(after !== '' && { after: String(after) }) });
      const { body } = await ask(`/operator/watches?${query}`);
      const watches = body.watches as readonly { readonly id: string }[];
      expect([body.total, watches.length <= 200]).toEqual([201, true]);
      listed.push(...watches.map(({ id }) => id));
      after = body.next;
    }
    expect(listed.toSorted()).toEqual(held.toSorted());
    expect(await ask('/operator/watches?after=w0')).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter' },
    });
    for (const id of held) rig.engine.end(id, 'removed');
    // Watches of the tests below are newer, and so on the first page.
    market.pass(1000);
  });

  it('a watch with a webhook: its deliveries, failures and given up firings', async () => {
    const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.001 });
    const id = rig.hold({ ...condition, webhook: 'https://hooks.example.com/secret' });
    const { body } = await ask('/operator/watches');
    const watches = body.watches as readonly Record<string, unknown>[];
    expect(watches.find((watch) => watch.id === id)?.delivery).toMatchObject({
      host: 'hooks.example.com',
      challenge: 'passed',
      last_success_at: '2026-11-29T12:00:00.000Z',
      next_try_at: null,
      given_up: [{ sequence: 1, at: '2026-11-29T12:00:00.000Z', reason: 'HTTP 500' }],
    });
    expect(proofs).toEqual([]);
    rig.engine.end(id, 'removed');
    const ended = JSON.stringify((await ask('/operator/watches')).body);
    expect(ended).toContain('"webhook":"hooks.example.com"');
    expect(ended).not.toContain('example.com/secret');
    const record = rig.desk.find(id);
    if (record !== undefined) rig.desk.delivery(record);
    expect(proofs).toEqual([]);
  });

  it('the statement: the host of the receiver, and the hash of its address', () => {
    const webhook = 'https://hooks.example.com/secret';
    const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.001 });
    const record = rig.desk.find(rig.hold({ ...condition, webhook }));
    const statement = record && statementOf(record, market.now());
    expect(statement?.condition.webhook).toBe('hooks.example.com');
    expect(statement?.webhook_sha256).toBe(sha256(webhook));
    expect(statement?.condition_sha256).toBe(sha256(canonicalJson(statement?.condition)));
  });

  it('a renewal without the secret: more days, and no condition', async () => {
    const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.001 });
    const id = rig.hold({ ...condition, webhook: 'https://hooks.example.com/secret' });
    const { status, body } = await ask(`/v1/watch/day?renews=${id}`);
    expect(status).toBe(200);
    const ends_at = new Date(rig.desk.find(id)?.endsAt ?? 0).toISOString();
    expect(body).toMatchObject({ id, ends_at, secret: null, condition: null, state: null, began_at: null });
  });

  it('the owner reads a watch that goes on: its receiver may be challenged', () => {
    const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.001 });
    const id = rig.hold({ ...condition, webhook: 'https://hooks.example.com/secret' });
    const record = rig.desk.find(id);
    if (record !== undefined) rig.desk.delivery(record);
    expect(proofs).toEqual([id]);
  });

  it('a wrong condition: refused as it is refused to buyers', async () => {
    const { status, body } = await ask('/v1/watch/month?kind=funding&ticker=BTC&venue=binance');
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect((await ask('/v1/funding/current')).status).toBe(404);
  });
});
