import type { Failure, Result } from '../../domain/errors.ts';
import type { Port } from '../../runtime/port.ts';
import type { Soon } from '../tables/soon.ts';
import type { Condition } from '../watch-conditions/condition.ts';
import type { Firing } from '../webhook/firing.ts';
import type { WatchRecord } from './watch-record.ts';
import type { WatchStore } from './watch-store.ts';

/** A watch that is offered for sale: it is held once it is paid for. */
export interface Offered {
  readonly id: string;
  readonly secret: string;
  readonly beganAt: number;
  readonly endsAt: number;
}

/** The one who looks at a delivery: its owner's look has a silent receiver challenged again. */
export type DeliveryReader = 'owner' | 'token' | 'operator';

/** The watches of a service, as its products see them. */
export interface Watches {
  /** The reason for which an address cannot be posted to; undefined where it can. */
  webhookFault(address: string): string | undefined;
  /** The reason for which no more watches are taken. */
  full(): Failure | undefined;
  /** A watch of this condition for so many days: registered at once where nothing is charged. */
  offer(condition: Condition, days: number): Soon<Offered>;
  /** The end of a watch that is renewed by so many days, Unix ms: renewed at once where nothing is charged. */
  renew(record: WatchRecord, days: number): Soon<number>;
  /** A watch of this id, without its secret. */
  find(id: string): WatchRecord | undefined;
  /** 503 of an id that is not known and may be in a moment; else undefined. */
  unknown(id: string): Failure | undefined;
  /** A watch, read by its secret: 400 without one; 404 of an id that is not known, and of one whose secret is another. */
  read(id: string, secret: string | undefined): Result<WatchRecord>;
  /** All of them as they are stored. */
  readonly stored: Pick<WatchStore, 'watches' | 'additions'>;
  /** Its firings behind a number, the earliest first. */
  firings(id: string, after: number, limit: number): readonly Firing[];
  /** The number up to which its receiver has confirmed, as the owner asks; undefined without a webhook. */
  delivery(record: WatchRecord, reader?: DeliveryReader): WatchDelivery | undefined;
  /** Watches an operator's rule: the one that is held where it is the same, else in its place, under the numbers that follow. */
  keepRule(record: WatchRecord): Soon<void>;
  /** Ends the rules that are none of these any more. */
  keepRules(ids: ReadonlySet<string>): void;
}

/** A rule of the operator's, with what keeps it from being watched. */
export interface RuleState {
  readonly name: string;
  readonly watchId: string;
  /** Undefined where it is watched. */
  readonly fault: string | undefined;
}

/** The operator's rules, in the process that holds the watches. */
export interface Rules {
  readonly states: readonly RuleState[];
  /** Takes up those that are not watched yet. */
  turn(now: number): void;
}

export const RULES: Port<Rules> = { name: 'rules of watches', absent: { states: [], turn: () => {} } };

/** The delivery of a watch's firings by webhook, as its owner sees it. */
export interface WatchDelivery {
  readonly state: string;
  readonly acknowledged: number;
  readonly waiting: number;
  readonly lastError: string | undefined;
}

/** Absent in a process that holds none. */
export const WATCHES: Port<Watches | undefined> = { name: 'watches', absent: undefined };
