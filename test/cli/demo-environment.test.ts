import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { firstLine, startChild } from '../../src/cli/child.ts';
import { ignoredInDemo } from '../../src/cli/demo.ts';
import { scratchFolder } from './run-cli.ts';

it('the demo ignores what names the stores, the feed, the keys and the roles of an operator, however it is said', () => {
  const foreign = {
    CLICKHOUSE_URL: 'http://history:8123',
    PERPMETER_CLICKHOUSE_URL_FILE: '/run/secrets/history',
    ...{ CLICKHOUSE_CLUSTER: 'one', PERPMETER_CLICKHOUSE_DATABASE: 'perpmeter' },
    ...{ LEDGER_URL_FILE: '/run/secrets/ledger', PERPMETER_LEDGER_URL: 'postgres://ledger/perpmeter' },
    ...{ NATS_URL: 'nats://bus:4222', PERPMETER_ROLE: 'collect' },
    ...{ RECEIPT_KEYS_FILE: '/run/secrets/keys', EXTRA_VENUES: 'ccxt:coinex' },
  };
  const own = {
    ADMIN_PORT: '9',
    VENUES: 'binance',
    PERPMETER_BOOKS_PER_VENUE: '4',
    HISTORY: 'off',
    PATH: '/bin',
  };
  const nothing = { PERPMETER_NATS_URL: '', LEDGER_URL: undefined };
  expect([...ignoredInDemo({ ...foreign, ...own, ...nothing })].sort()).toEqual(Object.keys(foreign).sort());
});

it('a child does not get what is undefined in its environment', async () => {
  const script = join(scratchFolder(), 'said.mjs');
  const said = '[process.env.PATH !== undefined, process.env.HOME ?? null, process.env.GIVEN]';
  writeFileSync(script, `process.stdout.write(JSON.stringify(${said}) + '\\n'); process.disconnect();`);
  const child = startChild('a script', pathToFileURL(script), [], { HOME: undefined, GIVEN: 'this' });
  expect(await firstLine(child)).toEqual([true, null, 'this']);
  expect(await child.exited).toBe(0);
});
