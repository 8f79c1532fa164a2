import { randomBytes, timingSafeEqual } from 'node:crypto';
import { SECRET_HEADER } from '../../api/headers.ts';
import { lowerAscii } from '../../domain/ascii-case.ts';
import { sha256 } from '../../domain/canonical-json.ts';
import type { Clock } from '../../domain/clock.ts';
import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { isWire, readNumber, readText } from '../../domain/read.ts';
import type { PaymentRecord } from '../../pay/record.ts';
import type { HttpReply } from '../../pay/types.ts';
import { type Soon, soon } from '../tables/soon.ts';
import { UnknownIds } from '../tables/unknown-ids.ts';
import { newMeter, pay } from './meter.ts';
import { withMeter } from './minute-servers.ts';
import type { Offered, PaidStreams } from './port.ts';
import type { Selection } from './selection.ts';
import type { StreamRecord } from './stream-record.ts';
import type { MinuteSale, StreamStore } from './stream-store.ts';

/** Streams that one store keeps at most. */
const MOST_STREAMS = 50_000;

export interface DeskOptions {
  readonly store: StreamStore;
  readonly clock: Clock;
  /** False where nothing is charged: then minutes are there as soon as they are asked for. */
  readonly isCharging: boolean;
  /** Readers that this process serves of a stream. */
  readonly readers: (id: string) => number;
}

/** Sells and shows the streams of a store. A sale adds its minutes, and does so once, however often it is announced. */
export class StreamDesk implements PaidStreams {
  readonly #options: DeskOptions;
  readonly #unknown: UnknownIds;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#unknown = new UnknownIds(options.store, options.clock, 'The store of paid streams');
  }

  full(): Failure | undefined {
    const { unread } = this.#unknown;
    if (unread !== undefined || this.#options.store.size < MOST_STREAMS) return unread;
    const detail = `All ${MOST_STREAMS} places for streams are taken.`;
    return { code: 'not_ready', detail, retryAfterSeconds: 60 };
  }

  offer(selection: Selection, minutes: number): Soon<Offered> {
    const offered = {
      id: `s${this.#options.store.mark}${randomBytes(8).toString('hex')}`,
      secret: randomBytes(24).toString('base64url'),
    };
    if (this.#options.isCharging) return offered;
    return soon(this.#begin(offered, selection, minutes, undefined, this.#grant()), () => offered);
  }

  extend(id: string, minutes: number): Soon<void> {
    if (!this.#options.isCharging) return this.#add(id, minutes, this.#grant());
  }

  /** A sale of what costs nothing. */
  #grant(): MinuteSale {
    return { key: `free ${randomBytes(8).toString('hex')}`, claimedAt: this.#options.clock.now() };
  }

  /**
   * Takes what a sale was answered with. One that was announced before changes nothing, nor does one of a host with a store of its own.
   * Minutes are added to any stream that is stored here, wherever it was sold.
   */
  sold({ key, claimedAt, payer }: SoldMinutes, { body }: Pick<HttpReply, 'body'>): Soon<void> {
    const answer: unknown = JSON.parse(body.toString());
    if (!isWire(answer)) return;
    const id = readText(answer.id);
    const minutes = readNumber(answer.minutes);
    if (id === undefined || minutes === undefined) throw new Error('a sale of minutes has no stream');
    const { store } = this.#options;
    if (store.mark === '') throw new Error('the store of paid streams has not answered yet');
    const secret = readText(answer.secret);
    const sale = { key, claimedAt };
    if (secret === undefined) return this.#add(id, minutes, sale);
    if (!store.isOwn(id)) return;
    // It is the selection that the answer to the buyer states.
    return this.#begin({ id, secret }, answer.selection as Selection, minutes, lowerAscii(payer), sale);
  }

  #begin(
    { id, secret }: Offered,
    selection: Selection,
    minutes: number,
    payer: string | undefined,
    sale: MinuteSale,
  ): Soon<void> {
    const begin = (now: number): StreamRecord => ({
      id,
      secretHash: sha256(secret),
      payer,
      selection,
      boughtAt: now,
      paidAt: now,
      meter: newMeter(minutes),
      servedBy: undefined,
      credits: [],
      untold: 0,
    });
    const { clock } = this.#options;
    return this.#sell(sale, id, (stored) => (stored === undefined ? begin(clock.now()) : undefined));
  }

  #add(id: string, minutes: number, sale: MinuteSale): Soon<void> {
    return this.#sell(sale, id, (stored) => {
      // A server may have been waited for.
      const now = this.#options.clock.now();
      if (stored === undefined) return undefined;
      const next = withMeter(stored, pay(stored.meter, minutes, now), now, this.#options.store.aliveAt);
      return { ...next, paidAt: now };
    });
  }

  #sell(...sale: Parameters<StreamStore['sell']>): Soon<void> {
    return soon(this.#options.store.sell(...sale), () => {});
  }

  find(id: string): StreamRecord | undefined {
    return this.#options.store.find(id);
  }

  unknown(id: string): Failure | undefined {
    return this.#unknown.refusal(id);
  }

  read(id: string, secret: string | undefined): Result<StreamRecord> {
    if (secret === undefined) return fail(NO_SECRET);
    const record = this.find(id);
    if (record !== undefined && isSecret(secret, record.secretHash)) return ok(record);
    const passing = record === undefined ? this.unknown(id) : undefined;
    if (passing !== undefined) return fail(passing);
    return fail({ code: 'no_data', detail: `No stream ${id} has this secret` });
  }

  now(): number {
    return this.#options.clock.now();
  }

  readers(id: string): number {
    return this.#options.readers(id);
  }
}

type SoldMinutes = Pick<PaymentRecord, 'key' | 'claimedAt' | 'payer'>;

const NO_SECRET: Failure = {
  code: 'missing_parameter',
  detail: `${SECRET_HEADER}: send the secret of the stream in this header`,
  errors: [{ parameter: SECRET_HEADER, message: 'required' }],
};

function isSecret(secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(secret), 'utf8'), Buffer.from(hash, 'utf8'));
}
