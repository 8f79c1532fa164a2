import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/cli/setting-table.ts';
import health from '../../src/products/examples/health.json' with { type: 'json' };

const folder = fileURLToPath(new URL('../../ops/', import.meta.url));
const compose = readFileSync(`${folder}cluster.yml`, 'utf8');
const balancer = readFileSync(`${folder}haproxy/haproxy.cfg`, 'utf8');
const GIVEN = {
  ...{ COLLECTOR_PASSWORD: 'a', SELLER_PASSWORD: 'b', RECORDER_PASSWORD: 'd', CLICKHOUSE_PASSWORD: 'c' },
  NAME: 'nats1',
  ...{
    PAY_TO_ADDRESS: '0x1',
    BASE_URL: 'https://data.example.com',
    FACILITATOR_URL: 'https://f.example.com',
  },
  ...{ LISTEN: '127.0.0.1:1', SELLER_A: '127.0.0.1:2', SELLER_B: '127.0.0.1:3' },
};

/** Runs a program on a file of `ops`; throws with what it says where it refuses it. */
function check(program: string, args: readonly string[]): void {
  const env = { PATH: process.env.PATH, ...GIVEN };
  execFileSync(program, [...args], { env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Why a program cannot be asked; undefined = it can. */
const missing = (program: string, ...args: string[]): string | undefined =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? undefined : `${program} is not installed`;

const nats = missing('nats-server', '--version');
const haproxy = missing('haproxy', '-v');
const docker = missing('docker-compose', 'version');

describe('the files of the cluster', () => {
  it.skipIf(nats !== undefined)(`have servers of the feed (${nats ?? 'asked'})`, () => {
    expect(() => check('nats-server', ['-t', '-c', 'nats/cluster.conf'])).not.toThrow();
  });

  it.skipIf(haproxy !== undefined)(`have a balancer (${haproxy ?? 'asked'})`, () => {
    expect(() => check('haproxy', ['-c', '-f', 'haproxy/haproxy.cfg'])).not.toThrow();
  });

  it.skipIf(docker !== undefined)(`have a compose file (${docker ?? 'asked'})`, () => {
    expect(() => check('docker-compose', ['-f', 'cluster.yml', 'config', '-q'])).not.toThrow();
  });

  // Within single quotes alone: elsewhere haproxy takes double quotes for its own, and the look never passes.
  it('have a balancer that takes a healthy seller, and none that stops or has no ledger', () => {
    const looks = [...balancer.matchAll(/http-check expect rstring '([^']+)'$/gm)].map(([, one = '']) => one);
    const passes = (change: object): readonly boolean[] =>
      looks.map((one) => new RegExp(one).test(JSON.stringify({ ...health, ...change })));
    expect(passes({})).toEqual([true, true]);
    expect(passes({ stopping: true })).toEqual([false, false]);
    expect(passes({ payments: { ...health.payments, ledger_ok: false } })).toEqual([false, true]);
  });

  it('have settings that there are, and every secret that a service reads', () => {
    const known = new Set<string>(Object.values(SETTINGS).map(({ env }) => env));
    const ours = compose.slice(compose.indexOf('x-collector'), compose.indexOf('x-clickhouse'));
    const set = [...ours.matchAll(/^ +([A-Z][A-Z_]+):/gm)].map(([, name = '']) =>
      name.replace(/_FILE$/, (end) => (known.has(name) ? end : '')),
    );
    expect(set.length).toBeGreaterThan(10);
    expect(set.filter((name) => !known.has(name))).toEqual([]);
    const files = new Set([...compose.matchAll(/^ {2}([a-z_]+): \{ file:/gm)].map(([, name]) => name));
    const read = [...compose.matchAll(/\/run\/secrets\/([a-z_]+)/g)].map(([, name]) => name);
    expect(read.filter((name) => !files.has(name))).toEqual([]);
  });
});
