import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WatchRecord } from './watch-record.ts';

/** Tokens begin so, and secrets do not. */
const PREFIX = 'read';

type Read = Pick<WatchRecord, 'id' | 'secretHash'>;

/**
 * A token that reads one watch until a time. It comes from what only the service knows, and is stored nowhere: an owner of the secret could
 * make one, and needs none.
 *
 * @param until Unix ms
 * @returns undefined of an operator's rule, which has no secret
 */
export function readingToken({ id, secretHash }: Read, until: number): string | undefined {
  if (secretHash === undefined) return undefined;
  const mac = createHmac('sha256', secretHash).update(`${PREFIX}\n${id}\n${until}`).digest('base64url');
  return `${PREFIX}.${until}.${mac}`;
}

/** True for what has the form of a token: no secret has it. */
export const isToken = (secret: string): boolean => secret.startsWith(`${PREFIX}.`);

/** True for a token of this watch that has not ended. */
export function isReadingToken(token: string, watch: Read, now: number): boolean {
  const until = Number(token.split('.')[1]);
  if (!isToken(token) || !(until > now)) return false;
  const made = Buffer.from(readingToken(watch, until) ?? '');
  const given = Buffer.from(token);
  return made.length === given.length && timingSafeEqual(made, given);
}
