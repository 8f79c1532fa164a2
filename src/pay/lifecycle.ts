import type { PaymentRecord, PaymentState } from './record.ts';
import type { HttpReply, PaywallReply } from './types.ts';

/**
 * The stage of a payment is its state, and more: `watched` is refused by its facilitator alone, while the chain may still
 * say otherwise, and `unproven` is unknown for good. `none`: the nonce is free.
 */
export type Stage = 'none' | PaymentState | 'watched' | 'unproven';

/** Something that happened to a payment. */
export type LifecycleEvent =
  /** It was verified and its answer is made. */
  | { readonly kind: 'prepared'; readonly facilitator: string; readonly answer: HttpReply }
  /** It was verified and its answer is made, and it is settled by being stored: nobody is asked to move money. */
  | {
      readonly kind: 'sold';
      readonly facilitator: string;
      readonly answer: HttpReply;
      readonly transaction: string;
      readonly proof: 'rpc' | 'facilitator';
    }
  /** It ends before a facilitator took it on to move money; `reply` is the answer to the buyer. */
  | { readonly kind: 'abandoned'; readonly reply?: () => PaywallReply }
  /** Its facilitator certainly took nothing on: another one is asked. */
  | { readonly kind: 'passed_on'; readonly facilitator: string }
  | { readonly kind: 'settled'; readonly transaction: string; readonly proof: 'rpc' | 'facilitator' }
  /** Its facilitator refuses; others who have seen the authorization may still submit it. */
  | { readonly kind: 'refused'; readonly reason: string; readonly transaction: string | undefined }
  /** The money cannot move any more, or nobody can be asked who would know better. */
  | { readonly kind: 'ruled_out'; readonly reason: string; readonly transaction: string | undefined }
  | { readonly kind: 'unclear'; readonly reason: string; readonly transaction: string | undefined }
  /** Its worker is gone, or its time to be looked at has come. */
  | { readonly kind: 'taken_up' }
  /** Nothing more can be learned. */
  | { readonly kind: 'given_up' }
  /** A settled answer is on its way once more. */
  | { readonly kind: 'handed_out' }
  /** The answer arrived, and nobody can ask for it again. */
  | { readonly kind: 'arrived' }
  /** It arrived, and its answer can be asked for again with the payment identifier. */
  | { readonly kind: 'arrived_with_id' }
  /** It arrived, and stays until the next sale on its account, for its payer alone. */
  | { readonly kind: 'kept' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'wrong_id' }
  /** There is nothing to look at until the answer expires. */
  | { readonly kind: 'put_off' }
  | { readonly kind: 'answer_expired' };

/** A payment begins with the claim of its nonce. */
export type EventKind = 'claim' | LifecycleEvent['kind'];

/**
 * The way in which a transition is stored. `flush`: it survives a loss of power before anything follows from
 * it.
 */
export type StoreEffect =
  | 'hold_answer'
  | 'issue_receipts'
  | 'flush'
  | 'drop_answer'
  | 'note_arrival'
  | 'note_kept'
  | 'release';

/** The action after a transition is stored; it may lead to the next event. */
export type Action =
  | 'prepare'
  | 'settle'
  | 'examine'
  | 'deliver'
  | 'redeliver'
  | 'say_refused'
  | 'say_unknown'
  | 'reply'
  | 'report';

export interface TransitionRule<To extends Stage = Stage> {
  readonly to: To;
  readonly store: readonly StoreEffect[];
  readonly action: Action | undefined;
}

type Table = { readonly [S in Stage]: { readonly [K in EventKind]?: TransitionRule } };

const to = <To extends Stage>(
  stage: To,
  store: readonly StoreEffect[],
  action?: Action,
): TransitionRule<To> => ({
  to: stage,
  store,
  action,
});

/**
 * The life of a payment, whole: what each event makes of each stage, how that is stored, and what follows. A pair that
 * is not here cannot happen. docs/payment-lifecycle.md is drawn from it.
 */
export const LIFECYCLE = {
  none: {
    // Locked in this process alone: nothing is stored before there is an answer.
    claim: to('claimed', [], 'prepare'),
  },
  claimed: {
    prepared: to('settling', ['hold_answer', 'flush'], 'settle'),
    sold: to('settled', ['hold_answer', 'issue_receipts', 'flush'], 'deliver'),
    abandoned: to('none', ['release'], 'reply'),
    taken_up: to('none', ['release']),
  },
  settling: {
    // The ledger names the facilitator before it is asked: after a crash no other one may be asked.
    passed_on: to('settling', ['flush'], 'settle'),
    abandoned: to('none', ['release'], 'reply'),
    settled: to('settled', ['issue_receipts', 'flush'], 'deliver'),
    refused: to('watched', ['flush'], 'say_refused'),
    ruled_out: to('refused', ['flush', 'drop_answer'], 'say_refused'),
    unclear: to('unknown', ['flush'], 'say_unknown'),
    taken_up: to('unknown', [], 'examine'),
  },
  unknown: {
    taken_up: to('unknown', [], 'examine'),
    settled: to('settled', ['issue_receipts', 'flush'], 'report'),
    ruled_out: to('refused', ['flush', 'drop_answer'], 'report'),
    unclear: to('unknown', ['flush']),
    given_up: to('unproven', ['flush', 'drop_answer'], 'report'),
  },
  watched: {
    taken_up: to('watched', [], 'examine'),
    settled: to('settled', ['issue_receipts', 'flush'], 'report'),
    ruled_out: to('refused', ['drop_answer']),
    unclear: to('watched', []),
    given_up: to('refused', ['drop_answer']),
  },
  settled: {
    // A process that stored the outcome may have ended before that was on the disk.
    handed_out: to('settled', ['flush'], 'redeliver'),
    arrived: to('delivered', ['note_arrival']),
    arrived_with_id: to('delivered', []),
    kept: to('settled', ['note_kept']),
    lost: to('settled', []),
    put_off: to('settled', []),
    answer_expired: to('settled', ['drop_answer']),
  },
  delivered: {
    wrong_id: to('delivered', []),
    put_off: to('delivered', []),
    answer_expired: to('delivered', ['drop_answer']),
  },
  refused: {},
  unproven: {},
} satisfies Table;

/** The transition of a stage by an event; undefined where it cannot happen. */
export function transitionRule(stage: Stage, event: EventKind): TransitionRule | undefined {
  const table: Table = LIFECYCLE;
  return table[stage][event];
}

/** The stage of a payment. */
export function stageOf(record: PaymentRecord | undefined): Stage {
  if (record === undefined) return 'none';
  if (record.state === 'refused') return record.dueAt === undefined ? 'refused' : 'watched';
  if (record.state === 'unknown') return record.closedAt === undefined ? 'unknown' : 'unproven';
  return record.state;
}

/** A stage as it is stored; undefined where nothing is. */
export function stateOf(stage: Stage): PaymentState | undefined {
  if (stage === 'none') return undefined;
  return stage === 'watched' ? 'refused' : stage === 'unproven' ? 'unknown' : stage;
}
