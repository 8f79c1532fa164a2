import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { firstLine, startChild } from '../../src/host/process/child.ts';
import { allSpecs } from '../../src/host/settings/all-settings.ts';
import { envNames } from '../../src/host/settings/settings.ts';
import { ignoredInDemo, serviceEnvironment, stopPatienceMs } from '../../src/modules/demo/environment.ts';
import { MODULES } from '../../src/modules/list.ts';
import { scratchFolder } from './run-cli.ts';

const SPECS = allSpecs(MODULES);
/** Variables that a setting is read from; a module that is not there reads none. */
const READ = new Set(
  Object.values(SPECS)
    .flatMap(envNames)
    .flatMap((name) => [name, `${name}_FILE`]),
);

it('stores, feed, keys, roles, address, token of an operator: ignored', () => {
  const foreign = {
    CLICKHOUSE_URL: 'http://history:8123',
    PERPMETER_CLICKHOUSE_URL_FILE: '/run/secrets/history',
    CLICKHOUSE_CLUSTER: 'one',
    PERPMETER_CLICKHOUSE_DATABASE: 'perpmeter',
    LEDGER_URL_FILE: '/run/secrets/ledger',
    PERPMETER_LEDGER_URL: 'postgres://ledger/perpmeter',
    NATS_URL: 'nats://bus:4222',
    PERPMETER_ROLE: 'collect',
    RECEIPT_KEYS_FILE: '/run/secrets/keys',
    EXTRA_VENUES: 'ccxt:coinex',
    BASE_URL: 'https://data.example.com',
    PERPMETER_PAYMENT_NETWORK: 'eip155:84532',
    ASSET_CONTRACT_ADDRESS: '0x1',
    CHANNEL_AUTHORIZER_KEY: '0x2',
    ASSET_NAME: 'EUR Coin',
    RECORD_DIR: '/var/recordings',
    PERPMETER_ASSET_VERSION: '1',
  };
  const own = {
    ADMIN_PORT: '9',
    VENUES: 'binance',
    PERPMETER_BOOKS_PER_VENUE: '4',
    HISTORY: 'off',
    PATH: '/bin',
  };
  const nothing = { PERPMETER_NATS_URL: '', LEDGER_URL: undefined };
  expect([...ignoredInDemo({ ...foreign, ...own, ...nothing }, SPECS)].sort()).toEqual(
    Object.keys(foreign)
      .filter((name) => READ.has(name))
      .sort(),
  );
});

it('a demo that records: its service has time to close its segment', () => {
  expect(stopPatienceMs({ RECORD: 'all' }, SPECS)).toBeGreaterThanOrEqual(30_000);
  expect([stopPatienceMs({}, SPECS), stopPatienceMs({ RECORD: '' }, SPECS)]).toEqual([2000, 2000]);
});

it.each(['', 'PERPMETER_'])('%sBOOKS_PER_VENUE and %sLOG_LEVEL: used by the demo', (prefix) => {
  const env = {
    [`${prefix}BOOKS_PER_VENUE`]: '4',
    [`${prefix}LOG_LEVEL`]: 'debug',
    BASE_URL: 'https://x.example',
  };
  expect(serviceEnvironment(undefined, 'http://127.0.0.1:9', env, SPECS)).toMatchObject({
    PERPMETER_BOOKS_PER_VENUE: '4',
    PERPMETER_LOG_LEVEL: 'debug',
    BASE_URL: undefined,
  });
  const empty = { [`${prefix}BOOKS_PER_VENUE`]: '', [`${prefix}LOG_LEVEL`]: '' };
  expect(serviceEnvironment(undefined, 'http://127.0.0.1:9', empty, SPECS)).toMatchObject({
    PERPMETER_BOOKS_PER_VENUE: '40',
    PERPMETER_LOG_LEVEL: 'error',
  });
});

it('a child does not get what is undefined in its environment', async () => {
  const script = join(scratchFolder(), 'said.mjs');
  const said = '[process.env.PATH !== undefined, process.env.HOME ?? null, process.env.GIVEN]';
  writeFileSync(script, `process.stdout.write(JSON.stringify(${said}) + '\\n'); process.disconnect();`);
  const child = startChild('a script', pathToFileURL(script), [], { HOME: undefined, GIVEN: 'this' });
  expect(await firstLine(child)).toEqual([true, null, 'this']);
  expect(await child.exited).toBe(0);
});
