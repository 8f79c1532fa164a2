import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '../../src/host/options.ts';
import type { operatorIdentities } from '../../src/modules/operator/identities.ts';
import type { AuditEntry } from '../../src/modules/operator/schemas/records.ts';
import { StoreUnreachable } from '../../src/storage/remote-state.ts';
import { type OperatorServer, startOperatorServer, TOKEN } from './operator-server.ts';
import { runCli } from './run-cli.ts';

type OperatorIdentities = ReturnType<typeof operatorIdentities>;

const MERGE = { request: 'one', reason: 'renamed', action: 'merge', from: 'crypto:OLDC', to: 'crypto:NEWC' };
const AUDIT = 'operator-audit.jsonl';

let operator: OperatorServer;
const opened: OperatorServer[] = [];
async function open(options: Parameters<typeof startOperatorServer>[0]): Promise<OperatorServer> {
  const made = await startOperatorServer(options);
  opened.push(made);
  return made;
}
beforeEach(async () => {
  operator = await open({ allowsActions: true });
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const call = (path: string, init: RequestInit = {}, of = operator) =>
  fetch(`http://127.0.0.1:${of.port}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...init.headers },
  });
const act = (body: unknown, headers: Record<string, string> = {}, of = operator) =>
  call('/operator/identities', { method: 'POST', body: JSON.stringify(body), headers }, of);
const identities = async (q: string): Promise<OperatorIdentities> =>
  (await (await call(`/operator/identities?q=${q}`)).json()) as OperatorIdentities;
const idsOf = (ticker: string): readonly string[] => {
  operator.market.sweep();
  return operator.market.view
    .rows()
    .filter((row) => row.symbol.startsWith(ticker))
    .map((row) => `${row.venue} ${row.canonicalId}`)
    .sort();
};

describe('an action of the operator', () => {
  it('merges at once, is undone at once, and is in the audit log', async () => {
    const merged = (await (await act(MERGE)).json()) as AuditEntry;
    expect(merged).toMatchObject({ action: 'merge', decision: 1, contracts: 2, reason: 'renamed' });
    expect(idsOf('OLDC')).toEqual(['binance crypto:NEWC', 'gate crypto:NEWC']);
    const undone = await act({ request: 'two', reason: 'a mistake', action: 'undo', sequence: 1 });
    expect(undone.status).toBe(200);
    expect(idsOf('OLDC')).toEqual(['binance crypto:OLDC', 'gate crypto:OLDC']);
    const { contracts, decisions } = await identities('oldc');
    expect(contracts.map(({ venue, ticker }) => [venue, ticker])).toEqual([
      ['binance', 'OLDC'],
      ['gate', 'OLDC'],
    ]);
    expect(decisions.map(({ action, from, to }) => [action, from, to])).toEqual([
      ['undo', 'crypto:NEWC', 'crypto:OLDC'],
      ['merge', 'crypto:OLDC', 'crypto:NEWC'],
    ]);
    const { audit } = (await (await call('/operator/log')).json()) as { audit: AuditEntry[] };
    expect(audit.map(({ action }) => action)).toEqual(['undo', 'merge']);
    const written = readFileSync(join(operator.dataDir, AUDIT), 'utf8').trim().split('\n');
    expect(written.map((line) => JSON.parse(line))).toEqual(audit.toReversed());
    expect(statSync(join(operator.dataDir, AUDIT)).mode & 0o077).toBe(0);
  });

  it('splits and pins, and each is undone by its number', async () => {
    const split = {
      action: 'split',
      from: 'crypto:OLDC',
      venues: ['GATE'],
      request: 's',
      reason: 'another',
    };
    expect((await act(split)).status).toBe(200);
    expect(idsOf('OLDC')).toContain('gate crypto:OLDC~2');
    const pin = { action: 'pin', venue: 'binance', symbol: 'OLDCUSDT', to: 'crypto:NEWC' };
    expect((await act({ ...pin, request: 'p', reason: 'renamed' })).status).toBe(200);
    for (const sequence of [1, 2]) {
      await act({ action: 'undo', sequence, request: `u${sequence}`, reason: 'a mistake' });
    }
    expect(idsOf('OLDC')).toEqual(['binance crypto:OLDC', 'gate crypto:OLDC']);
  });

  it('that is sent twice is carried out once, also over a restart', async () => {
    const first = await (await act(MERGE)).json();
    await act({ request: 'two', reason: 'a mistake', action: 'undo', sequence: 1 });
    expect(await (await act(MERGE)).json()).toEqual(first);
    const { dataDir } = operator;
    await opened.splice(0)[0]?.close();
    operator = await open({ allowsActions: true, dataDir });
    expect(await (await act(MERGE)).json()).toEqual(first);
    expect(idsOf('OLDC')).toEqual(['binance crypto:OLDC', 'gate crypto:OLDC']);
  });

  it('that changes nothing is refused with its reason, and noted', async () => {
    const again = await act({ request: 'x', reason: 'y', action: 'undo', sequence: 7 });
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ detail: 'there is no decision 7' });
    expect(readFileSync(join(operator.dataDir, AUDIT), 'utf8')).toContain(
      '"refused":"there is no decision 7"',
    );
  });

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['a form', { 'content-type': 'text/plain' }],
  ])('is refused from %s, with the token', async (_who, headers) => {
    expect((await act(MERGE, headers)).status).toBe(403);
    expect((await identities('')).decisions).toEqual([]);
  });

  it.each<[string, Record<string, string>, number]>([
    ['a program, which names no origin', {}, 200],
    ['this port’s own page', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-origin' }, 200],
    ['a page behind the operator’s own proxy', { host: 'ops.example', origin: 'https://ops.example' }, 200],
    [
      'a page of another name bound to this machine',
      { host: 'evil.example', origin: 'http://evil.example', authorization: '' },
      401,
    ],
    ['another site, at another name', { host: 'evil.example', origin: 'https://ops.example' }, 403],
    ['a page that hides its origin', { origin: 'null' }, 403],
  ])('from %s is judged by token, origin and host', async (_who, headers, status) => {
    const sent = httpRequest({
      port: operator.port,
      path: '/operator/identities',
      method: 'POST',
      headers: {
        host: '127.0.0.1:1',
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        ...headers,
      },
    }).end(JSON.stringify(MERGE));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(status);
    expect((await identities('')).decisions).toHaveLength(status === 200 ? 1 : 0);
  });

  it('is refused without the token, and where actions are off', async () => {
    expect((await act(MERGE, { authorization: 'Bearer guess' })).status).toBe(401);
    const readOnly = await open({ allowsActions: false });
    expect((await act(MERGE, {}, readOnly)).status).toBe(403);
    expect((await call('/operator/identities', {}, readOnly)).status).toBe(200);
  });

  it.each([
    ['nothing', {}],
    ['no reason', { ...MERGE, reason: ' ' }],
    ['no name', { ...MERGE, request: undefined }],
    ['another action', { ...MERGE, action: 'drop' }],
    ['a long text', { ...MERGE, from: 'x'.repeat(501) }],
    ['a list', [MERGE]],
  ])('wants a whole request: %s', async (_what, body) => {
    expect((await act(body)).status).toBe(400);
  });

  it('annotates an incident once, and says where there is none', async () => {
    const note = (body: unknown) =>
      call('/operator/incidents', { method: 'POST', body: JSON.stringify(body) });
    expect((await note({ request: 'n1', incident: 1, note: 'announced' })).status).toBe(200);
    expect((await note({ request: 'n1', incident: 1, note: 'again' })).status).toBe(200);
    expect((await note({ request: 'n2', incident: 9, note: 'what' })).status).toBe(409);
    expect((await note({ request: 'n3', incident: 1, note: ' ' })).status).toBe(400);
    const listed: unknown = await (await call('/operator/incidents')).json();
    const open = [{ id: 1, annotations: [expect.stringMatching(/Z announced$/)] }];
    expect(listed).toMatchObject({ open });
  });

  it('the ledger does not answer: 503 with its reason, payments too', async () => {
    const due = () => Promise.reject(new StoreUnreachable('the ledger', new Error('gone'), false));
    const payments = {
      ledger: { due },
      counters: [],
      health: () => ({}),
      facilitators: () => [],
      nodes: () => [],
      gas: () => [],
    };
    const cut = await open({ allowsActions: true, payments: payments as unknown as Service['payments'] });
    const look = { request: 'l', reason: 'a buyer asks', action: 'look', payer: '0x1', nonce: '0x2' };
    for (const init of [{}, { method: 'POST', body: JSON.stringify(look) }]) {
      const response = await call('/operator/payments', init, cut);
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { title: 'The ledger does not answer' },
      ]);
    }
  });

  it('is not made by any other method or path', async () => {
    for (const [path, method] of [
      ['/operator/log', 'POST'],
      ['/operator/identities', 'DELETE'],
    ] as const) {
      expect((await call(path, { method })).status, path).toBe(405);
    }
  });
});

it('the command line undoes a decision by its number', async () => {
  await act(MERGE);
  const run = await runCli([
    'identity',
    'undo',
    '1',
    '--reason',
    'a mistake',
    '--data-dir',
    operator.dataDir,
  ]);
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout).toContain('gate OLDCUSDT: crypto:NEWC -> crypto:OLDC');
});

it('actions are refused by configuration without a token', async () => {
  const run = await runCli([
    ...['serve', '--port', '0', '--admin-port', '0'],
    ...['--admin-actions', 'on', '--data-dir', operator.dataDir],
  ]);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('ADMIN_TOKEN') });
});
