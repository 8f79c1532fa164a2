import { isRelisted } from '../domain/listing.ts';
import type { FundingPayment, Listing } from '../domain/series.ts';
import type { UnixMs } from '../domain/units.ts';
import type { MarketRow } from '../market/view.ts';
import { HOUR_MS } from '../runtime/duration.ts';
import { groupBy } from '../runtime/group-by.ts';

/** Something stored of a contract: a payment has a time, a bucket a start. */
type Stored = Listing & ({ readonly at: UnixMs } | { readonly start: UnixMs });
type ShownContract = Pick<MarketRow, 'venue' | 'symbol' | 'listedAt'>;

const timeOf = (part: Stored): UnixMs => ('at' in part ? part.at : part.start);

/** Keeps the parts of the latest listing among them. */
function lastListing<Part extends Stored>(parts: readonly Part[]): readonly Part[] {
  const listed = Math.max(...parts.map(({ listedAt }) => listedAt));
  return parts.filter(({ listedAt }) => listedAt === listed);
}

/** The contract under a former name: the one with the symbol of now, else the one of which most is, of equals the first by symbol. */
function formerContract<Part extends Stored>(parts: readonly Part[], shown: ShownContract): readonly Part[] {
  const bySymbol = groupBy(parts, ({ symbol }) => symbol);
  const same = bySymbol.get(shown.symbol);
  if (same !== undefined) return lastListing(same);
  const sorted = [...bySymbol].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1));
  return lastListing(sorted[0]?.[1] ?? []);
}

/**
 * Finds what is stored of a contract since it was listed last, by time. Where its asset had another name, the past goes on with
 * one contract of the same venue under that name, up to the first that is stored of the present one; not where the
 * contract was listed more than once under its present name, since the former one did not lead up to its last listing.
 *
 * @param stored by contract and time; what is under a former name says so by `formerId`
 */
export function sinceListing<Part extends Stored>(
  stored: readonly Part[],
  shown: ShownContract,
): readonly Part[] {
  const ofVenue = stored.filter(({ venue }) => venue === shown.venue);
  const isEarlier = ({ symbol, listedAt }: Part): boolean =>
    symbol === shown.symbol && isRelisted(listedAt, shown.listedAt);
  const present = ofVenue.filter((part) => !isEarlier(part));
  const own = lastListing(present.filter(({ symbol }) => symbol === shown.symbol));
  const isRepeated = ofVenue.some(
    (part) => part.formerId === undefined && part.symbol === shown.symbol && !own.includes(part),
  );
  const former = present.filter(({ formerId }) => formerId !== undefined);
  if (isRepeated || former.length === 0) return own;
  return [...beforeFirst(former, own[0], shown), ...own];
}

/** The past under former names, the latest name last, each up to the first of the next. */
function beforeFirst<Part extends Stored>(
  former: readonly Part[],
  first: Part | undefined,
  shown: ShownContract,
): readonly Part[] {
  const names = [...groupBy(former, ({ formerId }) => formerId ?? '').values()];
  const contracts = names.map((parts) => formerContract(parts, shown));
  const endOf = (parts: readonly Part[]): number => Math.max(...parts.map(timeOf));
  let past: readonly Part[] = [];
  let next = first === undefined ? Number.POSITIVE_INFINITY : timeOf(first);
  for (const parts of contracts.sort((a, b) => endOf(b) - endOf(a))) {
    const before = parts.filter((part) => timeOf(part) < next);
    past = [...before, ...past];
    if (before[0] !== undefined) next = timeOf(before[0]);
  }
  return past;
}

/**
 * The payments among them. Where the past passes from one contract to another, a payment is for no hour that the one
 * before it had paid already.
 */
export function paidSinceListing(
  payments: readonly FundingPayment[],
  shown: ShownContract,
): readonly FundingPayment[] {
  const own = sinceListing(payments, shown);
  return own.map((payment, index) => {
    const before = own[index - 1];
    if (before === undefined || payment.hours === undefined || before.formerId === payment.formerId)
      return payment;
    return { ...payment, hours: Math.min(payment.hours, (payment.at - before.at) / HOUR_MS) };
  });
}
