import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import { Connection } from '../../src/modules/shared-ledger/server/connection.ts';
import { SharedPlace } from '../../src/modules/shared-ledger/tables/open-tables.ts';
import { TABLES_SERVER } from '../../src/modules/shared-ledger/tables/schema.ts';
import type { Tables } from '../../src/modules/tables/tables.ts';
import { WATCH_FORMAT, WatchTables } from '../../src/modules/watch/watch-store.ts';
import { emptyLedger, type PostgresServer, postgresObstacle, sharedServer } from '../pay/postgres-server.ts';
import { Relay } from '../pay/relay.ts';
import { until } from '../until.ts';
import { conditionFrom, marketRig, type WatchRigOptions, watchRig } from './watch-rig.ts';

export const obstacle = postgresObstacle();
export const ends: (() => Promise<unknown>)[] = [];
export let server: PostgresServer;
/** Gone after the test. */
export let folder: string;

/** Has each test of a file begin with an empty server. */
export function emptyServerForEach(): void {
  beforeEach(async () => {
    if (obstacle !== undefined) return;
    await emptyLedger();
    server = await sharedServer();
    folder = mkdtempSync(join(tmpdir(), 'shared-watches-'));
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
}

/** A host's connection to the server, which can be cut. @param clock of the host */
export async function placeOf(clock?: Clock) {
  const relay = await Relay.start(server.port);
  ends.push(() => relay.stop());
  const place = new SharedPlace(server.url('postgres', 'seller', relay.port), clock);
  ends.push(() => place.close());
  return { relay, place };
}

/** Tables of one host, with a copy of its own. */
export async function tablesOf(name: string, space = 'watches', format = WATCH_FORMAT) {
  const { relay, place } = await placeOf();
  const tables: Tables = await place.open(space, join(folder, name), format);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await tables.close();
    isOpen = false;
  };
  ends.push(close);
  const connection = new Connection(server.url('postgres', 'seller'), TABLES_SERVER);
  ends.push(() => connection.close());
  return { relay, tables, close, connection };
}

/**
 * Two hosts over one market, which see the same prices; each has a connection of its own.
 *
 * @param part watches that a host writes at once
 */
export async function hosts({ part }: Pick<WatchRigOptions, 'part'> = {}) {
  const market = marketRig();
  market.list('binance', ['BTC']);
  const quote = (rate: number): void =>
    market.tape.sinks.market.quotes(
      'binance',
      [{ symbol: 'BTCUSDT', markPrice: 100, fundingRate: rate, fundingIntervalHours: 8 } as never],
      market.now(),
    );
  quote(CALM);
  const host = async (owner: string) => {
    const { relay, tables } = await tablesOf(owner);
    const rig = watchRig(market, { owner, part, store: new WatchTables(tables) });
    ends.push(() => rig.close());
    await until(() => expect(rig.store.mark).toMatch(/^[0-9a-f]{8}$/));
    return { ...rig, relay, tables, now: market.now };
  };
  const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005, reset: 0.0003 });
  const a = await host('a');
  const b = await host('b');
  return { market, quote, host, a, b, condition };
}

export type HostOf = Awaited<ReturnType<typeof hosts>>['a'];

export const CALM = 0.0001;
export const HIGH = 0.0006;

/** A sale of a watch as a host hears it; its id and its secret. */
export async function buy(
  host: HostOf,
  condition: object,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { id, secret } = await host.desk.offer(condition as never, 1);
  const began_at = new Date(host.now()).toISOString();
  const body = Buffer.from(JSON.stringify({ id, secret, condition, days: 1, began_at }));
  await host.desk.sold({ key: `sale of ${id}`, payer: '0xBuyer' }, { body });
  return { id, secret };
}

export const sequences = (host: HostOf, id: string): readonly number[] =>
  host.store.firings(id, 0, 100).map(({ seq }) => seq);
