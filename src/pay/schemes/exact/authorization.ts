import type { PaymentReason } from '../../../domain/payment-errors.ts';
import { asMs, type UnixMs } from '../../../domain/units.ts';

/** An EIP-3009 transfer authorization, as text in canonical form (lower-case hex, plain decimals). */
export interface Authorization {
  readonly from: string;
  readonly to: string;
  /** Atomic units. */
  readonly value: string;
  /** Unix seconds. */
  readonly validAfter: string;
  /** Unix seconds. */
  readonly validBefore: string;
  /** 32 bytes in hex. */
  readonly nonce: string;
}

/** The payload of an `exact` payment. The authorization is public once it is settled. */
export interface SignedAuthorization {
  /** Hex with 0x, lower case; 65 bytes for a plain key, anything for a contract wallet. */
  readonly signature: string;
  readonly authorization: Authorization;
}

/** The same authorization under the same signature. */
export function isSameAuthorization(a: SignedAuthorization, b: SignedAuthorization): boolean {
  const x = a.authorization;
  const y = b.authorization;
  return (
    a.signature === b.signature &&
    x.nonce === y.nonce &&
    x.from === y.from &&
    x.to === y.to &&
    x.value === y.value &&
    x.validAfter === y.validAfter &&
    x.validBefore === y.validBefore
  );
}

/** A facilitator wants this much left; later submissions could miss their block. */
const MIN_SECONDS_LEFT = 6;
/** A longer promise is refused: a nonce would have to be kept locked, and a stolen header stays spendable. */
const MAX_SECONDS_LEFT = 660;
/** Blocks are made until this long after validBefore with an earlier time. */
const EXPIRY_MARGIN_SECONDS = 12;

/** validAfter <= now and now + 6 s <= validBefore <= now + 660 s, in whole seconds. */
export function windowFault(
  { validAfter, validBefore }: Authorization,
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
export function isAlive({ validBefore }: Authorization, now: UnixMs): boolean {
  return Number(validBefore) * 1000 - now >= MIN_SECONDS_LEFT * 1000;
}

/** When the chain can say for certain that the authorization was not used in time. */
export function expiryOf({ validBefore }: Pick<Authorization, 'validBefore'>): UnixMs {
  return asMs((Number(validBefore) + EXPIRY_MARGIN_SECONDS + 1) * 1000);
}

/** No block can use the authorization any more. */
export function isOver({ validBefore }: Authorization, chainTime: number): boolean {
  return chainTime >= Number(validBefore) + EXPIRY_MARGIN_SECONDS;
}
