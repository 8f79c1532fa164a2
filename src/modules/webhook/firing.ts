import type { Soon } from '../tables/soon.ts';

/** Kinds of what a watch tells: its condition holds, holds no more, cannot be known, is known again; the watch has ended. */
export const FIRING_KINDS = ['fired', 'cleared', 'unknown', 'known', 'ended'] as const;
export type FiringKind = (typeof FIRING_KINDS)[number];

/** A value that a firing rests on: a field of the named product, as it was. Unknown is null. */
export type WatchedValues = Readonly<Record<string, number | string | boolean | null>>;

/** A condition as a firing states it: the kind of the condition, and all that it was bought with. */
export type StatedCondition = Readonly<Record<string, number | string | boolean>>;

/** One thing that a watch tells its owner. It is stored under its number before anybody hears of it. */
export interface Firing {
  readonly watchId: string;
  /** 1, 2, 3 … of its watch, without gaps. */
  readonly seq: number;
  /** When it was noted, Unix ms. */
  readonly at: number;
  readonly kind: FiringKind;
  readonly condition: StatedCondition;
  readonly values: WatchedValues;
  /** Time of the oldest data in the values, Unix ms; undefined where nothing is known. */
  readonly rowsAt: number | undefined;
  /** Version of the rules by which conditions are judged. */
  readonly ruleVersion: number;
  /** The reason for which a condition is unknown, or a watch has ended. */
  readonly reason?: string;
}

/** A watch as far as its delivery is concerned. */
export interface DeliveredWatch {
  readonly id: string;
  /** The address that firings are posted to, as it was bought; undefined without a webhook. */
  readonly webhook: string | undefined;
  /** True of an operator's own rule. */
  readonly isOperators: boolean;
  /** The field that a chat service takes words in, of an operator's own rule: nothing is signed, and nobody challenged. */
  readonly format?: 'text' | 'content' | undefined;
  /** When it ends, Unix ms. */
  readonly endsAt: number;
}

/** State of one watch's delivery, for its owner and for the operator. */
export interface DeliveryState {
  /** `unproven`: the receiver has not answered the challenge yet. */
  readonly state: 'none' | 'unproven' | 'ready' | 'retrying' | 'failed';
  /** Firings that wait. */
  readonly waiting: number;
  readonly delivered: number;
  readonly failed: number;
  readonly lastError: string | undefined;
}

/** Counts over all watches, since the start of the process. */
export interface DeliveryCounts {
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
  /** Requests that were not made, since their address is forbidden. */
  readonly refused: number;
}

/** The part of the store that delivery uses: what it takes is durable once it has answered. */
export interface DeliveryStore {
  /** Firings of a watch behind a number, the earliest first. */
  firings(watchId: string, after: number, limit: number): readonly Firing[];
  /** The receiver has confirmed all firings up to this number. */
  acknowledge(watchId: string, seq: number): Soon<void>;
  /** The number up to which the receiver has confirmed. */
  acknowledged(watchId: string): number;
}

/** Posts firings to the receivers of watches. At least once: a receiver tells what it has by watchId and seq. */
export interface Delivery {
  /**
   * The reason for which a target cannot be posted to, in words for the buyer; undefined where it can. Only its form and
   * address are looked at: nobody is asked.
   */
  fault(target: string): string | undefined;
  /** Takes a watch that is held from now on, with what its receiver has not confirmed yet. */
  add(watch: DeliveredWatch): void;
  /** Lets go of a watch that is ended and told, or held by another process from now on. */
  remove(watchId: string): void;
  /** A firing that is durable; also an ended one, which is the last. */
  queue(firing: Firing): void;
  state(watchId: string): DeliveryState | undefined;
  readonly counts: DeliveryCounts;
  stop(): Promise<void> | void;
}
