import { describe, expect, it } from 'vitest';
import { ManualTime } from '../../test/collect/manual-time.ts';
import { migrateAlone } from './migration-lock.ts';
import { type ConnectionRole, type HistoryStore, notStored, stored } from './store.ts';

const unused = () => Promise.resolve(notStored('refused', 'not asked for here'));

/** A server that has the table of the lock and nothing else, with one client of each role, as a real one. */
class LockServer {
  comment: string | undefined;
  /** When it was last changed, on the clock of the test. */
  heartbeatAt = 0;
  readonly #time: ManualTime;
  readonly #busy = new Map<ConnectionRole, Promise<unknown>>();

  constructor(time: ManualTime) {
    this.#time = time;
  }

  readonly store: HistoryStore = {
    engine: 'server',
    insert: unused,
    runOnNodes: unused,
    selectOnNodes: unused,
    deliver: unused,
    run: ({ sql }, role = 'maintain') => this.hold(role, async () => this.#run(sql)),
    select: ({ sql }, role = 'read') => this.hold(role, async () => this.#select(sql)),
    close: async () => {},
  };

  /** Does work with the one client of a role, after what was asked of it before. */
  hold<T>(role: ConnectionRole, work: () => Promise<T>): Promise<T> {
    const made = (this.#busy.get(role) ?? Promise.resolve()).then(work);
    this.#busy.set(role, made);
    return made;
  }

  #run(sql: string) {
    const text = /COMMENT '([^']*)'/.exec(sql)?.[1];
    const isThere = this.comment !== undefined;
    if (sql.startsWith('CREATE') && isThere) return notStored('refused', 'TABLE_ALREADY_EXISTS: migrating');
    if (sql.startsWith('ALTER') && !isThere) return notStored('refused', 'UNKNOWN_TABLE: migrating');
    this.comment = sql.startsWith('DROP') ? undefined : text;
    this.heartbeatAt = this.#time.now;
    return stored(undefined);
  }

  #select(sql: string) {
    if (this.comment === undefined) return stored([]);
    return stored([[sql.includes('dateDiff') ? (this.#time.now - this.heartbeatAt) / 1000 : this.comment]]);
  }
}

/** A migration that is under way until the test ends it. */
async function begun() {
  const time = new ManualTime();
  const server = new LockServer(time);
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // One statement that takes minutes.
  const work = () => server.hold('maintain', () => ended.then(() => stored(undefined)));
  const done = migrateAlone(server.store, work, 60, time.timer);
  await time.advance(0);
  return { time, server, done, end };
}

describe('the lock of a migration', () => {
  it('shows that it is held while one statement takes minutes', async () => {
    const { time, server, done, end } = await begun();
    await time.advance(10 * 60_000);
    expect(time.now - server.heartbeatAt).toBeLessThanOrEqual(10_000);
    end();
    expect(await done).toEqual(stored(undefined));
    expect(server.comment).toBeUndefined();
  });

  it('a lease taken over by another: left alone, and shown as not held', async () => {
    const { time, server, done, end } = await begun();
    server.comment = 'of another';
    server.heartbeatAt = time.now;
    const takenAt = time.now;
    await time.advance(60_000);
    end();
    await done;
    expect(server).toMatchObject({ comment: 'of another', heartbeatAt: takenAt });
  });
});
