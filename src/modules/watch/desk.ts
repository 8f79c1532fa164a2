import { randomBytes, timingSafeEqual } from 'node:crypto';
import { SECRET_HEADER } from '../../api/headers.ts';
import { lowerAscii } from '../../domain/ascii-case.ts';
import { canonicalJson, sha256 } from '../../domain/canonical-json.ts';
import type { Clock } from '../../domain/clock.ts';
import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { isWire, readIso, readNumber, readText } from '../../domain/read.ts';
import type { PaymentRecord } from '../../pay/record.ts';
import type { HttpReply } from '../../pay/types.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import { type Soon, soon } from '../tables/soon.ts';
import { UnknownIds } from '../tables/unknown-ids.ts';
import type { Condition } from '../watch-conditions/condition.ts';
import type { Deliveries } from '../webhook/deliveries.ts';
import type { Delivery, Firing } from '../webhook/firing.ts';
import type { WatchEngine } from './engine.ts';
import { reopened } from './look.ts';
import type { DeliveryReader, Offered, WatchDelivery, Watches } from './port.ts';
import { isReadingToken } from './reading-token.ts';
import type { WatchRecord } from './watch-record.ts';
import { firstProgress } from './watch-state.ts';
import type { Addition, WatchStore } from './watch-store.ts';

/** Watches that one store holds at most: their memory is bounded. */
export const MOST_WATCHES = 50_000;

export interface DeskOptions {
  readonly store: WatchStore;
  readonly engine: WatchEngine;
  readonly clock: Clock;
  /** False where nothing is charged: then a watch is held as soon as it is asked for. */
  readonly isCharging: boolean;
  /** Undefined where nothing is posted. */
  readonly delivery: (Pick<Delivery, 'fault' | 'state'> & Pick<Deliveries, 'prove'>) | undefined;
}

/** Sells and shows the watches of a store. A sale registers its watch, and does so once, however often it is announced. */
export class WatchDesk implements Watches {
  readonly #options: DeskOptions;
  readonly #unknown: UnknownIds;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#unknown = new UnknownIds(options.store, options.clock, 'The store of watches');
  }

  webhookFault(address: string): string | undefined {
    const { delivery } = this.#options;
    return delivery === undefined ? 'this service posts to nobody' : delivery.fault(address);
  }

  full(): Failure | undefined {
    const { unread } = this.#unknown;
    if (unread !== undefined || this.#options.engine.total < MOST_WATCHES) return unread;
    return {
      code: 'not_ready',
      detail: `All ${MOST_WATCHES} places for watches are taken.`,
      retryAfterSeconds: 60,
    };
  }

  offer(condition: Condition, days: number): Soon<Offered> {
    const beganAt = this.#options.clock.now();
    const offered = {
      id: `w${this.#options.store.mark}${randomBytes(8).toString('hex')}`,
      secret: randomBytes(24).toString('base64url'),
      beganAt,
      endsAt: beganAt + days * DAY_MS,
    };
    if (this.#options.isCharging) return offered;
    return soon(this.register(newRecord(offered, condition, undefined, [])), () => offered);
  }

  renew({ id, endsAt }: WatchRecord, days: number): Soon<number> {
    const until = endsAt + days * DAY_MS;
    if (this.#options.isCharging) return until;
    return soon(this.#renew(id, days, `free ${randomBytes(8).toString('hex')}`), () => until);
  }

  /** Holds a watch, unless it is held already. */
  register(record: WatchRecord): Soon<void> {
    const { store } = this.#options;
    const added = store.update(record.id, (stored) => (stored === undefined ? record : undefined));
    return this.#add(added);
  }

  /** The holder of the watches takes up what was added; of another process it reads that by itself. */
  #add(added: Soon<Addition | undefined>): Soon<void> {
    return soon(added, (addition) => {
      if (addition !== undefined) this.#options.engine.added(addition);
    });
  }

  keepRule(record: WatchRecord): Soon<void> {
    const { store, engine } = this.#options;
    return engine.replace(() => {
      const kept = store.update(record.id, (stored) => {
        if (stored === undefined) return record;
        const isKept = stored.endedAt === undefined || stored.endReason === 'all_firings';
        if (isKept && isSameRule(stored, record)) return undefined;
        return { ...record, progress: { ...record.progress, seq: stored.progress.seq } };
      });
      return soon(kept, (addition) => addition ?? this.#unheard(record.id));
    });
  }

  /** The rule as it is stored, where another one of its name is held: a server had taken it without an answer. */
  #unheard(id: string): Addition | undefined {
    const held = this.#options.engine.record(id);
    const record = this.#options.store.watch(id);
    if (record === undefined || held === undefined || isSameRule(record, held)) return undefined;
    return { record, additions: undefined };
  }

  keepRules(ids: ReadonlySet<string>): void {
    for (const { id, rule, endedAt } of this.#options.store.watches())
      if (rule !== undefined && endedAt === undefined && !ids.has(id))
        this.#options.engine.end(id, 'removed');
  }

  #renew(id: string, days: number, sale: string): Soon<void> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const renewed = store.update(id, (stored) => {
      if (stored === undefined || stored.sales.includes(sale)) return undefined;
      // One that ended while the payment settled has its days from now on.
      const from = stored.endedAt === undefined ? stored.endsAt : Math.max(stored.endsAt, now);
      const sales = [...stored.sales, sale];
      return { ...reopened(stored, now), endsAt: from + days * DAY_MS, sales };
    });
    return this.#add(renewed);
  }

  /**
   * Registers what a sale was answered with: a watch, or a renewal. A sale that was announced before changes nothing, nor does
   * one of a host with a store of its own. A renewal is of any watch that is stored here, wherever it was sold.
   */
  sold({ key, payer }: Pick<PaymentRecord, 'key' | 'payer'>, { body }: Pick<HttpReply, 'body'>): Soon<void> {
    const answer: unknown = JSON.parse(body.toString());
    if (!isWire(answer)) return;
    const id = readText(answer.id);
    const days = readNumber(answer.days);
    const beganAt = readIso(answer.began_at);
    if (id === undefined || days === undefined) throw new Error('a sale of a watch has no watch');
    const { store } = this.#options;
    if (store.mark === '') throw new Error('the store of watches has not answered yet');
    const secret = readText(answer.secret);
    if (secret === undefined) return this.#renew(id, days, key);
    if (!store.isOwn(id)) return;
    if (beganAt === undefined) throw new Error('a watch that was sold has no beginning');
    // It is the condition that the answer to the buyer states.
    const condition = answer.condition as unknown as Condition;
    const offered = { id, secret, beganAt, endsAt: beganAt + days * DAY_MS };
    return this.register(newRecord(offered, condition, lowerAscii(payer), [key]));
  }

  find(id: string): WatchRecord | undefined {
    return this.#options.engine.record(id);
  }

  unknown(id: string): Failure | undefined {
    return this.#unknown.refusal(id);
  }

  read(id: string, secret: string | undefined): Result<WatchRecord> {
    if (secret === undefined) return fail(NO_SECRET);
    const record = this.find(id);
    if (record !== undefined && this.#reads(secret, record)) return ok(record);
    const passing = record === undefined ? this.unknown(id) : undefined;
    if (passing !== undefined) return fail(passing);
    return fail({ code: 'no_data', detail: `No watch ${id} has this secret` });
  }

  #reads(secret: string, record: WatchRecord): boolean {
    const { secretHash } = record;
    if (secretHash === undefined) return false;
    return isSecret(secret, secretHash) || isReadingToken(secret, record, this.#options.clock.now());
  }

  get stored(): WatchStore {
    return this.#options.store;
  }

  firings(id: string, after: number, limit: number): readonly Firing[] {
    return this.#options.store.firings(id, after, limit);
  }

  delivery(
    { id, condition, endedAt }: WatchRecord,
    reader: DeliveryReader = 'owner',
  ): WatchDelivery | undefined {
    if (condition.webhook === undefined) return undefined;
    // The owner of a receiver that did not answer its challenge may have mended it.
    if (reader === 'owner' && endedAt === undefined) this.#options.delivery?.prove(id);
    const state = this.#options.delivery?.state(id);
    return {
      state: state?.state ?? 'none',
      acknowledged: this.#options.store.acknowledged(id),
      waiting: state?.waiting ?? 0,
      lastError: state?.lastError,
    };
  }
}

const NO_SECRET: Failure = {
  code: 'missing_parameter',
  detail: `${SECRET_HEADER}: send the secret of the watch in this header`,
  errors: [{ parameter: SECRET_HEADER, message: 'required' }],
};

const isSameRule = (stored: WatchRecord, next: WatchRecord): boolean =>
  stored.format === next.format && canonicalJson(stored.condition) === canonicalJson(next.condition);

function isSecret(secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(secret), 'utf8'), Buffer.from(hash, 'utf8'));
}

/** A watch that begins. */
export const newRecord = (
  { id, secret, beganAt, endsAt }: Omit<Offered, 'secret'> & { readonly secret: string | undefined },
  condition: Condition,
  payer: string | undefined,
  sales: readonly string[],
): WatchRecord => ({
  id,
  secretHash: secret === undefined ? undefined : sha256(secret),
  payer,
  rule: undefined,
  format: undefined,
  condition,
  beganAt,
  endsAt,
  sales,
  progress: firstProgress(beganAt),
  mark: undefined,
  values: {},
  rowsAt: undefined,
  seenAt: beganAt,
  endedAt: undefined,
  endReason: undefined,
  statement: undefined,
});
