import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { asMs } from '../../src/domain/units.ts';
import type { History } from '../../src/history/history.ts';
import { NEWEST_HISTORY } from '../../src/history/migrate.ts';
import { openHistory } from '../../src/history/open-history.ts';
import { openStore } from '../../src/history/open-store.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import { RollUps } from '../../src/history/roll-ups.ts';
import type { HistoryStore, StoreResult } from '../../src/history/store.ts';
import { recordDeclared } from '../../src/modules/corrections/correction-log.ts';
import { openCorrectedReading } from '../../src/modules/corrections/correction-watch.ts';
import type { HistoryQueries } from '../../src/products/define-product.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { type ClickHouseServer, serverObstacle, startCluster } from './clickhouse-server.ts';
import { loadLog, valueIn } from './load.ts';
import { simLog } from './sim-log.ts';

const CLUSTER = 'perpmeter';
const USERS = readFileSync(new URL('../../ops/clickhouse/seller.xml', import.meta.url), 'utf8');
const MANUAL = readFileSync(new URL('../../docs/history-servers.md', import.meta.url), 'utf8');
const PASSWORDS = { perpmeter: 'own', seller: 'read' } as const;
type User = keyof typeof PASSWORDS;
const log = simLog(5, asMs(Date.UTC(2026, 9, 20)), 9, 60);
const NOW = asMs(log.to + 17 * MINUTE_MS);
const [asset = ''] = log.assets;
const [venue = ''] = log.venues;
/** The moment of a row that was recorded as it was sampled. */
const sampledAt = log.samples.find(({ value }) => value.origin === 'sampled')?.recordedAt ?? log.to;
const obstacle = serverObstacle();

/** One question for each that the products ask of the store. */
const QUESTIONS: Readonly<
  Record<
    Exclude<keyof HistoryQueries, 'changes' | 'lastSettledSpans'>,
    (reader: HistoryQueries) => Promise<StoreResult<unknown>>
  >
> = (() => {
  const scope = { canonicalId: asset, from: log.from, to: log.to };
  const payments = { canonicalIds: [asset], from: log.from, to: log.to };
  const contracts = log.settlements.map(({ value }) => value);
  return {
    buckets: (reader) => reader.buckets(scope, { measures: ['rate', 'mark'] }, HOUR_MS),
    settled: (reader) => reader.settled(scope, HOUR_MS),
    settledSpans: (reader) => reader.settledSpans(),
    fundingPayments: (reader) => reader.fundingPayments(payments),
    ratesAt: (reader) => reader.ratesAt({ canonicalId: asset, minutes: [log.from] }),
    takerFees: (reader) => reader.takerFees({ contracts }),
    settledMeans: (reader) => reader.settledMeans(payments, HOUR_MS),
    recentPayments: async (reader) => {
      const found = await reader.recentPayments(contracts);
      return found.ok ? { ok: true, value: [...found.value] } : found;
    },
    interestAt: (reader) => reader.interestAt({ canonicalId: asset, venue, at: log.from }, 48 * HOUR_MS),
    baselines: (reader) => reader.baselines(),
    historicalRows: (reader) =>
      reader.historicalRows({ asOf: sampledAt }, () => ({ sourceId: 1, assetClass: 'crypto' })),
    knownRange: (reader) => reader.knownRange({ canonicalId: asset }, 'rate'),
    shownContracts: async (reader) => {
      const found = await reader.shownContracts({ canonicalId: asset });
      return found.ok ? { ok: true, value: [...found.value] } : found;
    },
  };
})();

describe.skipIf(obstacle !== undefined)(`the account of a seller (${obstacle ?? 'on two shards'})`, () => {
  let servers: readonly ClickHouseServer[] = [];
  let owner: HistoryStore;
  const opened: History[] = [];

  const engine = (user: User, database?: string) => ({
    engine: 'server' as const,
    cluster: CLUSTER,
    ...(database !== undefined && { database }),
    urls: servers.map(({ url }) => url.replace('//', `//${user}:${PASSWORDS[user]}@`)),
  });
  /** As a process opens it that sells and does not record. */
  const open = async (user: User): Promise<StoreResult<History>> => {
    const { clock, timer } = new ManualTime(NOW);
    const history = await openHistory({
      engine: engine(user),
      records: false,
      clock,
      timer,
      logger: silentLogger,
      retention: DEFAULT_RETENTION,
      reading: openCorrectedReading,
      rows: () => [],
      recordsOf: () => [],
      health: { of: () => undefined, all: () => [] },
    });
    if (history.ok) opened.push(history.value);
    return history;
  };
  const run = async (sql: string): Promise<void> => valueIn(await owner.runOnNodes(() => sql));

  beforeAll(async () => {
    servers = await startCluster(CLUSTER, 2, {
      accounts: {
        owner: 'perpmeter',
        password: PASSWORDS.perpmeter,
        users: USERS,
        env: { CLICKHOUSE_SELLER_PASSWORD: PASSWORDS.seller },
      },
    });
  });
  afterAll(async () => {
    for (const one of opened) await one.stop();
    await owner?.close();
    await Promise.all(servers.map((server) => server.remove()));
  });

  it('no tables: told to wait for a recorder, and makes none', async () => {
    const none = await open('seller');
    expect(none).toMatchObject({ ok: false, fault: { kind: 'refused' } });
    expect(JSON.stringify(none)).toMatch(/has no tables yet: start a process that records/);
    // Nor does the account with all rights, in a process that only reads.
    expect(JSON.stringify(await open('perpmeter'))).toMatch(/has no tables yet/);
  });

  it('cannot make them, even where its process is told to record', async () => {
    const made = await openStore(engine('seller'));
    expect(JSON.stringify(made)).toContain('ACCESS_DENIED');
  });

  it('tables of another version: told both versions', async () => {
    owner = valueIn(await openStore(engine('perpmeter')));
    await run(`ALTER TABLE migrations DELETE WHERE id = ${NEWEST_HISTORY} SETTINGS mutations_sync = 2`);
    const older = `format version ${NEWEST_HISTORY - 1}, this build of perpmeter reads version ${NEWEST_HISTORY}: start a process that records`;
    expect(JSON.stringify(await open('seller'))).toContain(older);
    await run(`INSERT INTO migrations (id, name) VALUES (${NEWEST_HISTORY + 1}, 'newer')`);
    expect(JSON.stringify(await open('seller'))).toContain(`knows versions up to ${NEWEST_HISTORY}`);
    await run(`ALTER TABLE migrations DELETE WHERE id = ${NEWEST_HISTORY + 1} SETTINGS mutations_sync = 2`);
    await owner.close();
    // A recorder of this build does this.
    owner = valueIn(await openStore(engine('perpmeter')));
    expect((await open('seller')).ok).toBe(true);
  });

  it('reads everything that is sold, as the account with all rights does', async () => {
    const { clock, timer } = new ManualTime(NOW);
    await loadLog(owner, log);
    valueIn(await recordDeclared(owner, NOW));
    const rollUps = new RollUps({
      store: owner,
      clock,
      timer,
      logger: silentLogger,
      oldestWaiting: () => undefined,
    });
    valueIn(await rollUps.refresh());
    await rollUps.work();
    const { symbol } = log.settlements.find(({ value }) => value.venue === venue)?.value ?? { symbol: '' };
    const fee = `${venue}\t${symbol}\t${log.from / 1000}\t5\t${NOW}`;
    const columns = ['venue', 'symbol', 'ts', 'taker_bps', 'recorded_at'];
    valueIn(await owner.insert({ table: 'fees', columns, lines: [fee] }));
    const all = valueIn(await open('perpmeter'));
    const seller = valueIn(await open('seller'));
    expect(seller.state().part).toBe('reader');
    for (const [name, ask] of Object.entries(QUESTIONS)) {
      const answer = valueIn(await ask(seller.reader));
      expect(JSON.stringify(answer)?.length, name).toBeGreaterThan(20);
      expect(answer, name).toEqual(valueIn(await ask(all.reader)));
    }
  });

  it('is told within its patience that no server answers', async () => {
    for (const server of servers) server.pause();
    const none = await openStore({ ...engine('seller'), readsOnly: true, readPatienceMs: 200 });
    for (const server of servers) server.resume();
    expect(none).toMatchObject({ ok: false, fault: { kind: 'unavailable' } });
  });

  it.each([
    'INSERT INTO samples_local SELECT * FROM samples_local',
    'INSERT INTO samples SELECT * FROM samples',
    "INSERT INTO migrations (id, name) VALUES (99, 'forged')",
    'DROP TABLE samples_local',
    'DROP DATABASE perpmeter',
    'TRUNCATE TABLE hours_local',
    'ALTER TABLE samples_local DELETE WHERE 1',
    "ALTER TABLE samples_local DROP PARTITION '20261020'",
    'DELETE FROM settlements_local WHERE 1',
    'CREATE TABLE forged (x UInt8) ENGINE = Memory',
    'CREATE TEMPORARY TABLE forged (x UInt8)',
    'CREATE DATABASE forged',
    "CREATE USER forged IDENTIFIED BY 'x'",
    'GRANT INSERT ON perpmeter.* TO seller',
    'OPTIMIZE TABLE samples_local',
    'SYSTEM FLUSH DISTRIBUTED samples',
    'SYSTEM STOP MERGES samples_local',
    // As the account by which servers ask each other.
    `INSERT INTO FUNCTION cluster('${CLUSTER}', perpmeter, migrations) VALUES (99, 'forged', now())`,
    `SELECT * FROM cluster('${CLUSTER}', system, users)`,
    "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString', 's String')",
    "SELECT * FROM file('/etc/hostname', 'LineAsString', 's String')",
    'SELECT * FROM system.users',
  ])('may not: %s', async (sql) => {
    const [url = ''] = engine('seller').urls;
    const { username, password, origin } = new URL(url);
    const headers = { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': password };
    const body = { method: 'POST', body: sql, headers };
    const answer = await fetch(`${origin}/?database=perpmeter`, body);
    expect(await answer.text()).toContain('ACCESS_DENIED');
  });

  it('has the grants of the manual', () => {
    const given = [...USERS.matchAll(/<query>(.+)<\/query>/g)].map(([, grant]) => `${grant} TO seller;`);
    expect(given.length).toBeGreaterThan(0);
    expect([...MANUAL.matchAll(/^\s*(GRANT .+;)$/gm)].map(([, grant]) => grant)).toEqual(given);
  });
});
