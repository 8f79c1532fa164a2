import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { errors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { CollectLogger } from '../../../collect/logger.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Lease } from '../../../domain/lease.ts';
import type { VenueId } from '../../../domain/venue.ts';
import {
  emptyFeedCounts,
  type Feed,
  type FeedSource,
  type FeedState,
  type Followed,
} from '../../../feed/ports.ts';
import { reasonOf } from '../../../runtime/reason-of.ts';
import type { TapeListener } from '../../../tape/listener.ts';
import type { Sinks } from '../../../tape/tape.ts';
import { readGossip } from '../collector-gossip.ts';
import { Follower } from '../follower.ts';
import { LeaseBalancer } from '../lease-balancer.ts';
import type { Ask } from '../message.ts';
import { Publisher } from '../publisher.ts';
import { connectTo } from './connection.ts';
import { LEADERLESS_MS, NatsLeases } from './leases.ts';

export interface NatsFeedOptions {
  /** nats://user:password@host:4222, tls:// for TLS; the servers of a cluster comma separated. */
  readonly url: string;
  readonly clock: Clock;
  readonly logger: CollectLogger;
}

const FEED = 'perpmeter.feed.';
const ASK = 'perpmeter.ask';
const COLLECTORS = 'perpmeter.collectors';
/** Beside those of the venues, none of which is called so. */
const HISTORY = 'history';
/** Changes wait this long at most to be sent together. */
const TICK_MS = 25;
const REPORT_MS = 1000;
/** A server over which nothing comes of a venue for so long may be cut off from the others. */
const UNHEARD_MS = 4000;
/** The same of one that gives no answer about leases: where a leader is being chosen, nothing is lost by it. */
const UNANSWERED_MS = 3000;

const elapsed = (): number => performance.now();

/** Connects to the server of the feed. Rejects where it does not answer, or refuses. */
export async function openNatsFeed({ url, clock, logger }: NatsFeedOptions): Promise<NatsFeed> {
  const { connection, servers } = await connectTo(url, logger);
  return new NatsFeed(connection, servers, clock, logger);
}

/** Carries market data over NATS, and has the leases of venues and of the history's writer there. */
export class NatsFeed implements Feed {
  readonly #connection: NatsConnection;
  /** The number of servers it can be connected to. */
  readonly #servers: number;
  readonly #clock: Clock;
  readonly #logger: CollectLogger;
  readonly #counts = emptyFeedCounts();
  readonly #leases: NatsLeases;
  /** On its own: it is no venue, and is kept when those are given back. */
  readonly #history: NatsLeases;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #name = `${hostname()} ${process.pid} ${randomUUID()}`;
  #follower: Follower | undefined;
  #balancer: LeaseBalancer | undefined;
  #isConnected = true;
  /** When it was connected last, and when something came, on the monotonic clock. */
  #connectedAt = elapsed();
  #heardAt = elapsed();
  /** Venues that were silent as another server was tried, and are still: that did not help. */
  #stillSilent: readonly VenueId[] = [];
  /** The server that is left for another. */
  #left: string | undefined;
  /** The last failure since it was connected last. */
  #failed: string | undefined;

  constructor(connection: NatsConnection, servers: number, clock: Clock, logger: CollectLogger) {
    this.#connection = connection;
    this.#servers = servers;
    this.#clock = clock;
    this.#logger = logger;
    const isConnected = (): boolean => this.#isConnected;
    const options = { connection, elapsed, clock, logger, isConnected, holder: this.#name };
    this.#leases = new NatsLeases({
      ...options,
      isBetterElsewhere: (venue) => this.#balancer?.isBetterElsewhere(venue) ?? false,
    });
    this.#history = new NatsLeases({ ...options, isStrict: true });
  }

  publish(source: FeedSource): TapeListener {
    const publisher = new Publisher({
      leases: this.#leases,
      source,
      elapsed,
      clock: this.#clock,
      logger: this.#logger,
      send: (venue, message) => {
        this.#connection.publish(FEED + venue, message);
        this.#counts.sent += 1;
        this.#counts.sentCharacters += message.length;
      },
    });
    this.#leases.begin();
    this.#hear(ASK, (message) => publisher.asked(message.json<Ask>()));
    this.#every(TICK_MS, () => {
      publisher.tick();
      if (this.#leases.unansweredMs > UNANSWERED_MS) this.#changeServer(UNANSWERED_MS);
    });
    this.#spread(publisher, source);
    void this.#watch(() => publisher.restart());
    return publisher;
  }

  follow(into: Sinks): Followed {
    const follower = new Follower({
      into,
      elapsed,
      clock: this.#clock,
      logger: this.#logger,
      counts: this.#counts,
      ask: (ask) => this.#connection.publish(ASK, JSON.stringify(ask)),
    });
    this.#follower = follower;
    this.#hear(`${FEED}*`, (message) => {
      this.#heardAt = elapsed();
      follower.take(message.subject.slice(FEED.length), message.string());
    });
    this.#every(TICK_MS, () => {
      follower.tick();
      this.#leaveSilence(follower);
    });
    void this.#watch(() => {});
    return follower;
  }

  /** The lease of the history's writer. */
  historyLease(): Lease {
    const leases = this.#history;
    return {
      campaign: (taken) => {
        leases.campaign(HISTORY, taken);
        leases.begin();
      },
      epoch: () => leases.epoch(HISTORY),
      resign: () => leases.resign(HISTORY),
    };
  }

  state(): FeedState {
    const behind = this.#follower?.behind() ?? [];
    const unansweredMs = Math.max(this.#leases.unansweredMs, this.#history.unansweredMs);
    return {
      kind: 'nats',
      ok: this.#isConnected && unansweredMs < LEADERLESS_MS,
      held: this.#leases.held(),
      behind,
      unreached: this.#balancer?.unreached() ?? [],
      counts: { ...this.#counts, given: { ...this.#counts.given } },
    };
  }

  async release(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#leases.close();
  }

  async close(): Promise<void> {
    await Promise.all([this.release(), this.#history.close()]);
    await this.#connection.close();
  }

  #spread(publisher: Publisher, source: FeedSource): void {
    const balancer = new LeaseBalancer({
      leases: this.#leases,
      source,
      elapsed,
      counts: this.#counts,
      logger: this.#logger,
      name: this.#name,
      changes: () => publisher.changes(),
      say: (gossip) => this.#connection.publish(COLLECTORS, JSON.stringify(gossip)),
    });
    this.#balancer = balancer;
    this.#hear(COLLECTORS, (message) => {
      const gossip = readGossip(message.json());
      if (gossip === undefined) throw new Error('not what collectors say');
      balancer.hear(gossip);
    });
    this.#every(REPORT_MS, () => balancer.tick());
  }

  /**
   * Takes what comes under a subject. A message that cannot be read is left out and counted: an exception would
   * end the connection.
   */
  #hear(subject: string, take: (message: Msg) => void): void {
    const callback = (error: Error | null, message: Msg): void => {
      if (error !== null) return;
      try {
        take(message);
      } catch (cause) {
        this.#counts.rejected += 1;
        this.#report(cause, 'feed: a message cannot be read');
      }
    };
    this.#connection.subscribe(subject, { callback });
  }

  /**
   * A follower that hears only the collectors connected to the same server changes it once for the silent ones;
   * one that hears nobody changes it again and again.
   */
  #leaveSilence(follower: Follower): void {
    const silent = follower.silent(UNHEARD_MS);
    this.#stillSilent = this.#stillSilent.filter((venue) => silent.includes(venue));
    const isNew = silent.some((venue) => !this.#stillSilent.includes(venue));
    if (!isNew && elapsed() - this.#heardAt <= UNHEARD_MS) return;
    if (this.#changeServer(UNHEARD_MS)) this.#stillSilent = silent;
  }

  /**
   * Connects to another server, where there is one: a server that answers and is cut off from the others would
   * be kept else.
   *
   * @param afterMs for so long at the least a server is tried
   * @returns whether it does
   */
  #changeServer(afterMs: number): boolean {
    if (this.#servers < 2 || !this.#isConnected || elapsed() - this.#connectedAt < afterMs) return false;
    this.#connectedAt = elapsed();
    this.#left = this.#connection.getServer();
    this.#logger.warn({ server: this.#left }, 'feed: nothing comes, another server is tried');
    this.#reconnect();
    return true;
  }

  #reconnect(): void {
    this.#connection.reconnect().catch((cause: unknown) => {
      this.#logger.warn({ reason: reasonOf(cause) }, 'feed: no other server can be tried');
    });
  }

  /** An exception in a timer would end the process. */
  #every(ms: number, run: () => void): void {
    const guarded = (): void => {
      try {
        run();
      } catch (cause) {
        this.#report(cause, 'feed: what was due is not sent');
      }
    };
    this.#timers.push(setInterval(guarded, ms));
  }

  /** Says once why something fails, however often it does. */
  #report(cause: unknown, what: string): void {
    const reason = reasonOf(cause);
    if (reason === this.#failed) return;
    this.#failed = reason;
    this.#logger.warn({ reason }, what);
  }

  /** @param resumed what was sent lately may be lost */
  async #watch(resumed: () => void): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type === 'error' && status.error instanceof errors.AuthorizationError)
        this.#report(status.error, 'feed: the server refuses the account, and is asked again');
      if (status.type !== 'disconnect' && status.type !== 'reconnect') continue;
      this.#isConnected = status.type === 'reconnect';
      this.#connectedAt = elapsed();
      this.#logger.info({ connected: this.#isConnected }, 'feed');
      if (!this.#isConnected) continue;
      this.#failed = undefined;
      // The first server that the client tries is the first that it was connected to.
      if (this.#left === this.#connection.getServer()) this.#reconnect();
      this.#left = undefined;
      resumed();
    }
  }
}
