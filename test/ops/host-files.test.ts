import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isSetting, readCompose, settingsIn } from './compose-file.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const compose = readFileSync(join(CHECKOUT, 'ops/compose.yml'), 'utf8');
const unit = readFileSync(join(CHECKOUT, 'ops/systemd/perpmeter.service'), 'utf8');
const GIVEN = {
  PAY_TO_ADDRESS: '0x1',
  BASE_URL: 'https://data.example.com',
  FACILITATOR_URL: 'https://f.example.com',
  CLICKHOUSE_PASSWORD: 'a',
  GRAFANA_PASSWORD: 'b',
};

const isThere = (program: string, version: string): boolean =>
  spawnSync(program, [version], { stdio: 'ignore' }).status === 0;

/** Verifies a unit, as it would be here, with systemd; prints the faults that prevent its start. */
function verify(text: string): { readonly status: number | null; readonly said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'perpmeter-unit-'));
  try {
    const file = join(folder, 'perpmeter.service');
    writeFileSync(file, text.replaceAll('/opt/perpmeter/', CHECKOUT));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    return { status, said: stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The reason for which units cannot be verified; undefined = they can. */
function systemdObstacle(): string | undefined {
  if (!isThere('systemd-analyze', '--version')) return 'systemd-analyze is not installed';
  const plain = verify('[Service]\nExecStart=/bin/true\n');
  return plain.status === 0 && plain.said === ''
    ? undefined
    : `systemd-analyze cannot run: ${plain.said.trim()}`;
}

const systemd = systemdObstacle();
const docker = isThere('docker-compose', 'version') ? undefined : 'docker-compose is not installed';

describe('the compose file of one host', () => {
  it('has settings that there are', () => {
    const set = settingsIn(
      compose.slice(compose.indexOf('  perpmeter:'), compose.indexOf('\n  clickhouse:\n')),
    );
    expect(set.length).toBeGreaterThan(5);
    expect(set.filter((name) => !isSetting(name))).toEqual([]);
  });

  it('passes on what a facilitator, a test network and the operator may need', () => {
    const optional = [
      'FACILITATOR_TOKEN',
      'FACILITATOR_FEE_USD',
      'CDP_API_KEY_ID',
      'CDP_API_KEY_SECRET',
      'PAYMENT_NETWORK',
      'ADMIN_TOKEN',
      'ADMIN_ACTIONS',
      'LOG_LEVEL',
    ];
    expect(optional.filter((name) => !compose.includes(` ${name}: \${${name}:-}\n`))).toEqual([]);
  });

  it('declares mounted volumes and given secrets, and no other', () => {
    const { volumes, secrets } = readCompose(compose);
    expect(volumes.used.length).toBeGreaterThan(3);
    expect(volumes.used).toEqual(volumes.declared);
    expect(secrets.used).toEqual(secrets.declared);
  });

  it.skipIf(docker !== undefined)(`is one (${docker ?? 'asked'})`, () => {
    // Of `name` Debian's version knows nothing.
    const input = compose.replace(/^name: .*$/m, '');
    const env = { PATH: process.env.PATH, ...GIVEN };
    const args = ['-f', '-', 'config', '-q'];
    const { status, stderr } = spawnSync('docker-compose', args, {
      input,
      env,
      encoding: 'utf8',
      cwd: CHECKOUT,
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('the image', () => {
  it('its build: has every script that the build is made of', () => {
    const build = readFileSync(join(CHECKOUT, 'scripts/build.mjs'), 'utf8');
    const scripts = [...build.matchAll(/'(scripts\/[^']+)'/g)].map(([, path = '']) => path);
    const copied = readFileSync(join(CHECKOUT, 'Dockerfile'), 'utf8').split(/\s+/);
    expect(scripts).toContain('scripts/build.mjs');
    expect(scripts.filter((path) => !copied.includes(path))).toEqual([]);
  });
});

describe('the systemd unit', () => {
  it('has settings that there are', () => {
    const lines = [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) => line.split(' '));
    const set = lines.map((line) => line.split('=')[0] ?? '').filter((name) => name !== 'NODE_ENV');
    expect(set.length).toBeGreaterThan(1);
    expect(set.filter((name) => !isSetting(name))).toEqual([]);
  });

  it.skipIf(systemd !== undefined)(`has nothing that systemd does not know (${systemd ?? 'asked'})`, () => {
    expect(verify(unit)).toEqual({ status: 0, said: '' });
    expect(verify(unit.replace('KillMode=', 'KillMod=')).said).toContain('KillMod');
  });
});
