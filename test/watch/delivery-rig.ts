import type { Clock } from '../../src/domain/clock.ts';
import { Deliveries, type DeliveriesOptions } from '../../src/modules/webhook/deliveries.ts';
import type { DeliveryRecord } from '../../src/modules/webhook/delivery-record.ts';
import type { DeliveryRecords } from '../../src/modules/webhook/delivery-store.ts';
import type { DeliveredWatch, DeliveryStore, Firing } from '../../src/modules/webhook/firing.ts';
import type { Outgoing, Posted } from '../../src/modules/webhook/outbound.ts';
import type { Receiver } from '../../src/modules/webhook/receiver.ts';
import { ManualTime } from '../collect/manual-time.ts';

export const firingOf = (watchId: string, seq: number): Firing => ({
  watchId,
  seq,
  at: Date.UTC(2026, 10, 29, 12) + seq,
  kind: seq % 2 === 1 ? 'fired' : 'cleared',
  condition: { kind: 'funding', ticker: 'BTC' },
  values: { rate: 0.0001 * seq },
  rowsAt: undefined,
  ruleVersion: 1,
});

export const watchOf = (id: string, more: Partial<DeliveredWatch> = {}): DeliveredWatch => ({
  id,
  webhook: `https://${id}.example.com/hook`,
  isOperators: false,
  endsAt: Date.UTC(2026, 10, 30),
  ...more,
});

/** Firings and records in memory, as they are on the disk: they outlive a process. */
export class Disk implements DeliveryStore {
  readonly #firings = new Map<string, Firing[]>();
  readonly #acknowledged = new Map<string, number>();
  readonly #records = new Map<string, DeliveryRecord>();

  /** Stores the next firing of a watch. */
  fire(watchId: string): Firing {
    const all = this.#firings.get(watchId) ?? [];
    const firing = firingOf(watchId, all.length + 1);
    this.#firings.set(watchId, [...all, firing]);
    return firing;
  }

  firings(watchId: string, after: number, limit: number): readonly Firing[] {
    return (this.#firings.get(watchId) ?? []).slice(after, after + limit);
  }

  acknowledge(watchId: string, seq: number): void {
    this.#acknowledged.set(watchId, seq);
  }

  acknowledged(watchId: string): number {
    return this.#acknowledged.get(watchId) ?? 0;
  }

  record(watchId: string): DeliveryRecord | undefined {
    return this.#records.get(watchId);
  }

  /** @param mayWrite is asked at each write: a process that was killed writes no more */
  records(mayWrite: () => Promise<boolean> | boolean = () => true): DeliveryRecords {
    return {
      read: (watchId) => this.#records.get(watchId),
      write: async (watchId, record) => {
        if (!(await mayWrite())) await new Promise(() => {});
        this.#records.set(watchId, record);
        return true;
      },
      remove: async (watchId) => void this.#records.delete(watchId),
      close: async () => {},
    };
  }
}

/** A request as the rig's receivers get it. */
export interface Request {
  readonly host: string;
  readonly message: Outgoing;
  readonly body: Readonly<Record<string, unknown>>;
  readonly stop: AbortSignal;
}

export const answered = (
  status: number,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): Posted => ({ ok: true, status, headers, body: Buffer.from(JSON.stringify(body)) });

/** The answer of a receiver that means well. */
export const welcome = ({ body }: Request): Posted =>
  answered(200, body.event === 'challenge' ? { challenge: body.challenge } : {});

export interface RigOptions extends Partial<Pick<DeliveriesOptions, 'places' | 'records' | 'store'>> {
  readonly disk?: Disk;
  readonly time?: ManualTime;
  readonly clock?: Clock;
  /** Number of the tenure. */
  readonly term?: number;
  readonly answer?: (request: Request) => Posted | Promise<Posted>;
}

/** Deliveries over a receiver of the test, in time of the test. */
export function rigOf(options: RigOptions = {}) {
  const { disk = new Disk(), time = new ManualTime(), places, answer = welcome } = options;
  const requests: Request[] = [];
  const faults: unknown[] = [];
  const post = async ({ host }: Receiver, message: Outgoing, stop: AbortSignal): Promise<Posted> => {
    const request = { host, message, body: JSON.parse(message.body) as Request['body'], stop };
    requests.push(request);
    return answer(request);
  };
  const deliveries = new Deliveries({
    term: () => options.term ?? 1,
    store: options.store ?? disk,
    records: options.records ?? disk.records(),
    outbound: { post },
    sign: (payload, type) => JSON.stringify({ type, ...payload }),
    rules: { allowLoopback: false },
    bodyOf: ({ watchId, seq }) => ({ watch_id: watchId, sequence: seq }),
    wordsOf: ({ watchId, seq }) => `${watchId} <${seq}>`,
    clock: options.clock ?? time.clock,
    timer: time.timer,
    report: ({ error }) => faults.push(error),
    random: () => 0,
    ...(places !== undefined && { places }),
  });
  const fire = (watchId: string): void => deliveries.queue(disk.fire(watchId));
  const sequences = (): unknown[] => requests.flatMap(({ body }) => body.sequence ?? []);
  return { disk, time, deliveries, requests, faults, fire, sequences };
}
