import type { Clock } from '../domain/clock.ts';
import { Limiter } from './limiter.ts';

const EVERYBODY = '*';
/** Failed payments that are counted beyond their limit: less than an hour of waiting for an address. */
const FAILED_DEBT = 1_000;

/** Rate limits, so that no client uses up what a facilitator takes. */
export interface PaymentLimits {
  /** Payments whose signature only the chain can judge (contract wallets, and every forgery); those that settle do not count. */
  readonly doubtful: Quota;
  /** Payments that turned out to be worthless: found invalid, or refused at settling. */
  readonly failed: Quota;
  /** By client address: payments that nobody needs to be asked about, malformed or on other terms than ours. */
  readonly wrong: Limiter;
}

interface Quota {
  /** Seconds to wait, 0 when allowed. */
  wait(payer: string, address: string): number;
  take(payer: string, address: string): void;
  /** Of a payment that turned out to be good. */
  giveBack(payer: string, address: string): void;
}

/**
 * A client address is limited before the payer it names, so that forged payments stop their sender and not the payer.
 * Only doubtful payments share one bucket, so that nobody can use up what a well-signed payment needs.
 */
export function createPaymentLimits(clock: Clock): PaymentLimits {
  const doubtful = [
    new Limiter({ clock, burst: 15, refillMs: 4_000 }),
    new Limiter({ clock, burst: 5, refillMs: 12_000 }),
    new Limiter({ clock, burst: 100, refillMs: 200 }),
  ] as const;
  // That a payment is worthless is known only at its end: of those that come at once, none is held up by the others.
  const failed = [
    new Limiter({ clock, burst: 60, refillMs: 1_000, maxDebt: FAILED_DEBT }),
    new Limiter({ clock, burst: 20, refillMs: 3_000, maxDebt: FAILED_DEBT }),
  ] as const;
  const wrong = new Limiter({ clock, burst: 60, refillMs: 1_000 });
  return { wrong, doubtful: quota(...doubtful), failed: quota(...failed) };
}

function quota(byPayer: Limiter, byAddress: Limiter, overall?: Limiter): Quota {
  return {
    wait: (payer, address) =>
      Math.max(
        byPayer.waitSeconds(payer),
        byAddress.waitSeconds(address),
        overall?.waitSeconds(EVERYBODY) ?? 0,
      ),
    take(payer, address) {
      byPayer.take(payer);
      byAddress.take(address);
      overall?.take(EVERYBODY);
    },
    giveBack(payer, address) {
      byPayer.giveBack(payer);
      byAddress.giveBack(address);
      overall?.giveBack(EVERYBODY);
    },
  };
}
