import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GivenSettings } from '../../src/host/command.ts';
import { seamsOf } from '../../src/host/given-seams.ts';
import { reading } from '../../src/host/open-modules.ts';
import { allSpecs } from '../../src/host/settings/all-settings.ts';
import { printableSettings } from '../../src/host/settings/printable-settings.ts';
import { readSettings } from '../../src/host/settings/settings.ts';
import { unreadVariables } from '../../src/host/settings/unread-variables.ts';
import { MODULES } from '../../src/modules/list.ts';
import { runCli, scratchFolder } from './run-cli.ts';

const SETTINGS = allSpecs(MODULES);

function settings(flags: Record<string, string>, env: Record<string, string> = {}) {
  const result = readSettings(SETTINGS, flags, env);
  if (!result.ok) throw new Error(result.errors.join('; '));
  return result.settings as GivenSettings['settings'];
}

const printed = (read: GivenSettings['settings']) =>
  printableSettings(SETTINGS, read, seamsOf(MODULES, reading(read)));

describe('settings', () => {
  it('a flag wins over PERPMETER_, those over short names, then defaults', () => {
    const env = { PERPMETER_PORT: '2', PORT: '3' };
    expect(settings({ port: '1' }, env).port).toBe(1);
    expect(settings({}, env).port).toBe(2);
    expect(settings({}, { PORT: '3' }).port).toBe(3);
    expect(settings({}).port).toBe(8402);
    expect(settings({}, { PORT: '' }).port).toBe(8402);
  });

  it('lists are split and trimmed, what is not given stays undefined', () => {
    expect(settings({ venues: 'binance, okx,' }).venues).toEqual(['binance', 'okx']);
    expect(settings({}).venues).toBeUndefined();
  });

  it('says every fault at once', () => {
    const result = readSettings(SETTINGS, { port: '70000', logLevel: 'loud', data: 'fake' }, {});
    expect(result.ok ? [] : result.errors).toEqual([
      '--port (PERPMETER_PORT) must be a whole number from 0 to 65535, not "70000"',
      '--data (PERPMETER_DATA) must be one of live, simulated, not "fake"',
      expect.stringContaining('--log-level'),
    ]);
  });

  it('a secret from the named file: read, or refused with its path', () => {
    const file = join(scratchFolder(), 'secret');
    writeFileSync(file, 'https://rpc.example/key\n');
    const read = settings({}, { RPC_URL_FILE: file });
    expect(read.rpcUrl).toBe('https://rpc.example/key');
    expect(settings({}, { RPC_URL_FILE: file, RPC_URL: 'https://other' }).rpcUrl).toBe('https://other');
    expect(printed(read)).toMatchObject({ rpcUrl: '***' });
    expect(printed(settings({}))).toMatchObject({ rpcUrl: null });
    const missing = readSettings(SETTINGS, {}, { PERPMETER_RPC_URL_FILE: `${file}.none` });
    expect(missing.ok ? [] : missing.errors).toEqual([
      expect.stringContaining('PERPMETER_RPC_URL_FILE cannot be read'),
    ]);
  });

  it.each(['PERPMETER_PORT_FILE', 'PORT_FILE'])('a file for what is no secret: %s is refused', (name) => {
    const result = readSettings(
      SETTINGS,
      {},
      { [name]: '/run/secrets/port', RECEIPT_KEYS_FILE: 'keys.json' },
    );
    expect(result.ok ? [] : result.errors).toEqual([
      `${name}: --port (PERPMETER_PORT) is no secret, and no file is read for it`,
    ]);
  });

  it.each(['', ' \n'])('refuses a secret file that has only %j in it, and names it', (text) => {
    const file = join(scratchFolder(), 'empty');
    writeFileSync(file, text);
    const env = { RPC_URL_FILE: file, PERPMETER_FACILITATOR_TOKEN_FILE: file, CDP_API_KEY_SECRET_FILE: file };
    const result = readSettings(SETTINGS, {}, env);
    const names = ['RPC_URL', 'FACILITATOR_TOKEN', 'CDP_API_KEY_SECRET'];
    expect(result.ok ? [] : result.errors.toSorted()).toEqual(
      names.map((name) => `PERPMETER_${name}_FILE is empty: ${file}`).toSorted(),
    );
  });

  it.each([
    ['embedded', {}],
    ['embedded', { role: 'collect,record' }],
    ['server', { clickhouseUrl: 'http://history:8123' }],
    ['server', { clickhouseUrl: 'http://history:8123', role: 'sell' }],
    ['cluster', { clickhouseUrl: 'http://a:8123,http://b:8123', clickhouseCluster: 'two' }],
    [null, { role: 'sell' }],
    [null, { clickhouseUrl: 'http://history:8123', history: 'off' }],
  ])('shows the engine of the history: %s with %j', (historyStore, flags) => {
    expect(printed(settings(flags))).toMatchObject({ historyStore });
  });

  it('masks secrets', () => {
    const shown = printed(settings({ rpcUrl: 'https://rpc/key', facilitatorToken: 'abc' }));
    expect(shown).toMatchObject({ rpcUrl: '***', facilitatorToken: '***', facilitatorKey: null });
  });
});

describe('variables that no setting reads', () => {
  it('a module that was left out, or a wrong name: named, with where to look', () => {
    const without = allSpecs(MODULES.filter(({ id }) => id !== 'cluster'));
    const env = { PERPMETER_NATS_URL: 'nats://bus:4222', PERPMETER_RPC_URL_FILE: '/run/rpc', PORT: '1' };
    expect(unreadVariables(without, env)).toEqual([
      'PERPMETER_NATS_URL is read by no setting: perhaps it is of a module that was left out; serve --help lists all',
    ]);
    expect(unreadVariables(SETTINGS, env)).toEqual([]);
  });

  it('those of other commands, and empty ones: nothing to say', () => {
    expect(unreadVariables(SETTINGS, { PERPMETER_URL: 'http://a.test', PERPMETER_NONE: '' })).toEqual([]);
  });
});

describe('perpmeter', () => {
  it('--print-config prints what would run, without secrets', async () => {
    const run = await runCli(['serve', '--print-config', '--rpc-url', 'https://rpc.example/secret-key']);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ port: 8402, rpcUrl: '***', network: 'eip155:8453' });
    expect(run.stdout).not.toContain('secret-key');
  });

  it('refuses to start on a wrong configuration and lists every error', async () => {
    const run = await runCli([
      ...['serve', '--port', '0'],
      '--payments',
      'remote',
      '--pay-to',
      '0x1234',
      '--network',
      'eip155:1',
      '--venues',
      'binance,nosuch',
    ]);
    expect(run.code).toBe(2);
    for (const name of ['PAY_TO_ADDRESS', 'PAYMENT_NETWORK', 'BASE_URL', 'FACILITATOR_URL', 'nosuch']) {
      expect(run.stderr).toContain(name);
    }
  });

  it('refuses roles that there are not, and a seller without a feed', async () => {
    const unknown = await runCli(['serve', '--port', '0', '--role', 'collect,trade']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('--role (PERPMETER_ROLE) must be all, or of collect, sell, record');
    const alone = await runCli(['serve', '--port', '0', '--role', 'sell,record']);
    expect(alone.code).toBe(2);
    expect(alone.stderr).toContain('--role without collect wants a feed');
  });

  it('serves nothing for free beyond loopback', async () => {
    const run = await runCli(['serve', '--host', '0.0.0.0', '--port', '0']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('set PAY_TO_ADDRESS, BASE_URL and FACILITATOR_URL, or listen on 127.0.0.1');
    expect(run.stderr).not.toContain('PAYMENTS_MODE');
  });

  it('has help everywhere and a clear word for an unknown command', async () => {
    const help = await runCli(['--help']);
    for (const command of ['serve', 'buy', 'venues', 'ledger']) expect(help.stdout).toContain(command);
    expect((await runCli(['buy', '--help'])).stdout).toContain('--max-usd');
    const unknown = await runCli(['frobnicate']);
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toContain('frobnicate');
  });

  it('no ledger in the folder: it says how to name one', async () => {
    const run = await runCli(['ledger']);
    const said = "no ledger in var/data: name the service's folder with --data-dir or DATA_DIR";
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it('buys of no service by itself, and says where one is named', async () => {
    const run = await runCli(['buy', '/v1/funding/current']);
    const said = 'no service: give --url or PERPMETER_URL, or start `perpmeter demo` in this folder';
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(said)]);
  });

  it('lists its venues', async () => {
    const run = await runCli(['venues', '--json']);
    const ids = (JSON.parse(run.stdout) as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining(['binance', 'aster', 'bybit', 'okx', 'hyperliquid', 'hyperliquid-xyz']),
    );
  });
});
