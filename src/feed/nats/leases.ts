import { JetStreamApiError, jetstream } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { CollectLogger } from '../../collect/logger.ts';
import type { VenueId } from '../../domain/venue.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import type { Leases } from '../ports.ts';

const BUCKET = 'perpmeter_leases';
/** The server removes what is not renewed for this long. */
const LEASE_MS = 3000;
const RENEW_MS = 1000;
/** A lease that is free is taken this soon. */
const TURN_MS = 250;
/** A call without an answer must leave time for another before the lease is over. */
const CALL_MS = 900;
const REPLICAS = 3;

export interface NatsLeasesOptions {
  readonly connection: NatsConnection;
  /** Name of this process, told from all others. */
  readonly holder: string;
  /** Milliseconds of a clock that nobody sets. */
  readonly elapsed: () => number;
  /** What is sent while there is no connection may arrive when the lease is over. */
  readonly isConnected: () => boolean;
  readonly logger: CollectLogger;
}

interface Lease {
  readonly taken: (epoch: number) => void;
  epoch: number;
  /** Revision of the last renewal. */
  revision: number;
  renewedAt: number;
  /** Until when nobody else can hold it, by the clock that nobody sets. */
  until: number;
  isAsking: boolean;
}

/**
 * A lease a venue as a key of a bucket whose values live three seconds: made where it is not there, renewed by compare-and-set.
 * The time of a lease counts from before its renewal was sent, so it ends here before it ends at the server.
 */
export class NatsLeases implements Leases {
  readonly #options: NatsLeasesOptions;
  readonly #leases = new Map<VenueId, Lease>();
  /** Since start. */
  renewals = 0;
  #bucket: Promise<KV> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: NatsLeasesOptions) {
    this.#options = options;
  }

  /** Strives from now on; before that, the server is not asked for anything. */
  begin(): void {
    this.#timer ??= setInterval(() => this.#turn(), TURN_MS);
  }

  strive(venue: VenueId, taken: (epoch: number) => void): void {
    if (this.#leases.has(venue)) return;
    const never = { renewedAt: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };
    this.#leases.set(venue, { taken, epoch: 0, revision: 0, isAsking: false, ...never });
  }

  epoch(venue: VenueId): number | undefined {
    const lease = this.#leases.get(venue);
    const isHeld = lease !== undefined && this.#isHeld(lease) && this.#options.isConnected();
    return isHeld ? lease.epoch : undefined;
  }

  held(): readonly VenueId[] {
    return [...this.#leases].flatMap(([venue, lease]) => (this.#isHeld(lease) ? [venue] : []));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    const held = [...this.#leases].filter(([, lease]) => this.#isHeld(lease));
    this.#leases.clear();
    // What cannot be given back is over in three seconds.
    await Promise.allSettled(
      held.map(async ([venue, { revision }]) => (await this.#kv()).delete(venue, { previousSeq: revision })),
    );
  }

  /** The bucket, made where it is not there. */
  #kv(): Promise<KV> {
    const { connection } = this.#options;
    const replicas = connection.info?.cluster === undefined ? 1 : REPLICAS;
    const client = jetstream(connection, { timeout: CALL_MS });
    this.#bucket ??= new Kvm(client)
      .create(BUCKET, { history: 1, ttl: LEASE_MS, replicas })
      .catch((cause) => {
        this.#bucket = undefined;
        throw cause;
      });
    return this.#bucket;
  }

  #isHeld({ until }: Lease): boolean {
    return this.#options.elapsed() < until;
  }

  #turn(): void {
    for (const [venue, lease] of this.#leases) {
      const isDue = !this.#isHeld(lease) || this.#options.elapsed() - lease.renewedAt >= RENEW_MS;
      if (lease.isAsking || !isDue) continue;
      lease.isAsking = true;
      void this.#ask(venue, lease).finally(() => {
        lease.isAsking = false;
      });
    }
  }

  async #ask(venue: VenueId, lease: Lease): Promise<void> {
    try {
      if (this.#isHeld(lease)) await this.#renew(venue, lease);
      else await this.#take(venue, lease);
    } catch (cause) {
      if (!this.#isHeld(lease) || cause instanceof JetStreamApiError) return;
      this.#options.logger.warn({ venue, reason: reasonOf(cause) }, 'the lease could not be renewed');
    }
  }

  async #take(venue: VenueId, lease: Lease): Promise<void> {
    const { holder } = this.#options;
    const askedAt = this.#options.elapsed();
    const revision = await (await this.#kv()).create(venue, holder);
    Object.assign(lease, { epoch: revision, revision, renewedAt: askedAt, until: askedAt + LEASE_MS });
    if (!this.#isHeld(lease) || !this.#leases.has(venue)) return;
    this.#options.logger.info({ venue, epoch: revision }, 'lease taken');
    lease.taken(revision);
  }

  async #renew(venue: VenueId, lease: Lease): Promise<void> {
    const { holder } = this.#options;
    const kv = await this.#kv();
    const askedAt = this.#options.elapsed();
    try {
      const revision = await kv.update(venue, holder, lease.revision);
      Object.assign(lease, { revision, renewedAt: askedAt, until: askedAt + LEASE_MS });
      this.renewals += 1;
    } catch (cause) {
      if (!(cause instanceof JetStreamApiError)) throw cause;
      // The last renewal may have been made, and only its answer was lost.
      const found = await kv.get(venue);
      if (found?.operation === 'PUT' && found.string() === holder) lease.revision = found.revision;
      else {
        lease.until = Number.NEGATIVE_INFINITY;
        this.#options.logger.warn({ venue, epoch: lease.epoch }, 'lease lost');
      }
    }
  }
}
