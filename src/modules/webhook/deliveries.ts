import { randomBytes } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { Timer } from '../../runtime/timer.ts';
import { type Attempted, Attempts, type Target } from './attempts.ts';
import {
  challengesOn,
  type DeliveryRecord,
  isUnproven,
  MOST_CHALLENGES,
  newRecord,
  nextAttemptAt,
} from './delivery-record.ts';
import type { DeliveryRecords } from './delivery-store.ts';
import { type DeliveryView, stateOf, viewOf } from './delivery-view.ts';
import type {
  DeliveredWatch,
  Delivery,
  DeliveryCounts,
  DeliveryState,
  DeliveryStore,
  Firing,
} from './firing.ts';
import { type HeldDelivery, isSame, standingOf, waitingOf } from './held-delivery.ts';
import { HostTurns, type Places, type Turn } from './host-turns.ts';
import type { Outbound } from './outbound.ts';
import { type ReceiverRules, readReceiver } from './receiver.ts';
import type { Sign } from './signed-message.ts';

export interface DeliveriesOptions {
  readonly store: DeliveryStore;
  readonly records: DeliveryRecords;
  readonly outbound: Pick<Outbound, 'post'>;
  readonly sign: Sign;
  readonly rules: ReceiverRules;
  readonly bodyOf: (firing: Firing) => object;
  readonly wordsOf: (firing: Firing) => string;
  /** Number of the present tenure: greater whenever another process takes the watches. */
  readonly term: () => number;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly report: (fault: { readonly at: string; readonly error: unknown }) => void;
  readonly places?: Places;
  readonly random?: () => number;
  readonly token?: () => string;
}

const PLACES: Places = { all: 32, untried: 8, doubtful: 8 };
/** A receiver that takes longer to answer holds up others: it has a place among the doubtful. */
const SLOW_MS = 3 * SECOND_MS;
/** After the disk has not taken a record, the same attempt is made again. */
const FAULT_WAIT_MS = MINUTE_MS;
/** An owner who asks for another challenge makes one a minute at most. */
const PROOF_APART_MS = MINUTE_MS;
const TOKEN_BYTES = 24;
const DUE = { state: 'due' } as const;
/** Firings that wait are counted up to this many at once: the next ones once these are settled. */
const MOST_COUNTED = 1000;

/**
 * Delivers firings to the receivers of watches: at least once, in the order of their numbers, one at a time for a host. An
 * attempt counts once its record is written; one that a kill cuts off is made again under the same id.
 */
export class Deliveries implements Delivery {
  readonly #options: DeliveriesOptions;
  readonly #attempts: Attempts;
  readonly #turns: HostTurns<HeldDelivery>;
  readonly #held = new Map<string, HeldDelivery>();
  /** Reasons for which the receivers of watches cannot be posted to under the rules of now. */
  readonly #unusable = new Map<string, string>();
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #delivered = 0;
  #failed = 0;
  #refused = 0;

  constructor(options: DeliveriesOptions) {
    const { random = Math.random, token = randomToken, places = PLACES } = options;
    this.#options = options;
    this.#attempts = new Attempts({ ...options, random, token });
    this.#turns = new HostTurns(places);
  }

  get counts(): DeliveryCounts {
    const waiting = [...this.#held.values()].reduce((sum, held) => sum + waitingOf(held), 0);
    return { delivered: this.#delivered, failed: this.#failed, refused: this.#refused, waiting };
  }

  fault(target: string): string | undefined {
    const read = readReceiver(target, this.#options.rules);
    return read.ok ? undefined : read.reason;
  }

  /** A watch that is held already, as one that was renewed, goes on where it is; a challenge that failed is made again. */
  add({ id, webhook, format }: DeliveredWatch): void {
    if (webhook === undefined || this.#stop.signal.aborted) return;
    const read = readReceiver(webhook, this.#options.rules);
    if (!read.ok) {
      this.remove(id);
      this.#unusable.set(id, read.reason);
      return;
    }
    const target = { watchId: id, receiver: read.receiver, format };
    const known = this.#held.get(id);
    if (known !== undefined && isSame(known.target, target)) {
      if (known.record.challenge.state === 'failed' && this.#mayChallenge(known))
        known.record = { ...known.record, challenge: DUE };
      this.#proceed(known);
      return;
    }
    this.remove(id);
    const record = this.#recordOf(target);
    const held = {
      target,
      term: this.#options.term(),
      record,
      lastSeq: record.settled,
      isSlow: false,
      isTaken: false,
      cancel: nothing,
    };
    this.#held.set(id, held);
    this.#proceed(held);
  }

  remove(watchId: string): void {
    this.#held.get(watchId)?.cancel();
    this.#held.delete(watchId);
    this.#unusable.delete(watchId);
  }

  /** Lets go of a watch and of all that is known about its delivery. */
  async forget(watchId: string): Promise<void> {
    this.remove(watchId);
    await this.#options.records.remove(watchId);
  }

  queue({ watchId, seq }: Firing): void {
    const held = this.#held.get(watchId);
    if (held === undefined) return;
    held.lastSeq = Math.max(held.lastSeq, seq);
    this.#proceed(held);
  }

  /** Challenges a receiver again that has failed all tries, a minute after the last, and some times a day. */
  prove(watchId: string): void {
    const held = this.#held.get(watchId);
    const challenge = held?.record.challenge;
    if (held === undefined || challenge?.state !== 'failed' || challenge.nextAt !== undefined) return;
    const now = this.#options.clock.now();
    if (challenge.at + PROOF_APART_MS > now || !this.#mayChallenge(held)) return;
    held.record = { ...held.record, challenge: { ...challenge, nextAt: now } };
    this.#proceed(held);
  }

  state(watchId: string): DeliveryState | undefined {
    const reason = this.#unusable.get(watchId);
    const held = this.#held.get(watchId);
    const record = held?.record ?? this.#options.records.read(watchId);
    if (record === undefined && reason === undefined) return undefined;
    return stateOf(record, held === undefined ? 0 : waitingOf(held), reason);
  }

  /** The delivery of a watch that is held, for the operator. */
  view(watchId: string): DeliveryView | undefined {
    const held = this.#held.get(watchId);
    return held && viewOf(held.target, held.record);
  }

  /** Ends what runs, and closes the records. An attempt that it cuts off is made again after the next start. */
  async stop(): Promise<void> {
    this.#stop.abort();
    for (const held of this.#held.values()) held.cancel();
    await Promise.all(this.#running);
    await this.#options.records.close();
  }

  /** A receiver may belong to somebody who wants none of this: he is not asked for ever. */
  #mayChallenge({ record }: HeldDelivery): boolean {
    return challengesOn(record, this.#options.clock.now()) < MOST_CHALLENGES;
  }

  #recordOf({ watchId, receiver, format }: Target): DeliveryRecord {
    const kept = this.#options.records.read(watchId);
    const isSpared = format !== undefined;
    const isProven = kept?.challenge.state === 'passed' || (isSpared && kept?.challenge.state === 'spared');
    const isUsable = kept?.url === receiver.url && isProven;
    const record = isUsable ? kept : newRecord(receiver.url, isSpared, kept);
    const settled = this.#options.store.acknowledged(watchId);
    // A kill may have come between the record and the position that others read.
    if (settled < record.settled) this.#acknowledge(watchId, record.settled);
    if (settled <= record.settled) return record;
    // Another process has held the watch meanwhile: the retries that are noted here are of an earlier firing.
    const { retry: _, ...rest } = record;
    return { ...rest, settled };
  }

  #acknowledge(watchId: string, seq: number): void {
    const { store, report } = this.#options;
    const taken = store.acknowledge(watchId, seq);
    if (taken instanceof Promise)
      taken.catch((error: unknown) => report({ at: 'delivery of a firing', error }));
  }

  /** Puts the watch into the row of its host if there is something to send, or waits until there is. */
  #proceed(held: HeldDelivery): void {
    const { target, record } = held;
    if (held.isTaken || this.#stop.signal.aborted) return;
    held.cancel();
    if (waitingOf(held) === 0) this.#count(held);
    const nextAt = nextAttemptAt(record);
    if (nextAt === undefined || (!isUnproven(record) && waitingOf(held) === 0)) return;
    const wait = nextAt - this.#options.clock.now();
    if (wait > 0) {
      held.cancel = this.#options.timer(wait, () => this.#proceed(held));
      return;
    }
    held.isTaken = true;
    this.#turns.add(target.receiver.host, held, standingOf(held));
    this.#begin();
  }

  #count(held: HeldDelivery): void {
    const { watchId } = held.target;
    const last = this.#options.store.firings(watchId, held.record.settled, MOST_COUNTED).at(-1);
    held.lastSeq = last?.seq ?? held.lastSeq;
  }

  #begin(): void {
    for (let turn = this.#turns.next(); turn !== undefined; turn = this.#turns.next()) {
      const running = this.#run(turn);
      this.#running.add(running);
      void running.finally(() => this.#running.delete(running));
    }
  }

  async #run({ item: held, end }: Turn<HeldDelivery>): Promise<void> {
    let isFaulty = false;
    try {
      if (this.#isHeld(held)) await this.#attempt(held);
    } catch (error) {
      isFaulty = true;
      this.#options.report({ at: 'delivery of a firing', error });
    }
    held.isTaken = false;
    end();
    if (isFaulty) held.cancel = this.#options.timer(FAULT_WAIT_MS, () => this.#proceed(held));
    else if (this.#isHeld(held)) this.#proceed(held);
    this.#begin();
  }

  #isHeld(held: HeldDelivery): boolean {
    return !this.#stop.signal.aborted && this.#held.get(held.target.watchId) === held;
  }

  async #attempt(held: HeldDelivery): Promise<void> {
    const { store, records, clock } = this.#options;
    const { watchId } = held.target;
    const before = held.record;
    const began = clock.now();
    const { record, isForbidden } = await this.#next(held);
    held.isSlow = clock.now() - began >= SLOW_MS;
    if (isForbidden) this.#refused += 1;
    if (record === undefined || this.#held.get(watchId) !== held) return;
    if (!(await records.write(watchId, { ...record, term: held.term }))) return this.#taken(held);
    held.record = record;
    this.#delivered += record.delivered - before.delivered;
    this.#failed += record.failed - before.failed;
    if (record.settled > before.settled) await store.acknowledge(watchId, record.settled);
  }

  /** Another process delivers the watch by now. */
  #taken(held: HeldDelivery): void {
    const { watchId } = held.target;
    if (this.#held.get(watchId) === held) this.remove(watchId);
  }

  #next({ target, record }: HeldDelivery): Promise<Attempted> {
    const { signal } = this.#stop;
    if (isUnproven(record)) return this.#attempts.challenge(target, record, signal);
    const [firing] = this.#options.store.firings(target.watchId, record.settled, 1);
    if (firing === undefined) throw new Error(`no firing of ${target.watchId} behind ${record.settled}`);
    return this.#attempts.deliver(target, record, firing, signal);
  }
}

const randomToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
const nothing = (): void => {};
