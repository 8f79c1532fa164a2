import type {
  Facilitator,
  SettlementRequest,
  SettleOutcome,
  VerifyOutcome,
} from '../../src/pay/facilitator.ts';
import type { Steps } from './model-steps.ts';

export const TRANSACTION = `0x${'cd'.repeat(32)}`;

/**
 * A facilitator's ways with a settlement. `honest` waits for the block; `timeout` and `pending` submit and do
 * not tell; `lost` never submits; `late_refusal` submits and says refused; `lie` says settled and submits
 * nothing.
 */
export type Behaviour =
  | 'honest'
  | 'timeout'
  | 'lost'
  | 'pending'
  | 'refused'
  | 'late_refusal'
  | 'unsent'
  | 'lie';

/** A chain as its facilitator uses it. */
export interface FacilitatorChain<Request extends SettlementRequest> {
  verify(request: Request): VerifyOutcome;
  submit(request: Request): void;
  /** The outcome of what was submitted, once it is in a block. */
  outcome(request: Request): SettleOutcome;
}

export interface ModelFacilitatorOptions<Request extends SettlementRequest> {
  readonly name: string;
  readonly steps: Steps;
  readonly actor: string;
  readonly chain: FacilitatorChain<Request>;
  /** In order; the last one stays. Shared by all processes. */
  readonly behaviours: Behaviour[];
  /** Facilitators that took a settlement on. */
  readonly took: Set<string>;
}

export function modelFacilitator<Request extends SettlementRequest>(
  options: ModelFacilitatorOptions<Request>,
): Facilitator {
  const { name, steps, actor, chain, behaviours, took } = options;
  return {
    name,
    ok: true,
    probe: async () => {},
    verify: (request: Request) => steps.wait(actor, 'verify', () => chain.verify(request)),
    async settle(request: Request) {
      const behaviour = (behaviours.length > 1 ? behaviours.shift() : behaviours[0]) ?? 'honest';
      steps.histories.note(actor, 'behaviour', behaviour);
      if (behaviour !== 'unsent') {
        await steps.wait(actor, 'submit', () => {
          took.add(name);
          if (!['lost', 'refused', 'lie'].includes(behaviour)) chain.submit(request);
        });
      }
      return steps.wait(actor, 'answer', () =>
        behaviour === 'honest' ? chain.outcome(request) : answerOf(behaviour),
      );
    },
  };
}

/** No word about what became of it. */
export const unknownOutcome = (reason: string, pending = false): SettleOutcome => ({
  kind: 'unknown',
  reason,
  pending,
  ...(reason === 'TimeoutError' && { failed: true }),
  transaction: pending ? TRANSACTION : undefined,
});

function answerOf(behaviour: Behaviour): SettleOutcome {
  switch (behaviour) {
    case 'lie':
      return { kind: 'settled', transaction: TRANSACTION };
    case 'pending':
      return unknownOutcome('settlement_pending', true);
    case 'refused':
    case 'late_refusal':
      return { kind: 'refused', reason: 'insufficient_funds', transaction: undefined };
    case 'unsent':
      return { kind: 'unsent', reason: 'ECONNREFUSED' };
    default:
      return unknownOutcome('TimeoutError');
  }
}
