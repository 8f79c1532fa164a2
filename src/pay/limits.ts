import type { Clock } from '../domain/clock.ts';
import { Limiter } from './limiter.ts';

const EVERYBODY = '*';

/** How much of a facilitator's patience one client may use. */
export interface PaymentLimits {
  /** Payments whose signature only the chain can judge (contract wallets, and every forgery). */
  readonly doubtful: Quota;
  /** Payments that the facilitator found invalid. */
  readonly invalid: Quota;
}

interface Quota {
  /** Seconds to wait, 0 when allowed. */
  wait(payer: string, address: string): number;
  take(payer: string, address: string): void;
}

/** The slow lane: by payer, by client address and over all, so that rotating either does not help for long. */
export function createPaymentLimits(clock: Clock): PaymentLimits {
  return {
    doubtful: quota(
      new Limiter({ clock, burst: 5, refillMs: 12_000 }),
      new Limiter({ clock, burst: 10, refillMs: 6_000 }),
      new Limiter({ clock, burst: 100, refillMs: 200 }),
    ),
    invalid: quota(
      new Limiter({ clock, burst: 20, refillMs: 3_000 }),
      new Limiter({ clock, burst: 60, refillMs: 1_000 }),
      new Limiter({ clock, burst: 600, refillMs: 50 }),
    ),
  };
}

function quota(byPayer: Limiter, byAddress: Limiter, overall: Limiter): Quota {
  return {
    wait: (payer, address) =>
      Math.max(byPayer.waitSeconds(payer), byAddress.waitSeconds(address), overall.waitSeconds(EVERYBODY)),
    take(payer, address) {
      byPayer.take(payer);
      byAddress.take(address);
      overall.take(EVERYBODY);
    },
  };
}
