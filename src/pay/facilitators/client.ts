import type { FacilitatorClient } from '@x402/core/server';
import type { PaymentPayload } from '@x402/core/types';
import { withTimeout } from '../../runtime/timer.ts';
import type { Facilitator, SettlementRequest, SettleOutcome, VerifyOutcome } from '../facilitator.ts';
import { Breaker } from './breaker.ts';
import { settleFailure, settleOutcome, verifyFailure, verifyOutcome } from './outcomes.ts';

export interface FacilitatorTimeouts {
  readonly verifyMs: number;
  readonly settleMs: number;
  /** After five failures in a row verify is not tried for so long; settle always is. */
  readonly breakMs: number;
}

const OPEN_AFTER = 5;

export const DEFAULT_TIMEOUTS: FacilitatorTimeouts = { verifyMs: 5_000, settleMs: 20_000, breakMs: 10_000 };

/** The two calls as x402 clients offer them; one client may serve both. */
export interface FacilitatorClients {
  readonly name: string;
  readonly verify: Pick<FacilitatorClient, 'verify' | 'getSupported'>;
  readonly settle: Pick<FacilitatorClient, 'settle'>;
}

/** A way of paying, as facilitators list it. */
export interface SupportedKind {
  readonly scheme: string;
  /** CAIP-2. */
  readonly network: string;
}

/** Makes a facilitator out of x402 clients: bounded in time, behind a circuit breaker, outcomes instead of errors. */
export function createFacilitator(
  { name, verify, settle }: FacilitatorClients,
  kind: SupportedKind,
  times: FacilitatorTimeouts = DEFAULT_TIMEOUTS,
): Facilitator {
  let ok: boolean | undefined;
  const breaker = new Breaker({ openAfter: OPEN_AFTER, restMs: times.breakMs });
  return {
    name,
    get ok() {
      return ok;
    },
    get isResting() {
      return breaker.isOpen;
    },
    async verify(request, { doubtful }) {
      if (!doubtful && !breaker.enter()) return { kind: 'unavailable', reason: 'facilitator_failing' };
      const outcome = await verified(verify, request, times.verifyMs);
      if (doubtful) return outcome;
      ok = outcome.kind !== 'unavailable';
      breaker.leave(ok);
      return outcome;
    },
    async settle(request): Promise<SettleOutcome> {
      try {
        const answer = settle.settle(toPayload(request), request.requirement);
        const outcome = settleOutcome(await within(answer, times.settleMs), request);
        ok = true;
        return outcome;
      } catch (cause) {
        const outcome = settleFailure(cause);
        ok = outcome.kind === 'refused';
        return outcome;
      }
    },
    async probe() {
      ok = await supports(verify, kind, times.verifyMs);
    },
  };
}

type Verifier = FacilitatorClients['verify'];

async function verified(client: Verifier, request: SettlementRequest, ms: number): Promise<VerifyOutcome> {
  try {
    const answer = client.verify(toPayload(request), request.requirement);
    return verifyOutcome(await within(answer, ms), request);
  } catch (cause) {
    return verifyFailure(cause);
  }
}

/** True if it states that it takes payments of this version and scheme on the network. */
async function supports(client: Verifier, { scheme, network }: SupportedKind, ms: number): Promise<boolean> {
  try {
    const { kinds } = await within(client.getSupported(), ms);
    return kinds.some((kind) => kind.x402Version === 2 && kind.scheme === scheme && kind.network === network);
  } catch {
    return false;
  }
}

class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** The answer, or a TimeoutError. */
function within<T>(answer: Promise<T>, ms: number): Promise<T> {
  return withTimeout(answer, ms, () => {
    throw new TimeoutError(`no answer within ${ms} ms`);
  });
}

/** The client gets what was made for this payment; what others share is copied, as far as it could be changed. */
function toPayload({ requirement, resource, payload, bazaar }: SettlementRequest): PaymentPayload {
  return {
    x402Version: 2,
    ...(resource !== undefined && { resource: { ...resource, tags: [...resource.tags] } }),
    accepted: requirement,
    payload: { ...payload },
    ...(bazaar !== undefined && { extensions: { bazaar } }),
  };
}
