import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createWorld } from '@perpmeter/sim/create-world';
import { type SimServer, startSimServer } from '@perpmeter/sim/server';
import { simBinance } from '@perpmeter/sim/venues/binance';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isCcxtExchange } from '../../src/collect/ccxt/exchange.ts';
import { loadCcxt } from '../../src/collect/ccxt/load-module.ts';
import { openCcxtVenues } from '../../src/collect/ccxt/open-venues.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { freePort } from '../../src/host/process/free-port.ts';
import { countedTwice, openExtraVenues } from '../../src/modules/ccxt/extra-venues.ts';
import { until } from '../until.ts';
import { runCli, scratchFolder, startCli } from './run-cli.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const HOOK = new URL('./loads-hook.mjs', import.meta.url).href;

async function openWith(items: readonly string[]) {
  const errors: string[] = [];
  const { adapters, transports } = await openExtraVenues(items, {}, errors);
  await Promise.all([...transports.values()].map((transport) => transport.close()));
  return { errors, ids: adapters.map(({ id }) => id) };
}

describe('EXTRA_VENUES', () => {
  it.each([
    [['ccxt:bitfinex', 'ccxt:coinex']],
    [['ccxt:bitfinex', 'coinex']],
    [['CCXT: Bitfinex', ' coinex', 'ccxt:coinex']],
  ])('takes %j', async (items) => {
    expect(await openWith(items)).toEqual({ errors: [], ids: ['bitfinex', 'coinex'] });
  });

  it('reports every fault', async () => {
    const { errors, ids } = await openWith([
      'coinex',
      'other:coinex',
      'ccxt:',
      'ccxt:binance',
      'hyperliquid-xyz',
      'nosuch',
      'bitstamp1',
      'bitso',
      'coinex',
    ]);
    expect(ids).toEqual([]);
    expect(errors).toEqual([
      'EXTRA_VENUES: "coinex" must be written ccxt:<exchange>, as in ccxt:bitfinex,coinex',
      expect.stringContaining('"other:coinex" must be written'),
      expect.stringContaining('"ccxt:" must be written'),
      'EXTRA_VENUES: binance is collected natively; name it in VENUES',
      expect.stringContaining('hyperliquid-xyz is collected natively'),
      'EXTRA_VENUES: ccxt has no exchange "nosuch"',
      'EXTRA_VENUES: ccxt has no exchange "bitstamp1"',
      'EXTRA_VENUES: ccxt has no perpetual swaps of "bitso"',
      expect.stringMatching(/ccxt has swaps of .*bitfinex.*coinex/),
    ]);
  });

  it('warns of venues whose books are collected natively as well', async () => {
    const { adapters, transports } = await openExtraVenues(['ccxt:myokx', 'coinex'], {}, []);
    const venues = { adapters, transports };
    expect(countedTwice(venues, ['okx', 'gate'])).toEqual(['myokx trades in the books of okx']);
    expect(countedTwice(venues, ['gate'])).toEqual([]);
  });
});

describe('ccxt', () => {
  it('is reported as missing where it is not installed', async () => {
    const absent = async () => {
      throw Object.assign(new Error("Cannot find package 'ccxt'"), { code: 'ERR_MODULE_NOT_FOUND' });
    };
    const load = () => loadCcxt(absent);
    expect(await openCcxtVenues(['coinex'], { load })).toEqual({
      ok: false,
      errors: ['ccxt is not installed; npm install ccxt brings it'],
    });
  });

  it('is reported where it cannot be loaded or has an unknown shape', async () => {
    const broken = async () => {
      throw new Error('bad build');
    };
    expect(await loadCcxt(broken)).toEqual({ ok: false, error: 'ccxt cannot be loaded: bad build' });
    for (const other of [undefined, {}, { default: { exchanges: ['x'] } }]) {
      expect(await loadCcxt(async () => other)).toMatchObject({
        ok: false,
        error: expect.stringContaining('lists no'),
      });
    }
    const odd = async () => ({ default: { exchanges: ['odd'], odd: class {} } });
    const opened = await openCcxtVenues(['odd'], { load: () => loadCcxt(odd) });
    expect(opened).toMatchObject({ ok: false, errors: ['ccxt has no exchange "odd"', expect.any(String)] });
  });

  it('has the expected shape for every exchange with swaps', async () => {
    const module = await loadCcxt();
    if (!module.ok) throw new Error(module.error);
    const made = [...module.classes].map(([id, Exchange]) => [id, new Exchange()] as const);
    expect(made.filter(([, exchange]) => !isCcxtExchange(exchange)).map(([id]) => id)).toEqual([]);
    const swaps = made.filter(([, exchange]) => isCcxtExchange(exchange) && exchange.has.swap === true);
    expect(swaps.length).toBeGreaterThan(50);
    const opened = await Promise.all(swaps.map(([id]) => openCcxtVenues([id])));
    const refused = opened.flatMap((venue) => (venue.ok ? [] : venue.errors[0]));
    expect(refused).toEqual(['ccxt reads neither funding nor tickers of "dydx"']);
  });

  it('is imported by one file only, on demand', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    );
    const imports = /(?:\bimport\s*\(\s*|\bfrom\s+|\bimport\s+|\brequire\(\s*)['"]ccxt['"/]/;
    const asking = files.filter((path) => imports.test(readFileSync(join(SRC, path), 'utf8')));
    expect(asking).toEqual([join('collect', 'ccxt', 'load-module.ts')]);
    const text = readFileSync(join(SRC, 'collect/ccxt/load-module.ts'), 'utf8');
    expect(text.match(new RegExp(imports, 'g'))).toEqual(["import('ccxt'"]);
    expect(text).toMatch(/=> import\('ccxt'\)/);
  });
});

describe('a service', () => {
  let sim: SimServer;
  let bases: string;

  beforeAll(async () => {
    const at = systemClock.now();
    const venues = [{ ...simBinance, limit: { ...simBinance.limit, weight: 1e9 } }];
    sim = await startSimServer({ world: createWorld(1), venues, clock: { now: () => at }, tickMs: 0 });
    const nowhere = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
    bases = JSON.stringify({
      nado: { rest: nowhere },
      binanceusdm: { rest: `${sim.url}/binance` },
    });
  });

  const running = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
  });
  afterAll(() => sim.close());

  async function start(extra: readonly string[]) {
    const port = await freePort('127.0.0.1');
    const args = ['serve', '--port', String(port), '--venues', 'nado', '--payments', 'off', ...extra];
    const env = { PERPMETER_VENUE_BASES: bases, NODE_OPTIONS: `--import=${HOOK}` };
    const child = startCli(args, scratchFolder(), env);
    running.add(child);
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += String(chunk);
    });
    const base = `http://127.0.0.1:${port}`;
    const list = async () =>
      (await (await fetch(`${base}/v1/venues/list`)).json()) as Record<string, unknown>[];
    const stop = async () => {
      child.kill('SIGTERM');
      return (await once(child, 'exit'))[0];
    };
    return { base, list, stop, said: () => said };
  }

  it('without extra venues never loads ccxt', async () => {
    const service = await start([]);
    await until(async () => expect((await service.list()).map(({ name }) => name)).toEqual(['nado']));
    expect(await service.stop()).toBe(0);
    expect(service.said()).toContain('listening');
    expect(service.said()).not.toContain('asks for ccxt');
  });

  it('with one: read through ccxt, sold, and stopped in order', async () => {
    const service = await start(['--extra-venues', 'ccxt:binanceusdm']);
    await until(async () => {
      const [extra] = (await service.list()).filter(({ name }) => name === 'binanceusdm');
      expect(extra).toMatchObject({ source: 'ccxt', type: 'cex', taker_fee_bps: 5, has_index: true });
      expect(extra?.source_id).toBeGreaterThanOrEqual(1000);
      expect(extra?.tracked_symbols).toBeGreaterThan(250);
    });
    expect((await service.list()).find(({ name }) => name === 'nado')).toMatchObject({ source: 'native' });
    // Contracts are listed before their rates are there; until then the answer is a 503.
    await until(async () => {
      const answer = await fetch(`${service.base}/v1/funding/current?symbol=BTC`);
      expect(await answer.json()).toMatchObject({ rates: [{ venue: 'binanceusdm', symbol: 'BTC' }] });
    });

    const listed = await runCli(['venues', '--json', '--url', service.base]);
    const rows = JSON.parse(listed.stdout) as Record<string, unknown>[];
    expect(rows.find(({ id }) => id === 'binanceusdm')).toMatchObject({
      source: 'ccxt',
      type: 'cex',
      status: 'live',
    });
    const alone = await runCli(['venues', '--json']);
    expect((JSON.parse(alone.stdout) as { id: string }[]).map(({ id }) => id)).not.toContain('binanceusdm');

    expect(await service.stop()).toBe(0);
    expect(service.said()).toContain('asks for ccxt');
  });

  it('refuses to start with an unknown one, and lists the known ones', async () => {
    const run = await runCli([
      ...['serve', '--port', '0'],
      '--payments',
      'off',
      '--extra-venues',
      'ccxt:nosuch,bitso',
      '--venues',
      'no',
    ]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('no exchange "nosuch"');
    expect(run.stderr).toContain('no perpetual swaps of "bitso"');
    expect(run.stderr).toContain('VENUES: no venue "no"');
  });
});
