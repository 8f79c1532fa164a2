import { randomUUID } from 'node:crypto';
import { Repeats } from '../runtime/repeats.ts';
import { systemTimer, type Timer, wait } from '../runtime/timer.ts';
import type { HistoryStore, StoreResult } from './store.ts';

const POLL_MS = 500;
/** The holder renews its mark this often. */
const TOLD_MS = 10_000;
/** A holder without a renewal for so long is gone. */
const STALE_S = 60;

const statement = (sql: string) => ({ sql, params: {} });
const OF_LOCK = "FROM system.tables WHERE database = currentDatabase() AND name = 'migrating'";
const HOLDER = statement(`SELECT comment ${OF_LOCK}`);
const REMOVE = statement('DROP TABLE IF EXISTS migrating SYNC');
const AGE = statement(`SELECT dateDiff('second', metadata_modification_time, now()) ${OF_LOCK}`);

/**
 * Does what changes the tables of a node while no other process does. A table stands for the lock: of those who
 * make it at once, one succeeds. The others wait for as long as that one says that it is there, and a minute more
 * where it has died.
 */
export async function migrateAlone(
  node: HistoryStore,
  work: () => Promise<StoreResult<void>>,
  staleSeconds = STALE_S,
  timer: Timer = systemTimer,
): Promise<StoreResult<void>> {
  // A folder has one process.
  if (node.engine === 'embedded') return work();
  const holder = randomUUID();
  const taken = await take(node, holder, staleSeconds);
  if (!taken.ok) return taken;
  const telling = new Repeats(timer);
  telling.every(TOLD_MS, () => void tell(node, holder));
  try {
    return await work();
  } finally {
    telling.stop();
    // Another process that found it silent for too long has set a mark of its own.
    if (await isHeldBy(node, holder)) await node.run(REMOVE);
  }
}

/** As one who writes: a statement of the work, which may take minutes, holds the one client that maintains. */
const BESIDE = 'write';

async function tell(node: HistoryStore, holder: string): Promise<void> {
  if (!(await isHeldBy(node, holder))) return;
  await node.run(statement(`ALTER TABLE migrating MODIFY COMMENT '${holder} ${Date.now()}'`), BESIDE);
}

async function isHeldBy(node: HistoryStore, holder: string): Promise<boolean> {
  const found = await node.select(HOLDER, BESIDE);
  return found.ok && String(found.value[0]?.[0] ?? '').startsWith(holder);
}

async function take(node: HistoryStore, holder: string, staleSeconds: number): Promise<StoreResult<void>> {
  const make = statement(`CREATE TABLE migrating (x UInt8) ENGINE = Memory COMMENT '${holder}'`);
  for (;;) {
    const made = await node.run(make);
    if (made.ok || !made.fault.message.startsWith('TABLE_ALREADY_EXISTS')) return made;
    const age = await node.select(AGE, 'maintain');
    if (!age.ok) return age;
    const [seconds] = age.value[0] ?? [];
    if (seconds !== undefined && Number(seconds) > staleSeconds) {
      const removed = await node.run(REMOVE);
      if (!removed.ok) return removed;
    } else await wait(POLL_MS);
  }
}
