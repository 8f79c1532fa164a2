import type { PaymentReason } from '../../domain/payment-errors.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';

/** The time in which an EIP-3009 authorization can be used, in Unix seconds as decimal text. */
export interface AuthorizationWindow {
  readonly validAfter: string;
  readonly validBefore: string;
}

/** A facilitator wants this much left; later submissions could miss their block. */
const MIN_SECONDS_LEFT = 6;
/** A longer promise is refused: a nonce would have to be kept locked, and a stolen header stays spendable. */
const MAX_SECONDS_LEFT = 660;
/** Blocks are made until this long after validBefore with an earlier time. */
const EXPIRY_MARGIN_SECONDS = 12;

/** validAfter <= now and now + 6 s <= validBefore <= now + 660 s, in whole seconds. */
export function windowFault(
  { validAfter, validBefore }: AuthorizationWindow,
  now: UnixMs,
): PaymentReason | undefined {
  const seconds = Math.floor(now / 1000);
  // Times that a double does not hold exactly are thousands of years away from all bounds.
  if (Number(validAfter) > seconds) return 'authorization_not_yet_valid';
  const left = Number(validBefore) - seconds;
  if (left < MIN_SECONDS_LEFT) return 'authorization_expired';
  return left > MAX_SECONDS_LEFT ? 'authorization_too_long' : undefined;
}

/** True while a facilitator still takes it. */
export function isAlive({ validBefore }: AuthorizationWindow, now: UnixMs): boolean {
  return Number(validBefore) * 1000 - now >= MIN_SECONDS_LEFT * 1000;
}

/** When the chain can say for certain that the authorization was not used in time. */
export function expiryOf({ validBefore }: Pick<AuthorizationWindow, 'validBefore'>): UnixMs {
  return asMs((Number(validBefore) + EXPIRY_MARGIN_SECONDS + 1) * 1000);
}

/** No block can use the authorization any more. */
export function isOver({ validBefore }: AuthorizationWindow, chainTime: number): boolean {
  return chainTime >= Number(validBefore) + EXPIRY_MARGIN_SECONDS;
}
