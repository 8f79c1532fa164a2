import type { Clock } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import type { Facilitator, SettleOutcome, VerifyOutcome } from '../../src/pay/facilitator.ts';
import type { ProofResult, SettlementVerifier } from '../../src/pay/schemes/exact/proof.ts';
import type { ExactRequest } from '../../src/pay/schemes/exact/request.ts';

export const TRANSACTION = `0x${'ab'.repeat(32)}`;

/** A facilitator with set answers, settled by default. */
export interface FakeFacilitator extends Facilitator {
  readonly verified: ExactRequest[];
  readonly settled: ExactRequest[];
  /** Answers in order; the last one stays. */
  verifyWith: (VerifyOutcome | Promise<VerifyOutcome>)[];
  settleWith: (SettleOutcome | Promise<SettleOutcome>)[];
}

export function fakeFacilitator(): FakeFacilitator {
  const fake: FakeFacilitator = {
    name: 'fake',
    verified: [],
    settled: [],
    verifyWith: [{ kind: 'valid' }],
    settleWith: [{ kind: 'settled', transaction: TRANSACTION }],
    ok: true,
    probe: async () => {},
    async verify(request: ExactRequest) {
      fake.verified.push(request);
      return next(fake.verifyWith);
    },
    async settle(request: ExactRequest) {
      fake.settled.push(request);
      return next(fake.settleWith);
    },
  };
  return fake;
}

function next<T>(answers: T[]): T {
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  if (answer === undefined) throw new Error('no answer was prepared');
  return answer;
}

export interface FakeProof extends SettlementVerifier {
  result: ProofResult;
  asked: number;
}

export function fakeProof(result: ProofResult): FakeProof {
  const fake: FakeProof = {
    result,
    asked: 0,
    async prove() {
      fake.asked++;
      return fake.result;
    },
  };
  return fake;
}

export interface FakeClock extends Clock {
  advance(ms: number): void;
}

/** Starts at the real time, since signatures are made by it, and moves only when told. */
export function fakeClock(now = Date.now()): FakeClock {
  return {
    now: () => asMs(now),
    advance(ms) {
      now += ms;
    },
  };
}

/** A promise to be settled by the test. */
export function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
