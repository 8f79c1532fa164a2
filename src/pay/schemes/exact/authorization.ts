import type { AuthorizationWindow } from '../authorization-window.ts';

/** An EIP-3009 transfer authorization, as text in canonical form (lower-case hex, plain decimals). */
export interface Authorization extends AuthorizationWindow {
  readonly from: string;
  readonly to: string;
  /** Atomic units. */
  readonly value: string;
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
