import { wait } from '../runtime/timer.ts';
import type { HistoryStore, StoreResult } from './store.ts';

const LOOK_MS = 500;
/** Whoever holds it says so this often. */
const TOLD_MS = 10_000;
/** Whoever has not said so for so long is gone. */
const STALE_S = 60;

const statement = (sql: string) => ({ sql, params: {} });
const MAKE = statement('CREATE TABLE migrating (x UInt8) ENGINE = Memory');
const TELL = statement("ALTER TABLE migrating MODIFY COMMENT 'the tables are being brought up to date'");
const REMOVE = statement('DROP TABLE IF EXISTS migrating SYNC');
const AGE = statement(
  "SELECT dateDiff('second', metadata_modification_time, now()) FROM system.tables WHERE database = currentDatabase() AND name = 'migrating'",
);

/**
 * Does what changes the tables of a node while no other process does. A table stands for the lock: of those who make it at once, one
 * succeeds. The others wait for as long as that one says that it is there, and a minute more where it has died.
 */
export async function migrateAlone(
  node: HistoryStore,
  work: () => Promise<StoreResult<void>>,
  staleSeconds = STALE_S,
): Promise<StoreResult<void>> {
  // A folder has one process.
  if (node.engine === 'embedded') return work();
  const taken = await take(node, staleSeconds);
  if (!taken.ok) return taken;
  const telling = setInterval(() => void node.run(TELL), TOLD_MS);
  try {
    return await work();
  } finally {
    clearInterval(telling);
    await node.run(REMOVE);
  }
}

async function take(node: HistoryStore, staleSeconds: number): Promise<StoreResult<void>> {
  for (;;) {
    const made = await node.run(MAKE);
    if (made.ok || !made.fault.message.startsWith('TABLE_ALREADY_EXISTS')) return made;
    const age = await node.select(AGE, 'maintain');
    if (!age.ok) return age;
    const [seconds] = age.value[0] ?? [];
    if (seconds !== undefined && Number(seconds) > staleSeconds) {
      const removed = await node.run(REMOVE);
      if (!removed.ok) return removed;
    } else await wait(LOOK_MS);
  }
}
