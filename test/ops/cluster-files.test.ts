import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import health from '../../src/products/examples/health.json' with { type: 'json' };
import { makeAuthority, opensslObstacle } from './authority.ts';
import { isSetting, readCompose, secretsByPart, settingsIn } from './compose-file.ts';

const folder = fileURLToPath(new URL('../../ops/', import.meta.url));
const compose = readFileSync(`${folder}cluster.yml`, 'utf8');
const MANUAL = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8');
const balancer = readFileSync(`${folder}haproxy/haproxy.cfg`, 'utf8');
const GIVEN = {
  COLLECTOR_PASSWORD: 'a',
  SELLER_PASSWORD: 'b',
  RECORDER_PASSWORD: 'd',
  CLICKHOUSE_PASSWORD: 'c',
  CLICKHOUSE_SELLER_PASSWORD: 'e',
  NAME: 'nats1',
  ROUTE_PASSWORD: 'f',
  ROUTES: '[nats://route:f@nats1:6222]',
  PAY_TO_ADDRESS: '0x1',
  BASE_URL: 'https://data.example.com',
  FACILITATOR_URL: 'https://f.example.com',
  LISTEN: '127.0.0.1:1',
  SELLER_A: '127.0.0.1:2',
  SELLER_B: '127.0.0.1:3',
};

/** Runs a program on a file of `ops`; throws with what it says where it refuses it. */
function check(program: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): void {
  const env = { PATH: process.env.PATH, ...GIVEN, ...more };
  execFileSync(program, [...args], { env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** The reason for which a program cannot be asked; undefined = it can. */
const missing = (program: string, ...args: string[]): string | undefined =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? undefined : `${program} is not installed`;

const nats = missing('nats-server', '--version');
const haproxy = missing('haproxy', '-v');
const docker = missing('docker-compose', 'version');

describe('the files of the cluster', () => {
  it.skipIf(nats !== undefined)(`have servers of the feed (${nats ?? 'asked'})`, () => {
    expect(() => check('nats-server', ['-t', '-c', 'nats/cluster.conf'])).not.toThrow();
  });

  const secured = nats ?? opensslObstacle();
  it.skipIf(secured !== undefined)(`have them with TLS (${secured ?? 'asked'})`, () => {
    const { authority, certificate, key, remove } = makeAuthority();
    const paths = { TLS_CERTIFICATE: certificate, TLS_KEY: key, TLS_AUTHORITY: authority };
    const asked = (more: typeof paths) => () => check('nats-server', ['-t', '-c', 'nats/tls.conf'], more);
    expect(asked(paths)).not.toThrow();
    expect(asked({ ...paths, TLS_KEY: certificate })).toThrow(/certificate|key/i);
    expect(asked({ ...paths, TLS_AUTHORITY: key })).toThrow(/ca|certificate/i);
    remove();
  });

  it.skipIf(haproxy !== undefined)(`have a balancer (${haproxy ?? 'asked'})`, () => {
    expect(() => check('haproxy', ['-c', '-f', 'haproxy/haproxy.cfg'])).not.toThrow();
  });

  it.skipIf(docker !== undefined)(`have a compose file (${docker ?? 'asked'})`, () => {
    expect(() => check('docker-compose', ['-f', 'cluster.yml', 'config', '-q'])).not.toThrow();
  });

  // Within single quotes alone: elsewhere haproxy takes double quotes for its own, and the look never passes.
  it('a balancer: takes a healthy seller, none that stops', () => {
    const looks = [...balancer.matchAll(/http-check expect rstring '([^']+)'$/gm)].map(([, one = '']) => one);
    const passes = (change: object): readonly boolean[] =>
      looks.map((look) => new RegExp(look).test(JSON.stringify({ ...health, ...change })));
    expect(passes({})).toEqual([true, true]);
    expect(passes({ stopping: true })).toEqual([false, false]);
    expect(passes({ payments: { ...health.payments, ledger_ok: false } })).toEqual([false, true]);
  });

  it('have settings that there are', () => {
    const set = settingsIn(compose.slice(compose.indexOf('x-collector'), compose.indexOf('x-clickhouse')));
    expect(set.length).toBeGreaterThan(10);
    expect(set.filter((name) => !isSetting(name))).toEqual([]);
  });

  it('pass on what a facilitator or a test network may need', () => {
    const optional = [
      'FACILITATOR_TOKEN',
      'FACILITATOR_FEE_USD',
      'CDP_API_KEY_ID',
      'CDP_API_KEY_SECRET',
      'PAYMENT_NETWORK',
    ];
    expect(optional.filter((name) => !compose.includes(` ${name}: \${${name}:-}\n`))).toEqual([]);
  });

  it('every mounted volume and given secret: declared, and no other', () => {
    const { volumes, secrets } = readCompose(compose);
    expect(volumes.used.length).toBeGreaterThan(10);
    expect(volumes.used).toEqual(volumes.declared);
    expect(secrets.used.length).toBeGreaterThan(5);
    expect(secrets.used).toEqual(secrets.declared);
  });

  it('give each process the secrets that it reads, and no other', () => {
    const parts = secretsByPart(compose);
    expect(parts.length).toBeGreaterThanOrEqual(4);
    for (const [given, read] of parts) expect(given).toEqual(read);
  });

  it('have a manual that names every secret and what `.env` needs', () => {
    const wanted = [...compose.matchAll(/\$\{(\w+):\?/g), ...compose.matchAll(/\.\/secrets\/([\w.-]+)/g)];
    expect(wanted.filter(([, name]) => !MANUAL.includes(`\`${name}\``))).toEqual([]);
  });
});
