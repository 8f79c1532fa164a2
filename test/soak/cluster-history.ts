import { checkHistory } from '../../src/cli/history-check.ts';
import { openStore } from '../../src/history/open-store.ts';
import { ALL_VENUES } from '../../src/history/status-watch.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { wait } from '../../src/runtime/timer.ts';
import { CLUSTER_VENUES, type Cluster } from '../feed/cluster.ts';
import { healthOf, type Member } from '../feed/member.ts';
import { type ClickHouseServer, serverObstacle, startCluster } from '../history/clickhouse-server.ts';
import { valueIn } from '../history/load.ts';
import { Relay, type RelayMode } from '../pay/relay.ts';
import { diskObstacle, mountSmallDisk, type SmallDisk } from '../small-disk.ts';

const NAME = 'soak';
const SHARDS = 2;
/** Room for the first shard. */
const DISK_MB = 300;
const RECORDERS = 2;
const MINUTE_S = MINUTE_MS / 1000;
const POLL_MS = 250;
/** Of an answer, where a process may be stopped. */
const HEARD_MS = 2000;
/** Rows begun before it may still be written. */
const NEWEST_MS = 4 * MINUTE_MS;

/** A process that keeps the history, or stands by. */
export interface RecorderMember extends Member {
  /** The network between it and the shards. */
  readonly store: { set(mode: RelayMode): void };
}

/** The history's content at the end. */
export interface HistoryBalance {
  /** Minutes of venues that are stored. */
  readonly minutes: number;
  /** Minutes of venues that are missing and noted as a gap. */
  readonly noted: number;
  /** Minutes of these that nothing explains. */
  readonly unfounded: number;
  /** Minutes of venues that are missing and not noted. */
  readonly unexplained: number;
  /** Rows of a contract's minute that is there already. */
  readonly duplicates: number;
}

interface Links {
  readonly urls: readonly string[];
  set(mode: RelayMode): void;
}

/** Two shards, and the recorders that write to them. */
export class ClusterHistory {
  readonly shards: readonly ClickHouseServer[];
  /** The disk of the first shard; undefined where no small disk can be made here. */
  readonly disk: SmallDisk | undefined;
  readonly #links: readonly Links[];
  recorders: readonly RecorderMember[] = [];

  private constructor(
    shards: readonly ClickHouseServer[],
    disk: SmallDisk | undefined,
    links: readonly Links[],
  ) {
    this.shards = shards;
    this.disk = disk;
    this.#links = links;
  }

  /**
   * Starts the shards; undefined where this machine cannot.
   *
   * @param ends what ends them, first to last
   */
  static async start(ends: (() => Promise<unknown>)[]): Promise<ClusterHistory | undefined> {
    if (serverObstacle() !== undefined) return undefined;
    const disk = diskObstacle() === undefined ? await mountSmallDisk(DISK_MB) : undefined;
    ends.unshift(async () => disk?.remove());
    const shards = await startCluster(NAME, SHARDS, { within: disk === undefined ? [] : [disk.path] });
    ends.unshift(() => Promise.all(shards.map((shard) => shard.remove())));
    const links: Links[] = [];
    for (let i = 0; i < RECORDERS; i++) {
      const relays = await Promise.all(shards.map(({ url }) => Relay.start(Number(new URL(url).port))));
      ends.unshift(() => Promise.all(relays.map((relay) => relay.stop())));
      links.push({
        urls: relays.map(({ port }) => `http://127.0.0.1:${port}`),
        set: (mode) => relays.forEach((relay) => void relay.set(mode)),
      });
    }
    return new ClusterHistory(shards, disk, links);
  }

  async begin(cluster: Cluster): Promise<void> {
    const recorders: RecorderMember[] = [];
    for (const [i, store] of this.#links.entries()) {
      const member = await cluster.recorder(i + 1, {
        PERPMETER_CLICKHOUSE_URL: store.urls.join(','),
        PERPMETER_CLICKHOUSE_CLUSTER: NAME,
      });
      recorders.push(Object.assign(member, { store }));
    }
    this.recorders = recorders;
  }

  /** The writer of this moment; undefined = none claims to be. */
  async writer(): Promise<RecorderMember | undefined> {
    const asked = this.recorders.map(async (recorder) => {
      const { store } = await healthOf(recorder, HEARD_MS);
      return store.part === 'writer' ? recorder : Promise.reject(new Error(`${recorder.name} stands by`));
    });
    // One that is paused gives no answer, and is not waited for where another writes.
    return Promise.any(asked).catch(() => undefined);
  }

  /** The parts it lacks to have one that writes, and others that stand by. */
  async lacks(): Promise<readonly string[]> {
    const all = await Promise.all(this.recorders.map((recorder) => healthOf(recorder)));
    const parts = all.map(({ store }) => store.part);
    const isOne = parts.filter((part) => part === 'writer').length === 1;
    return [
      ...(isOne && parts.every((part) => part !== 'reader') ? [] : [`recorders ${parts.join(' and ')}`]),
      ...all.flatMap(({ store, feed, venues }, i) => [
        ...(store.part !== 'writer' || store.mode === 'writing' ? [] : [`recorder ${i + 1} ${store.mode}`]),
        ...(feed.ok ? [] : [`recorder ${i + 1} without feed`]),
        ...(venues.live === CLUSTER_VENUES.length ? [] : [`${venues.live} venues live at recorder ${i + 1}`]),
      ]),
    ];
  }

  /**
   * Checks every minute of every venue against what is stored and what is noted as missing.
   *
   * @param isExplained whether something was wrong at this time, Unix ms, for which it may be missing
   */
  async balance(isExplained: (time: number) => boolean): Promise<HistoryBalance> {
    const urls = this.shards.map(({ url }) => url);
    const store = valueIn(await openStore({ engine: 'server', urls, cluster: NAME }));
    try {
      await untilStored(store, Date.now());
      for (const table of ['samples', 'gaps']) valueIn(await store.deliver(table));
      const { days, gaps } = valueIn(await checkHistory(store));
      const stored = await minutesOf(store);
      const all = [...stored.values()].flatMap((minutes) => [...minutes]);
      const from = Math.min(...all);
      const to = Math.max(...all);
      let noted = 0;
      let unfounded = 0;
      let unexplained = 0;
      for (const venue of CLUSTER_VENUES) {
        for (let minute = from; minute <= to; minute += MINUTE_S) {
          if (stored.get(venue)?.has(minute)) continue;
          const isNoted = gaps.some(
            (gap) => [venue, ALL_VENUES].includes(gap.venue) && gap.from <= minute && minute <= gap.until,
          );
          if (!isNoted) {
            unexplained += 1;
            console.log(`not noted: ${venue}, ${new Date(minute * 1000).toISOString()}`);
          } else noted += 1;
          if (isNoted && !isExplained(minute * 1000)) unfounded += 1;
        }
      }
      // Two recorders that take the same minute do so at different moments.
      const duplicates = days.reduce((sum, day) => sum + day.duplicates + day.revisions, 0);
      return { minutes: all.length, noted, unfounded, unexplained, duplicates };
    } finally {
      await store.close();
    }
  }
}

/** Full minutes of which something is stored, Unix seconds, by venue. */
async function minutesOf(store: HistoryStore): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const sql = "SELECT DISTINCT venue, toUnixTimestamp(ts) FROM samples WHERE origin = 'sampled'";
  const found = new Map<string, Set<number>>();
  for (const [venue, at] of valueIn(await store.select({ sql, params: {} }))) {
    const minutes = found.get(String(venue)) ?? new Set();
    found.set(String(venue), minutes.add(Number(at)));
  }
  return found;
}

/** Waits until a minute that began after this moment is stored of every venue. */
async function untilStored(store: HistoryStore, after: number): Promise<void> {
  const until = after + NEWEST_MS;
  const isStored = (minutes: ReadonlySet<number>): boolean => Math.max(...minutes) * 1000 >= after;
  for (;;) {
    const found = [...(await minutesOf(store)).values()];
    if (found.length === CLUSTER_VENUES.length && found.every(isStored)) return;
    if (Date.now() > until) throw new Error(`the history took nothing within ${NEWEST_MS} ms`);
    await wait(POLL_MS);
  }
}
