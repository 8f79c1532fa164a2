import { sha256 } from '../../domain/canonical-json.ts';
import { iso } from '../../domain/clock.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { Outgoing } from './outbound.ts';

/** Type and version of the signed statement; told apart by it from receipts, which the same key signs. */
export const WEBHOOK_TYPE = 'perpmeter-webhook';
export const WEBHOOK_VERSION = 1;

/** Signs a statement as a compact JWS; undefined where the service has no key, since it charges nothing. */
export type Sign = (payload: object, type: string) => string | undefined;

/** A message to a receiver: a firing under its number, or the challenge before the first one. */
export interface Message {
  readonly watchId: string;
  /** Undefined for a challenge. */
  readonly seq?: number;
  /** The same at every attempt, and different for every firing. */
  readonly id: string;
  readonly body: object;
}

/** The words that are signed. The time is that of the attempt, so that an old one can be refused. */
interface Claims {
  readonly version: number;
  readonly event: 'firing' | 'challenge';
  readonly id: string;
  readonly watch_id: string;
  readonly sequence: number | null;
  readonly sent_at: string;
  /** SHA-256 of the body's bytes, base64url. */
  readonly body_sha256: string;
}

/** A message as it goes out at this moment: JSON, with its signature in a header. */
export function signedMessage(message: Message, at: UnixMs, sign: Sign): Outgoing {
  const { watchId, seq, id } = message;
  const body = JSON.stringify(message.body);
  const event = seq === undefined ? 'challenge' : 'firing';
  const claims: Claims = {
    version: WEBHOOK_VERSION,
    event,
    id,
    watch_id: watchId,
    sequence: seq ?? null,
    sent_at: iso(at),
    body_sha256: sha256(body),
  };
  const signature = sign(claims, WEBHOOK_TYPE);
  const headers = { ...PLAIN_HEADERS, 'perpmeter-event': event, 'perpmeter-delivery': id };
  return {
    body,
    headers: signature === undefined ? headers : { ...headers, 'perpmeter-signature': signature },
  };
}

export const PLAIN_HEADERS = { 'content-type': 'application/json', 'user-agent': 'perpmeter' } as const;
