import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { asMs } from '../../src/domain/units.ts';
import { openMarketStore } from '../../src/market/store-lmdb.ts';
import { openProgress } from '../../src/modules/backfill/progress.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import { PAYMENT_STATES } from '../../src/pay/record.ts';
import { createRecordJson } from '../../src/pay/record-json.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';

const RAW = { encoding: 'binary', keyEncoding: 'binary' } as const;

/** An entry of a table as bytes in hexadecimal; table '' is the root. */
interface Line {
  readonly store: string;
  readonly table: string;
  readonly key: string;
  readonly value: string;
}

/** The root's own entries and those of the named tables, which need not be all there are. */
export function* dumpOf(
  root: RootDatabase<Buffer, Buffer>,
  store: string,
  names: readonly string[],
): Generator<Line> {
  const line = (table: string, key: Buffer, value: Buffer): Line => ({
    store,
    table,
    key: key.toString('hex'),
    value: value.toString('hex'),
  });
  for (const { key, value } of root.getRange()) {
    // A table's name ends with a zero byte, and its entry is what LMDB keeps of a table.
    if (names.some((name) => key.equals(Buffer.from(`${name}\0`)))) continue;
    yield line('', key, value);
  }
  for (const name of names) {
    for (const { key, value } of root.openDB<Buffer, Buffer>({ name, ...RAW }).getRange()) {
      yield line(name, key, value);
    }
  }
}

/** Puts the stores of a dump into a folder, byte by byte; what their build read of them. */
export async function restoreDump(name: string, folder: string): Promise<unknown> {
  const text = readFileSync(new URL(`./stores/${name}.jsonl`, import.meta.url), 'utf8');
  const lines = text.trimEnd().split('\n');
  const last: unknown = JSON.parse(lines.pop() ?? '');
  const roots = new Map<string, RootDatabase<Buffer, Buffer>>();
  const tables = new Map<string, Database<Buffer, Buffer>>();
  for (const line of lines) {
    const { store, table, key, value }: Line = JSON.parse(line);
    const root = roots.get(store) ?? open<Buffer, Buffer>({ path: join(folder, store), maxDbs: 16, ...RAW });
    roots.set(store, root);
    const place = `${store}/${table}`;
    const into =
      tables.get(place) ?? (table === '' ? root : root.openDB<Buffer, Buffer>({ name: table, ...RAW }));
    tables.set(place, into);
    into.putSync(Buffer.from(key, 'hex'), Buffer.from(value, 'hex'));
  }
  for (const root of roots.values()) await root.close();
  return last;
}

/** A build's reading of all three stores, as JSON. */
export async function readings(folder: string): Promise<unknown> {
  const ledger = openLmdbStore(join(folder, 'ledger'), { formats: FORMATS });
  const market = openMarketStore(join(folder, 'market'));
  const notes = openProgress(join(folder, 'backfill'));
  const payments = await ledger.list({ limit: 100 });
  const rows = createRecordJson(FORMATS);
  const receipts = await Promise.all(
    payments.map(async (record) => (await ledger.readReceipts(record)) ?? null),
  );
  const read = {
    // Builds before version 3 kept the path alone.
    payments: payments.map((payment) => {
      const { resource, ...row } = JSON.parse(rows.write(payment)) as Record<string, unknown>;
      return { ...row, path: resource };
    }),
    found: await Promise.all(payments.map(async ({ key }) => (await ledger.read(key))?.state)),
    answers: await Promise.all(
      payments.map(async (record) => (await ledger.readAnswer(record))?.body.toString('utf8') ?? null),
    ),
    // Builds before version 5 kept none.
    receipts: receipts.some((kept) => kept !== null) ? receipts : undefined,
    due: (await ledger.due(asMs(2 ** 47), 100, new Set(PAYMENT_STATES))).map(({ key }) => key),
    identities: market.identities.load(),
    sourceIds: ['hyperliquid-xyz', 'hyperliquid-flx'].map((venue) => market.sourceIds.idOf(venue)),
    decisions: market.decisions.since(0),
    filled: [
      notes.filledTo('binance', 'BTCUSDT', asMs(0)),
      notes.filledTo('okx', 'ETH-USDT-SWAP', asMs(Date.UTC(2026, 10, 19, 12))),
    ],
  };
  await Promise.all([ledger.close(), market.close(), notes.close()]);
  return JSON.parse(JSON.stringify(read));
}

/** The reading after an upgrade of version 1: all data, but for the back-fill's notes, which begin again. */
export const upgraded = (before: unknown): unknown => {
  const { readings: read } = before as { readings: Record<string, unknown> };
  return { readings: { ...read, filled: [null, null] } };
};
