import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Collector } from '../../src/collect/collector.ts';
import type { GivenSettings } from '../../src/host/command.ts';
import { allSpecs } from '../../src/host/settings/all-settings.ts';
import { configurationOf } from '../../src/host/settings/configuration.ts';
import { readSettings } from '../../src/host/settings/settings.ts';
import { MODULES } from '../../src/modules/list.ts';
import type { AuditEntry } from '../../src/modules/operator/schemas/records.ts';
import type { OperatorSettings } from '../../src/modules/operator/schemas/settings.ts';
import type { OperatorVenues } from '../../src/modules/operator/schemas/venues.ts';
import { RecordingSink, tinyVenue } from '../collect/tiny-venue.ts';
import { type OperatorServer, startOperatorServer, TOKEN } from './operator-server.ts';
import { scratchFolder } from './run-cli.ts';

let operator: OperatorServer;
let collector: Collector;
const secretFile = join(scratchFolder(), 'rpc');

function configuration() {
  writeFileSync(secretFile, 'https://rpc.example/key');
  const specs = allSpecs(MODULES);
  const env = { PERPMETER_LOG_LEVEL: 'info', RPC_URL_FILE: secretFile, FACILITATOR_TOKEN: 'sesame' };
  const read = readSettings(specs, { port: '9000', venues: 'okx,gate' }, env);
  if (!read.ok) throw new Error(read.errors.join('; '));
  return configurationOf(specs, {
    settings: read.settings as GivenSettings['settings'],
    sources: read.sources,
  });
}

beforeAll(async () => {
  const venues = [tinyVenue('v', 'http://127.0.0.1:9'), tinyVenue('w', 'http://127.0.0.1:9')];
  collector = new Collector({ venues, sink: new RecordingSink() });
  operator = await startOperatorServer({ allowsActions: true, collector, configuration: configuration() });
});
afterAll(async () => {
  await operator?.close();
  await collector?.stop();
});

const call = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${operator.port}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
  });
const read = async <Body>(path: string): Promise<Body> => (await (await call(path)).json()) as Body;
const act = (path: string, request: string, body: object) =>
  call(path, { method: 'POST', body: JSON.stringify({ request, reason: 'a test', ...body }) });
const statusOf = async (path: string, request: string, body: object): Promise<number> =>
  (await act(path, request, body)).status;

it('a venue: paused and resumed once each, in the audit log', async () => {
  const path = '/operator/venues';
  const pausedOf = async () =>
    (await read<OperatorVenues>(path)).venues.filter(({ paused }) => paused).map(({ venue }) => venue);
  expect(await statusOf(path, 'p1', { action: 'pause', venue: 'V' })).toBe(200);
  expect(await pausedOf()).toEqual(['v']);
  expect(await statusOf(path, 'p1', { action: 'pause', venue: 'V' })).toBe(200);
  const again = await act(path, 'p2', { action: 'pause', venue: 'v' });
  expect([again.status, await again.json()]).toMatchObject([
    409,
    { detail: 'v is not collected by this process' },
  ]);
  expect(await statusOf(path, 'p3', { action: 'resume', venue: 'v' })).toBe(200);
  expect(await pausedOf()).toEqual([]);
  expect(await statusOf(path, 'p4', { action: 'resume', venue: 'w' })).toBe(409);
  expect(await statusOf(path, 'p5', { action: 'drop', venue: 'w' })).toBe(400);
  expect(await statusOf(path, 'p6', { action: 'pause' })).toBe(400);
  const { audit } = await read<{ audit: AuditEntry[] }>('/operator/log');
  expect(audit.map(({ action, detail, reason }) => [action, detail, reason])).toEqual([
    ['resume', 'w', 'a test'],
    ['resume', 'v', 'a test'],
    ['pause', 'v', 'a test'],
    ['pause', 'v', 'a test'],
  ]);
  expect(audit[1]?.by).toMatch(/^a program at .*127\.0\.0\.1$/);
});

it('what fails and what to do: said for a venue without data', async () => {
  const { venues } = await read<OperatorVenues>('/operator/venues');
  expect(venues.map(({ venue, status }) => [venue, status])).toEqual([
    ['v', 'down'],
    ['w', 'down'],
  ]);
  expect(venues[1]?.to_do).toContain('perpmeter doctor');
});

it('the configuration: the place of each value, secrets masked', async () => {
  const { configuration: rows } = await read<OperatorSettings>('/operator/settings');
  const of = (name: string) => rows.find((row) => row.name === name);
  expect(of('port')).toMatchObject({ value: '9000', source: 'flag', from: '--port' });
  expect(of('venues')).toMatchObject({ value: 'okx,gate', source: 'flag' });
  expect(of('logLevel')).toMatchObject({ value: 'info', source: 'environment', from: 'PERPMETER_LOG_LEVEL' });
  expect(of('rpcUrl')).toMatchObject({ value: '***', source: 'file', from: secretFile });
  expect(of('facilitatorToken')).toMatchObject({
    value: '***',
    source: 'environment',
    from: 'FACILITATOR_TOKEN',
  });
  expect(of('history')).toMatchObject({ value: 'on', source: 'default', from: null });
  expect(of('payTo')).toMatchObject({ value: null, source: 'none' });
  expect(JSON.stringify(rows)).not.toMatch(/sesame|rpc\.example/);
});

it('the log level: set once, refused where it is no level', async () => {
  const path = '/operator/settings';
  const set = { action: 'set', setting: 'logLevel' };
  const levelNow = async () => (await read<OperatorSettings>(path)).changeable[0]?.value;
  expect(await levelNow()).toBe('info');
  expect(await statusOf(path, 's1', { ...set, value: 'debug' })).toBe(200);
  expect(await levelNow()).toBe('debug');
  expect(await statusOf(path, 's2', { ...set, value: 'debug' })).toBe(409);
  expect(await statusOf(path, 's3', { ...set, value: 'loud' })).toBe(400);
  expect(await statusOf(path, 's4', { ...set, setting: 'port', value: '1' })).toBe(400);
  expect(await levelNow()).toBe('debug');
});
