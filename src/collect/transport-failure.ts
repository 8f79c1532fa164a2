export const FAILURE_KINDS = [
  'timeout',
  'reset',
  'refused',
  'status',
  'too_large',
  'not_json',
  'rate_limited',
  'circuit_open',
  'aborted',
] as const;

/**
 * timeout = no answer within the deadline; reset = the connection broke; refused = no connection (address, DNS,
 * TLS); status = an HTTP status other than 2xx; too_large = over the body cap; not_json = a body that cannot be
 * parsed; rate_limited = the venue's or our own budget refuses; circuit_open = not sent, the host is resting;
 * aborted = we stopped it.
 */
export type FailureKind = (typeof FAILURE_KINDS)[number];

/**
 * The reason for which a call gave no payload. A value, never thrown; `reason` is short and quotes no body, key
 * or address.
 */
export class TransportFailure {
  readonly kind: FailureKind;
  readonly reason: string;
  readonly status: number | undefined;

  constructor(kind: FailureKind, reason: string, status?: number) {
    this.kind = kind;
    this.reason = reason;
    this.status = status;
  }

  toString(): string {
    return `${this.kind}: ${this.reason}`;
  }
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: TransportFailure };

/** A failed outcome. */
export function failed(
  kind: FailureKind,
  reason: string,
  status?: number,
): { readonly ok: false; readonly failure: TransportFailure } {
  return { ok: false, failure: new TransportFailure(kind, reason, status) };
}
