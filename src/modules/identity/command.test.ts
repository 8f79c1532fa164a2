import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runCli, scratchFolder } from '../../../test/cli/run-cli.ts';
import { asMs, asPrice, type UnixMs } from '../../domain/units.ts';
import { createInstrumentIdentities } from '../../market/identity.ts';
import { createMarket } from '../../market/live-table.ts';
import { makeInstrument, makeVenueInfo } from '../../market/market-fixture.ts';
import { openMarketStore } from '../../market/store-lmdb.ts';
import type { MarketStore } from '../../market/stores.ts';

const T0 = asMs(1_790_000_000_000);
const open: MarketStore[] = [];

afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});

/** A running market over a real store: XLM on three venues, FOO on one. */
function runningMarket(dataDir: string) {
  const store = openMarketStore(join(dataDir, 'market'));
  open.push(store);
  let now: UnixMs = T0;
  const market = createMarket({
    clock: { now: () => now },
    identity: createInstrumentIdentities(store.identities),
    sourceIds: store.sourceIds,
    decisions: store.decisions,
  });
  const list = (venue: string, ...bases: string[]): void => {
    market.sink.venue(makeVenueInfo({ id: venue }), 5000);
    const instruments = bases.map((base) => makeInstrument({ venue, base, symbol: `${base}USDT` }));
    market.sink.instruments(venue, instruments, now);
    const quotes = bases.map((base) => ({ symbol: `${base}USDT`, markPrice: asPrice(3) }));
    market.sink.quotes(venue, quotes, now);
  };
  const ids = (ticker: string) =>
    market.view
      .rows()
      .filter((row) => row.ticker === ticker)
      .map((row) => `${row.venue} ${row.canonicalId}`);
  const pass = (ms: number): void => {
    now = asMs(now + ms);
    market.sweep();
  };
  for (const venue of ['binance', 'gate', 'mexc']) list(venue, 'XLM');
  list('okx', 'FOO');
  market.sweep();
  return { market, store, list, ids, pass };
}

async function identity(dataDir: string, ...args: string[]) {
  return runCli(['identity', ...args, '--data-dir', dataDir]);
}

test('split, merge, pin beside a market: taken over within a minute', async () => {
  const dataDir = scratchFolder();
  const { ids, pass, list } = runningMarket(dataDir);
  expect(ids('XLM')).toEqual(['binance crypto:XLM', 'gate crypto:XLM', 'mexc crypto:XLM']);

  const split = await identity(dataDir, 'split', 'crypto:XLM', 'mexc', 'GATE', '--reason', 'another coin');
  expect(split).toMatchObject({ code: 0 });
  expect(split.stdout.split('\n').sort()).toEqual([
    '',
    'gate XLMUSDT: crypto:XLM -> crypto:XLM~2',
    'mexc XLMUSDT: crypto:XLM -> crypto:XLM~2',
  ]);
  pass(60_000);
  expect(ids('XLM')).toEqual(['binance crypto:XLM', 'gate crypto:XLM~2', 'mexc crypto:XLM~2']);
  list('gate', 'XLM');
  expect(ids('XLM'), 'a list changes nothing').toContain('gate crypto:XLM~2');

  const merge = await identity(dataDir, 'merge', 'crypto:XLM~2', 'crypto:XLM', '--reason', 'no, one coin');
  expect(merge).toMatchObject({ code: 0 });
  pass(60_000);
  expect(ids('XLM')).toEqual(['binance crypto:XLM', 'gate crypto:XLM', 'mexc crypto:XLM']);

  const pin = await identity(dataDir, 'pin', 'okx', 'FOOUSDT', 'equity:FOO', '--reason', 'a share');
  expect(pin).toMatchObject({ code: 0, stdout: 'okx FOOUSDT: crypto:FOO -> equity:FOO\n' });
  pass(60_000);
  expect(ids('FOO')).toEqual(['okx equity:FOO']);

  const log = await identity(dataDir, 'log', '--json');
  const lines = log.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toMatchObject([
    { sequence: 1, action: 'split', from: 'crypto:XLM', to: 'crypto:XLM~2', reason: 'another coin' },
    { sequence: 2, action: 'merge', from: 'crypto:XLM~2', to: 'crypto:XLM', reason: 'no, one coin' },
    { sequence: 3, action: 'pin', from: 'crypto:FOO', to: 'equity:FOO', contracts: 'okx/FOOUSDT' },
  ]);
  for (const { at } of lines) expect(at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

  const all = await identity(dataDir, 'list', '--ticker', 'foo', '--all', '--json');
  const ranges = all.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(ranges).toMatchObject(
    [
      { canonical_id: 'crypto:FOO', venue: 'okx', basis: 'default' },
      { canonical_id: 'equity:FOO', venue: 'okx', basis: 'operator', valid_to: null },
    ].sort((a, b) => (a.canonical_id < b.canonical_id ? -1 : 1)),
  );
  expect(ranges[0]?.valid_to).toBe(ranges[1]?.valid_from);
  expect((await identity(dataDir, 'list')).stdout).toMatch(/crypto:XLM\s+XLM\s+binance\s+XLMUSDT/);
});

test('a merge holds for venues that list the id later, and over a restart', async () => {
  const dataDir = scratchFolder();
  const first = runningMarket(dataDir);
  expect((await identity(dataDir, 'merge', 'crypto:FOO', 'crypto:XLM', '--reason', 'renamed')).code).toBe(0);
  first.pass(60_000);
  first.list('bybit', 'FOO');
  expect(first.ids('XLM')).toContain('bybit crypto:XLM');
  await open.splice(0)[0]?.close();
  const second = runningMarket(dataDir);
  second.list('bitget', 'FOO');
  second.pass(0);
  expect(second.ids('XLM')).toEqual(expect.arrayContaining(['okx crypto:XLM', 'bitget crypto:XLM']));
  expect(second.ids('FOO')).toEqual([]);
});

test('a refused change is reported, changes nothing and is not logged', async () => {
  const dataDir = scratchFolder();
  expect(await identity(dataDir, 'log')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no identities'),
  });
  runningMarket(dataDir);
  const refused = async (says: string, ...args: string[]) =>
    expect(await identity(dataDir, ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(says),
    });
  await refused('is no id', 'pin', 'okx', 'FOOUSDT', 'FOO', '--reason', 'x');
  await refused('lists no contract', 'pin', 'okx', 'BARUSDT', 'crypto:BAR', '--reason', 'x');
  await refused('no listed contract is crypto:BAR', 'merge', 'crypto:BAR', 'crypto:XLM', '--reason', 'x');
  await refused('nothing to change', 'merge', 'crypto:XLM', 'crypto:XLM', '--reason', 'x');
  await refused('needs a reason', 'merge', 'crypto:FOO', 'crypto:XLM', '--reason', ' ');
  expect((await identity(dataDir, 'merge', 'crypto:FOO', 'crypto:XLM')).code).not.toBe(0);
  expect(await identity(dataDir, 'log')).toMatchObject({ code: 0, stderr: '0 decisions\n' });
});

test('no identities in the folder: it says how to name one', async () => {
  const run = await runCli(['identity', 'list']);
  const said = "no identities in var/data: name the service's folder with --data-dir or DATA_DIR";
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(said)]);
});
