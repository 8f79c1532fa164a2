import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
// Builds what has changed before a script calls it, whose words are read.
import '../cli/run-cli.ts';
import { PostgresServer, postgresObstacle } from '../pay/postgres-server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROLES = { ledger: 'seller', identities: 'collector', 'identities-recorder': 'recorder' } as const;
const obstacle = postgresObstacle();
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

interface Account {
  readonly name: string;
  readonly password: string;
}

/** A folder of addresses, one a file. */
function secrets(accounts: Readonly<Record<string, Account>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpmeter-secrets-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  for (const [file, { name, password }] of Object.entries(accounts)) {
    writeFileSync(join(folder, file), `postgres://${name}:${password}@db.internal:5432/perpmeter\n`);
  }
  return folder;
}

const accountsOf = (password: string) =>
  Object.fromEntries(
    Object.entries(ROLES).map(([file, name]) => [file, { name, password: `${name}${password}` }]),
  );

function run(folder: string, ...psql: readonly string[]) {
  const env = { ...process.env, SECRETS: folder };
  return spawnSync('sh', [`${ROOT}ops/database-roles.sh`, ...psql], { env, encoding: 'utf8' });
}

async function databaseOf(name: string) {
  const server = await PostgresServer.start();
  ends.push(() => server.stop());
  return { server, url: await server.database(name) };
}

/** The server's refusal of a role's statement; undefined where it may. */
async function refusal(url: string, { name, password }: Account, sql: string): Promise<string | undefined> {
  const address = new URL(url);
  address.username = name;
  address.password = password;
  const client = new pg.Client(address.href);
  try {
    await client.connect();
    await client.query(sql);
    return undefined;
  } catch (cause) {
    return String(cause);
  } finally {
    await client.end();
  }
}

it.skipIf(obstacle !== undefined)(
  `roles of the addresses: made twice (${obstacle ?? 'on a real server'})`,
  async () => {
    const { url } = await databaseOf('made');
    expect(run(secrets(accountsOf('1')), 'psql', url)).toMatchObject({ status: 0, stderr: '' });
    const again = run(secrets(accountsOf('2')), 'psql', url);
    expect(again.status, again.stderr).toBe(0);
    const as = (name: string, sql: string) => refusal(url, { name, password: `${name}2` }, sql);
    expect(await as('seller', 'SELECT * FROM perpmeter.payments')).toBeUndefined();
    expect(await as('seller', 'CREATE TABLE perpmeter.mine ()')).toContain('permission denied');
    expect(await as('collector', 'SELECT * FROM perpmeter.identity_ranges')).toBeUndefined();
    expect(await as('collector', 'SELECT * FROM perpmeter.payments')).toContain('permission denied');
    expect(await as('recorder', 'DELETE FROM perpmeter.identity_ranges')).toContain('permission denied');
    expect(await refusal(url, { name: 'seller', password: 'seller1' }, 'SELECT 1')).toContain('password');
  },
);

it.skipIf(obstacle !== undefined)('an error of the server: nothing follows it', async () => {
  const { server, url } = await databaseOf('refused');
  await server.query('refused', "CREATE ROLE weak LOGIN PASSWORD 'weak'");
  const weak = new URL(url);
  weak.username = 'weak';
  weak.password = 'weak';
  const { status, stderr } = run(secrets(accountsOf('1')), 'psql', weak.href);
  expect(status).toBe(3);
  expect(stderr.match(/ERROR/g)).toHaveLength(1);
  expect(await server.query('refused', "SELECT to_regclass('perpmeter.payments') AS made")).toEqual([
    { made: null },
  ]);
});

it('an address that cannot be read: refused by the name of its file', () => {
  const bad = { ...accountsOf('1'), identities: { name: 'collector', password: "it's" } };
  const { status, stderr } = run(secrets(bad), 'false');
  expect(status).toBe(2);
  expect(stderr).toContain('identities: postgres://name:password@host');
});

it('no address of a seller: refused', () => {
  expect(run(secrets({}), 'false')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('ledger is missing'),
  });
});
