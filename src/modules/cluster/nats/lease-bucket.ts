import { JetStreamApiError, jetstream } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { CollectLogger } from '../../../collect/logger.ts';
import { reasonOf } from '../../../runtime/reason-of.ts';
import { isUnplaced } from './lease-errors.ts';

const BUCKET = 'perpmeter_leases';
const REPLICAS = 3;

export interface LeaseBucketOptions {
  readonly connection: NatsConnection;
  readonly logger: CollectLogger;
  /** Values live so long, ms. */
  readonly ttlMs: number;
  /** A call is given up after this, ms. */
  readonly callMs: number;
}

/** A bucket as it was found. */
export interface OpenBucket {
  readonly kv: KV;
  /**
   * When the server made it, ms. A take-over's epoch is this plus its revision: a bucket that was lost and made
   * again counts from 1, and its epochs are greater all the same, as long as there are fewer than a thousand
   * renewals a second.
   */
  readonly madeAt: number;
}

/** The bucket of the leases at its servers, made where it is not there. */
export class LeaseBucket {
  readonly #options: LeaseBucketOptions;
  #opened: Promise<OpenBucket> | undefined;
  #isFinding = false;
  /** The last logged reason for which a bucket cannot be made. */
  #unmadeFor: string | undefined;

  constructor(options: LeaseBucketOptions) {
    this.#options = options;
  }

  open(): Promise<OpenBucket> {
    this.#opened ??= this.#make().catch((cause) => {
      this.#opened = undefined;
      this.#reportUnmade(cause);
      throw cause;
    });
    return this.#opened;
  }

  /** Looks for it again where it was open, and keeps what is known of it until another is found. */
  async find(): Promise<void> {
    if (this.#opened === undefined || this.#isFinding) return;
    this.#isFinding = true;
    try {
      this.#opened = Promise.resolve(await this.#make());
    } catch (cause) {
      // Asked again with the next lease that cannot be renewed.
      this.#reportUnmade(cause);
    } finally {
      this.#isFinding = false;
    }
  }

  async #make(): Promise<OpenBucket> {
    const { connection, ttlMs, callMs } = this.#options;
    const replicas = connection.info?.cluster === undefined ? 1 : REPLICAS;
    const client = jetstream(connection, { timeout: callMs });
    const kv = await new Kvm(client).create(BUCKET, { history: 1, ttl: ttlMs, replicas });
    this.#unmadeFor = undefined;
    return { kv, madeAt: Date.parse((await kv.status()).streamInfo.created) };
  }

  /** Says once why the servers refuse to make it: that concerns all leases. */
  #reportUnmade(cause: unknown): void {
    if (!(cause instanceof JetStreamApiError) || cause.message === this.#unmadeFor) return;
    this.#unmadeFor = cause.message;
    const advice = isUnplaced(cause) ? 'start all servers of its cluster' : undefined;
    this.#options.logger.warn(
      { reason: reasonOf(cause), ...(advice !== undefined && { advice }) },
      'the bucket of the leases cannot be made',
    );
  }
}
