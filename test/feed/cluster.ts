import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { simBases } from '@perpmeter/sim/bases';
import { createWorld } from '@perpmeter/sim/create-world';
import { type SimServer, startSimServer } from '@perpmeter/sim/server';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { VenueId } from '../../src/domain/venue.ts';
import { type Child, startChild } from '../../src/host/process/child.ts';
import { freePort } from '../../src/host/process/free-port.ts';
import { decodeMessage } from '../../src/modules/cluster/message.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { Relay, type RelayMode } from '../pay/relay.ts';
import { type Member, rounded } from './member.ts';
import { isWhole, leaderOf, type NatsServer, type NatsServers, startNatsServers } from './nats-server.ts';

/** With rate limits over seconds: who is started again and again within a minute is turned away by the others. */
export const CLUSTER_VENUES = ['bitget', 'bybit', 'okx'] as const;
const HOST = '127.0.0.1';
const PATIENCE_MS = 8000;
const WORLD = 1;
/**
 * The difference between two collectors' marks; less than the 3 % at which marks of one asset are no longer
 * comparable.
 */
export const WORLDS_APART = 0.02;

const LIBRARIES = '/usr/lib';

/** Debian's libfaketime, where it is installed. */
function clockLibrary(): string | undefined {
  return readdirSync(LIBRARIES)
    .map((folder) => join(LIBRARIES, folder, 'faketime', 'libfaketime.so.1'))
    .find((path) => existsSync(path));
}

/** Marks of a venue that were published under its latest epoch. */
export interface Heard {
  readonly epoch: number;
  readonly sequence: number;
  readonly marks: ReadonlySet<number>;
  /** From when on nothing was missed, by `performance.now()`. */
  readonly since: number;
}

/** Has a process read its clock from a file. */
const fakeClock = (library: string, file: string) => ({
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_CACHE_DURATION: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});

/**
 * NATS servers, collectors with a simulated world each, whose prices tell them apart, sellers and recorders: processes of
 * their own on loopback.
 */
export class Cluster {
  readonly servers: readonly NatsServer[];
  readonly #nats: NatsServers;
  readonly #folder = mkdtempSync(join(tmpdir(), 'perpmeter-cluster-'));
  readonly #sims: SimServer[] = [];
  readonly #members: Member[] = [];
  readonly #relays: Relay[] = [];
  readonly #published = new Map<VenueId, Heard & { readonly marks: Set<number> }>();
  /** One to each server: who is connected to one of them alone hears nothing of what others say while it is cut off. */
  #spies: readonly NatsConnection[] = [];
  /** The latest that were heard. */
  readonly #epochs = new Map<VenueId, number>();

  /** A library that lets clocks be set. */
  readonly #library: string | undefined;

  private constructor(nats: NatsServers, library: string | undefined) {
    this.#nats = nats;
    this.servers = nats.servers;
    this.#library = library;
  }

  /**
   * @param servers of the feed: one, or a cluster of three
   * @param setsClocks whether clocks of members can be set, where the machine has what it takes
   * @param within folders that hold what servers write
   */
  static async start(
    servers: 1 | 3 = 1,
    setsClocks = false,
    within: readonly string[] = [],
  ): Promise<Cluster> {
    const library = setsClocks ? clockLibrary() : undefined;
    const cluster = new Cluster(await startNatsServers(servers, within), library);
    cluster.#spies = await Promise.all(cluster.servers.map(({ host }) => cluster.#spy(host)));
    return cluster;
  }

  /** Sets the network between a server of the feed and the others. */
  separate(server: number, mode: RelayMode): void {
    this.#nats.separate(server, mode);
  }

  /** The server that decides about leases at this moment. */
  async leader(): Promise<NatsServer> {
    const [first] = this.servers as readonly [NatsServer];
    if (this.servers.length === 1) return first;
    // A server that has just lost its leader gives no answer.
    const asked = this.#spies.map(
      async (spy) => (await leaderOf(this.servers, spy)) ?? Promise.reject(new Error('there is no leader')),
    );
    return Promise.any(asked).catch(() => this.leader());
  }

  /**
   * True if its servers agree about leases, whichever is asked. One that was away may have others choose a
   * leader again.
   */
  async isWhole(): Promise<boolean> {
    if (this.servers.length === 1) return true;
    const asked = this.#spies.map((spy) => isWhole(this.servers, spy).catch(() => false));
    return (await Promise.all(asked)).every((is) => is);
  }

  /** The messages of the holders of the latest epochs. */
  get published(): ReadonlyMap<VenueId, Heard> {
    return this.#published;
  }

  /** @param number from 1: each reads a world whose prices are another `WORLDS_APART` dearer */
  async collector(number: number): Promise<Member> {
    const venues = SIM_VENUES.filter(({ id }) => CLUSTER_VENUES.some((clusterVenue) => clusterVenue === id));
    const world = createWorld(WORLD, 1 + (number - 1) * WORLDS_APART);
    const sim = await startSimServer({ port: 0, world, venues, tickMs: 250 });
    this.#sims.push(sim);
    const relay = await Relay.start(sim.port);
    this.#relays.push(relay);
    const url = `http://${HOST}:${relay.port}`;
    const adapters = VENUES.filter(({ id }) => CLUSTER_VENUES.some((clusterVenue) => clusterVenue === id));
    const bases = Object.fromEntries(adapters.map(({ id, bases }) => [id, simBases(bases, url, id)]));
    const member = await this.#member(`collector ${number}`, 'collect', {
      PERPMETER_VENUE_BASES: JSON.stringify(bases),
      // Nothing answers there: who does not sell opens no ledger, and goes on without identities.
      PERPMETER_LEDGER_URL: 'postgres://nobody@127.0.0.1:1/money',
      PERPMETER_PAYMENTS_MODE: 'remote',
    });
    return Object.assign(member, { venues: relay });
  }

  /** @param env how it is paid; by default it is not */
  seller(
    name: string,
    env: Readonly<Record<string, string>> = { PERPMETER_PAYMENTS_MODE: 'off' },
  ): Promise<Member> {
    return this.#member(`seller ${name}`, 'sell', env);
  }

  /** @param env where the history is kept */
  recorder(number: number, env: Readonly<Record<string, string>>): Promise<Member> {
    return this.#member(`recorder ${number}`, 'record', {
      PERPMETER_HISTORY: 'on',
      PERPMETER_PAYMENTS_MODE: 'off',
      PERPMETER_BACKFILL_DAYS: '0',
      ...env,
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#spies.map((spy) => spy.close()));
    for (const { child } of this.#members) {
      child.process.kill('SIGCONT');
      await child.stop(PATIENCE_MS);
    }
    await Promise.all(this.#relays.map((relay) => relay.stop()));
    await Promise.all(this.#sims.map((sim) => sim.close()));
    await this.#nats.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #member(name: string, role: string, env: Readonly<Record<string, string>>): Promise<Member> {
    const dataDir = join(this.#folder, name.replace(' ', '-'));
    const links = await Promise.all(this.servers.map((server) => Relay.start(server.port)));
    this.#relays.push(...links);
    const port = await freePort(HOST);
    const admin = await freePort(HOST);
    const main = new URL('../../dist/perpmeter.js', import.meta.url);
    const args = ['serve', '--role', role, '--data-dir', dataDir, '--venues', CLUSTER_VENUES.join(',')];
    args.push('--port', String(port), '--admin-port', String(admin));
    const clockFile = `${dataDir}.clock`;
    const clock = this.#library !== undefined && fakeClock(this.#library, clockFile);
    const setClock = (seconds: number): void =>
      writeFileSync(clockFile, `${seconds < 0 ? '' : '+'}${seconds}`);
    setClock(0);
    const begin = (): Child => {
      const child = startChild(name, main, args, {
        ...(clock !== false && clock),
        PERPMETER_NATS_URL: links.map(({ port }) => `nats://${HOST}:${port}`).join(','),
        PERPMETER_DATA: 'simulated',
        PERPMETER_HISTORY: 'off',
        PERPMETER_LOG_LEVEL: 'error',
        PERPMETER_SECOND_READER_MINUTES: '0',
        // A few: every venue's whole set of them is most of what venues, collectors and sellers have to do.
        PERPMETER_BOOKS_PER_VENUE: '4',
        // The tests' own runner sets one.
        PERPMETER_BASE_URL: `http://${HOST}:${port}`,
        ...env,
      });
      child.process.stdout?.resume();
      return child;
    };
    const member = {
      name,
      begin,
      child: begin(),
      url: `http://${HOST}:${port}`,
      admin: `http://${HOST}:${admin}`,
      feed: {
        set: (mode: RelayMode): void => links.forEach((link) => void link.set(mode)),
        server: (): number => links.findIndex(({ isUsed }) => isUsed),
      },
      setClock: clock === false ? undefined : setClock,
    };
    this.#members.push(member);
    return member;
  }

  /** Hears what a seller hears that is connected to this server. */
  async #spy(servers: string): Promise<NatsConnection> {
    const connection = await connect({
      servers,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 50,
      pingInterval: 1000,
      maxPingOut: 2,
    });
    const watch = async (): Promise<void> => {
      // Messages sent meanwhile may reach others.
      for await (const { type } of connection.status()) if (type === 'disconnect') this.#published.clear();
    };
    void watch();
    connection.subscribe('perpmeter.feed.*', {
      callback: (error, message) => {
        const said = error === null ? decodeMessage(message.string()) : undefined;
        if (said === undefined) return;
        const venue = message.subject.slice('perpmeter.feed.'.length);
        const ask = (): void => connection.publish('perpmeter.ask', JSON.stringify({ snapshots: [venue] }));
        this.#hear(venue, said, ask);
      },
    });
    return connection;
  }

  /** Takes what one or several heard. */
  #hear(venue: VenueId, said: NonNullable<ReturnType<typeof decodeMessage>>, ask: () => void): void {
    const { epoch, sequence, part } = said;
    if (epoch < (this.#epochs.get(venue) ?? 0)) return;
    this.#epochs.set(venue, epoch);
    const latest = this.#published.get(venue);
    const known = latest?.epoch === epoch ? latest : undefined;
    if (known !== undefined && sequence <= known.sequence) return;
    if (sequence - 1 !== known?.sequence && part !== 1) {
      // Something was not heard, and may have been sold.
      this.#published.delete(venue);
      ask();
      return;
    }
    const marks = known?.marks ?? new Set<number>();
    const since = known?.since ?? performance.now();
    for (const entry of said.entries()) {
      if (entry.kind !== 'quotes') continue;
      for (const { markPrice } of entry.patches) if (markPrice !== undefined) marks.add(rounded(markPrice));
    }
    this.#published.set(venue, { epoch, sequence, marks, since });
  }
}
