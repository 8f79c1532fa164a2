import { asMs, type UnixMs } from '../domain/units.ts';
import type { Ledger } from './ledger.ts';
import { newestFirst } from './newest-first.ts';
import type { PaymentRecord, PaymentState } from './record.ts';

/** A filter of payments. Texts are parts of the field, in either case; all that is stated must hold. */
export interface PaymentFilter {
  /** A part of the payer, the transaction, the nonce, the route or the reason. */
  readonly text?: string | undefined;
  readonly payer?: string | undefined;
  readonly transaction?: string | undefined;
  readonly nonce?: string | undefined;
  readonly reason?: string | undefined;
  /** The whole id. */
  readonly route?: string | undefined;
  readonly scheme?: string | undefined;
  readonly state?: PaymentState | undefined;
  /** Claimed at this time or later. */
  readonly since?: UnixMs | undefined;
  /** Claimed before this time. */
  readonly until?: UnixMs | undefined;
}

/** A payment's place in the order of a search: the search goes on behind it. */
export type SearchPlace = Pick<PaymentRecord, 'claimedAt' | 'key'>;

export interface PaymentQuery {
  readonly filter: PaymentFilter;
  readonly after?: SearchPlace | undefined;
  /** Payments that are found at most. */
  readonly limit: number;
  /** Payments that are looked at for it at most. */
  readonly maxLooked: number;
}

export interface FoundPayments {
  /** Newest first. */
  readonly payments: readonly PaymentRecord[];
  readonly looked: number;
  /** The place where the next page begins; undefined where nothing older can match. */
  readonly next: SearchPlace | undefined;
  /** True if the search ended because it had looked at `maxLooked`, not because the page is full. */
  readonly isCut: boolean;
}

/** Searches a ledger, newest first, with bounded work: `next` leads on from where it ended. */
export async function searchPayments(
  ledger: Pick<Ledger, 'list'>,
  { filter, after, limit, maxLooked }: PaymentQuery,
): Promise<FoundPayments> {
  const matches = matcher(filter);
  const payments: PaymentRecord[] = [];
  let looked = 0;
  let last = after;
  for await (const record of newestFirst(ledger, startOf(filter, after))) {
    if (after !== undefined && !isBehind(record, after)) continue;
    if (filter.since !== undefined && record.claimedAt < filter.since) break;
    if (looked === maxLooked) return { payments, looked, next: last, isCut: payments.length < limit };
    looked += 1;
    if (matches(record)) {
      // Only now it is known that there is a next page.
      if (payments.length === limit) return { payments, looked, next: last, isCut: false };
      payments.push(record);
    }
    if (payments.length < limit || payments.at(-1) === record) last = record;
  }
  return { payments, looked, next: undefined, isCut: false };
}

/** The time before which the payments were claimed that are listed. */
function startOf({ until }: PaymentFilter, after: SearchPlace | undefined): UnixMs | undefined {
  if (after === undefined) return until;
  return asMs(Math.min(after.claimedAt + 1, until ?? Number.POSITIVE_INFINITY));
}

const isBehind = ({ claimedAt, key }: SearchPlace, after: SearchPlace): boolean =>
  claimedAt < after.claimedAt || (claimedAt === after.claimedAt && key < after.key);

type Match = (record: PaymentRecord) => boolean;

function matcher(filter: PaymentFilter): Match {
  const { route, scheme, state } = filter;
  const text = filter.text?.toLowerCase();
  const parts = (['payer', 'transaction', 'nonce', 'reason'] as const).flatMap((name) => {
    const wanted = filter[name]?.toLowerCase();
    return wanted === undefined ? [] : [{ name, wanted }];
  });
  return (record) =>
    (state === undefined || record.state === state) &&
    (route === undefined || record.routeId === route) &&
    (scheme === undefined || record.scheme === scheme) &&
    parts.every(({ name, wanted }) => has(record[name], wanted)) &&
    (text === undefined ||
      has(record.payer, text) ||
      has(record.transaction, text) ||
      has(record.nonce, text) ||
      has(record.routeId, text) ||
      has(record.reason, text));
}

const has = (value: string | undefined, part: string): boolean =>
  value?.toLowerCase().includes(part) === true;

/** A place as one word, for an address. */
export const placeText = ({ claimedAt, key }: SearchPlace): string => `${claimedAt}-${key}`;

/** The place of such a word; undefined where it is none. */
export function placeIn(text: string): SearchPlace | undefined {
  const [, at, key] = /^(\d{1,15})-([0-9a-f]{40})$/.exec(text) ?? [];
  return at === undefined || key === undefined ? undefined : { claimedAt: asMs(Number(at)), key };
}
