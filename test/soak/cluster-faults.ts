import { SECOND_MS } from '../../src/runtime/duration.ts';
import { wait } from '../../src/runtime/timer.ts';
import type { Member } from '../feed/member.ts';
import type { RelayMode } from '../pay/relay.ts';
import type { RecorderMember } from './cluster-history.ts';
import type { ClusterMarket, SellerMember } from './cluster-market.ts';

/** Possible victims of a fault. */
export interface Victims
  extends Pick<ClusterMarket, 'cluster' | 'ledger' | 'disk' | 'feedDisk' | 'random' | 'history'> {
  /** Holds most leases. */
  readonly holder: Member;
  readonly standBy: Member;
  readonly seller: SellerMember;
  /** Writes the history; undefined where none is kept. */
  readonly writer: RecorderMember | undefined;
}

export interface ClusterFault {
  readonly name: string;
  /**
   * The part that it ends. `lease`: another collector has to take over. `venues`: so it has, once they are not
   * live at their holder. `bus`: no process can take a lease until its servers agree again; `reach`: a server
   * of the feed goes on without the others, and its clients have to leave it; `history`: another recorder has
   * to take over; `nothing`: sales may pause.
   */
  readonly ends: 'lease' | 'venues' | 'bus' | 'reach' | 'history' | 'nothing';
  /** Minutes of the history may be missing for it, also some that are so far from it, ms; by default where it ends something, 0. */
  readonly missesWithin?: number;
  /** True if the delivering process, or its ledger, may end before it is noted that an answer has arrived. */
  readonly losesNotes?: boolean;
  /** False where this machine cannot do it. */
  readonly isPossible?: (victims: Victims) => boolean;
  /** So long it is looked whether something is not sold; by default as long as servers need to choose a leader. */
  readonly lastsMs?: number;
  /** Begins it; what is returned ends it. */
  readonly begin: (victims: Victims) => Promise<() => Promise<void>>;
}

type Who = (victims: Victims) => Member;
const holder: Who = (victims) => victims.holder;
const standBy: Who = (victims) => victims.standBy;
const seller: Who = (victims) => victims.seller;

const writer: Who = ({ writer }) => {
  if (writer === undefined) throw new Error('nobody writes a history');
  return writer;
};

async function again(member: Member): Promise<void> {
  await member.child.exited;
  member.child = member.begin();
}

const signalled = (who: Who, signal: 'SIGKILL' | 'SIGTERM'): ClusterFault['begin'] => {
  return async (victims) => {
    const member = who(victims);
    member.child.process.kill(signal);
    return () => again(member);
  };
};

const paused = (who: Who): ClusterFault['begin'] => {
  return async (victims) => {
    const { process } = who(victims).child;
    process.kill('SIGSTOP');
    return async () => void process.kill('SIGCONT');
  };
};

/** Data on its way when the network came back is lost with its connections. */
function mended(network: { set(mode: RelayMode): void }): void {
  network.set('cut');
  network.set('open');
}

const linked = (
  of: (victims: Victims) => { set(mode: RelayMode): void } | undefined,
  mode: RelayMode,
): ClusterFault['begin'] => {
  return async (victims) => {
    const network = of(victims);
    network?.set(mode);
    return async () => {
      // Late data still arrives.
      if (mode === 'slow') network?.set('open');
      else if (network !== undefined) mended(network);
    };
  };
};

/** A process reads its clock from the file again within a second. */
const CLOCK_READ_MS = 1500;

type ClockFault = Pick<ClusterFault, 'isPossible' | 'begin' | 'missesWithin'>;

const clock = (who: Who, seconds: number): ClockFault => ({
  // A collector's makes rows older, a recorder's takes a minute before or after its time.
  missesWithin: Math.abs(seconds) * SECOND_MS,
  isPossible: (victims) => who(victims).setClock !== undefined,
  begin: async (victims) => {
    const { setClock } = who(victims);
    setClock?.(seconds);
    return async () => {
      setClock?.(0);
      // It is well only when that has been read.
      await wait(CLOCK_READ_MS);
    };
  },
});

/** The same of who writes the history. */
const recorderClock = (seconds: number): ClockFault => ({
  ...clock(writer, seconds),
  isPossible: ({ history, writer }) => history !== undefined && writer?.setClock !== undefined,
});

const bus = (which: 'leader' | 'any', signal: 'SIGKILL' | 'SIGSTOP'): ClusterFault['begin'] => {
  return async ({ cluster, random }) => {
    const server = which === 'leader' ? await cluster.leader() : random.pick(cluster.servers);
    server.signal(signal);
    return async () => (signal === 'SIGKILL' ? server.begin() : server.signal('SIGCONT'));
  };
};

/** Longer than a client takes to find another server: holders go on for fifteen seconds. */
const APART_MS = 30_000;

/** The server that a process is connected to cannot reach the others, and answers. */
const apart = (who: Who, mode: RelayMode): Omit<ClusterFault, 'name'> => ({
  ends: 'reach',
  lastsMs: APART_MS,
  begin: async (victims) => {
    const { cluster } = victims;
    const server = who(victims).feed.server();
    cluster.separate(server, mode);
    return async () => mended({ set: (next) => cluster.separate(server, next) });
  },
});

/** A fault of the history, where one is kept. */
const recording = (fault: Pick<ClusterFault, 'name' | 'ends' | 'begin'>): ClusterFault => ({
  missesWithin: 0,
  ...fault,
  isPossible: ({ history }) => history !== undefined,
});

const shard = (how: 'kill' | 'pause'): ClusterFault['begin'] => {
  return async ({ history, random }) => {
    const server = random.pick(history?.shards ?? []);
    await server[how]();
    return async () => (how === 'kill' ? server.restart() : server.resume());
  };
};

const ledgerEnded = (signal: 'SIGINT' | 'SIGQUIT'): ClusterFault['begin'] => {
  return async ({ ledger }) => {
    await ledger.signal(signal);
    return () => ledger.begin();
  };
};

export const CLUSTER_FAULTS: readonly ClusterFault[] = [
  { name: 'kill holder', ends: 'lease', begin: signalled(holder, 'SIGKILL') },
  { name: 'pause holder', ends: 'lease', begin: paused(holder) },
  { name: 'stop holder', ends: 'lease', begin: signalled(holder, 'SIGTERM') },
  { name: 'cut holder', ends: 'lease', begin: linked(({ holder }) => holder.feed, 'cut') },
  { name: 'silence holder', ends: 'lease', begin: linked(({ holder }) => holder.feed, 'silent') },
  { name: 'deafen holder', ends: 'lease', begin: linked(({ holder }) => holder.feed, 'deaf') },
  { name: 'slow holder', ends: 'nothing', begin: linked(({ holder }) => holder.feed, 'slow') },
  { name: 'cut venues', ends: 'venues', begin: linked(({ holder }) => holder.venues, 'silent') },
  { name: 'kill stand-by', ends: 'nothing', missesWithin: 0, begin: signalled(standBy, 'SIGKILL') },
  { name: 'pause stand-by', ends: 'nothing', missesWithin: 0, begin: paused(standBy) },
  { name: 'kill seller', ends: 'nothing', losesNotes: true, begin: signalled(seller, 'SIGKILL') },
  { name: 'stop seller', ends: 'nothing', begin: signalled(seller, 'SIGTERM') },
  { name: 'pause seller', ends: 'nothing', begin: paused(seller) },
  { name: 'silence seller', ends: 'nothing', begin: linked(({ seller }) => seller.feed, 'silent') },
  { name: 'slow seller', ends: 'nothing', begin: linked(({ seller }) => seller.feed, 'slow') },
  {
    name: 'cut ledger',
    ends: 'nothing',
    losesNotes: true,
    begin: linked(({ seller }) => seller.ledger, 'cut'),
  },
  {
    name: 'silence ledger',
    ends: 'nothing',
    losesNotes: true,
    begin: linked(({ seller }) => seller.ledger, 'silent'),
  },
  {
    name: 'deafen ledger',
    ends: 'nothing',
    losesNotes: true,
    begin: linked(({ seller }) => seller.ledger, 'deaf'),
  },
  { name: 'slow ledger', ends: 'nothing', begin: linked(({ seller }) => seller.ledger, 'slow') },
  { name: 'restart ledger', ends: 'nothing', losesNotes: true, begin: ledgerEnded('SIGINT') },
  { name: 'crash ledger', ends: 'nothing', losesNotes: true, begin: ledgerEnded('SIGQUIT') },
  {
    name: 'fill disk',
    ends: 'nothing',
    losesNotes: true,
    isPossible: ({ disk }) => disk !== undefined,
    begin: async ({ disk, ledger }) => {
      disk?.fill();
      return async () => {
        disk?.clear();
        // A server that could not write may have given up.
        if (ledger.hasEnded) await ledger.begin();
      };
    },
  },
  { name: 'kill bus leader', ends: 'bus', begin: bus('leader', 'SIGKILL') },
  { name: 'pause bus leader', ends: 'bus', begin: bus('leader', 'SIGSTOP') },
  { name: 'kill bus server', ends: 'bus', begin: bus('any', 'SIGKILL') },
  {
    name: 'fill disk of bus server',
    ends: 'bus',
    isPossible: ({ feedDisk }) => feedDisk !== undefined,
    begin: async ({ cluster, feedDisk }) => {
      feedDisk?.disk.fill();
      return async () => {
        feedDisk?.disk.clear();
        // As docs/cluster-faults.md has it: one that could not write keeps nothing any more, and may not catch
        // up with what it had.
        const server = cluster.servers[feedDisk?.server ?? -1];
        await server?.end();
        server?.forget();
        await server?.begin();
      };
    },
  },
  { name: 'cut off bus of seller', ...apart(seller, 'cut') },
  { name: 'cut off bus of holder', ...apart(holder, 'silent') },
  recording({ name: 'kill recorder', ends: 'history', begin: signalled(writer, 'SIGKILL') }),
  recording({ name: 'pause recorder', ends: 'history', begin: paused(writer) }),
  recording({ name: 'stop recorder', ends: 'history', begin: signalled(writer, 'SIGTERM') }),
  recording({
    name: 'silence recorder',
    ends: 'history',
    begin: linked((victims) => writer(victims).feed, 'silent'),
  }),
  recording({ name: 'cut history', ends: 'nothing', begin: linked(({ writer }) => writer?.store, 'cut') }),
  recording({
    name: 'silence history',
    ends: 'nothing',
    begin: linked(({ writer }) => writer?.store, 'silent'),
  }),
  recording({ name: 'kill shard', ends: 'nothing', begin: shard('kill') }),
  recording({ name: 'pause shard', ends: 'nothing', begin: shard('pause') }),
  {
    name: 'fill disk of shard',
    ends: 'nothing',
    missesWithin: 0,
    isPossible: ({ history }) => history?.disk !== undefined,
    begin: async ({ history }) => {
      history?.disk?.fill();
      return async () => history?.disk?.clear();
    },
  },
  { name: 'clock of holder ahead', ends: 'nothing', ...clock(holder, 90) },
  { name: 'clock of holder back', ends: 'nothing', ...clock(holder, -90) },
  { name: 'clock of seller ahead', ends: 'nothing', ...clock(seller, 90) },
  { name: 'clock of seller back', ends: 'nothing', ...clock(seller, -90) },
  { name: 'clock of recorder ahead', ends: 'nothing', ...recorderClock(90) },
  { name: 'clock of recorder back', ends: 'nothing', ...recorderClock(-90) },
];
