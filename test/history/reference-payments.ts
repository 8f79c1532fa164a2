import type { FundingPayment, Listing, SettledBucket, SettledSpans } from '../../src/domain/series.ts';
import { asMs, asRate, type UnixMs } from '../../src/domain/units.ts';
import type { Scope } from '../../src/history/queries/scope.ts';
import type { Settlement } from '../../src/history/sample.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import { compare, contractOf, current, groupBy, meanOf, oneOf, order } from './reference.ts';
import type { Recorded } from './sim-log.ts';

const contractKeyOf = ({ venue, symbol, listedAt }: Listing): string => `${venue}|${symbol}|${listedAt}`;

export function referenceSettled(
  settlements: readonly Recorded<Settlement>[],
  scope: Scope,
  stepMs: number,
): readonly SettledBucket[] {
  const startOf = ({ at }: { readonly at: number }): number => Math.floor(at / stepMs) * stepMs;
  const paid = referencePayments(settlements, scope);
  const buckets = groupBy(current(settlements, scope), (row) => `${contractOf(row)}|${startOf(row)}`).flatMap(
    (rows): SettledBucket[] => {
      const [first] = rows;
      if (first === undefined) return [];
      const { venue, symbol, listedAt } = first;
      const minutes = paid
        .filter((row) => startOf(row) === startOf(first) && contractKeyOf(row) === contractKeyOf(first))
        .map(({ hours }) => (hours === undefined ? undefined : Math.round(hours * 60)));
      const one = oneOf(minutes);
      return [
        {
          venue,
          symbol,
          listedAt,
          start: asMs(startOf(first)),
          lastAt: asMs(Math.max(...rows.map(({ at }) => at))),
          payments: rows.length,
          rateSum: rows.reduce((sum, { rate }) => sum + rate, 0),
          meanRate: asRate(meanOf(rows.map(({ rate }) => rate))?.mean ?? 0),
          meanMark: meanOf(rows.map(({ markPrice }) => markPrice))?.mean,
          backfilled: rows.filter(({ origin }) => origin === 'backfilled').length,
          intervalHours: one === undefined ? undefined : one / 60,
          intervalChanged: new Set(minutes.filter((count) => count !== undefined)).size > 1,
        },
      ];
    },
  );
  return order(buckets);
}

/** Payments of every contract over the days before its last one until `now`. */
export function referenceSpans(
  settlements: readonly Recorded<Settlement>[],
  assets: readonly string[],
  now: UnixMs,
): readonly SettledSpans[] {
  const from = asMs(now - 31 * DAY_MS + 1000);
  const rows = assets.flatMap((canonicalId) =>
    referencePayments(settlements, { canonicalId, from, to: asMs(now + 1) }),
  );
  return groupBy(rows, (row) => `${row.canonicalId}|${row.venue}|${row.symbol}`).flatMap((all) => {
    const listed = Math.max(...all.map(({ listedAt }) => listedAt));
    const own = all.filter(({ listedAt }) => listedAt === listed);
    const [first] = own;
    const lastAt = asMs(Math.max(...own.map(({ at }) => at)));
    if (first === undefined || lastAt <= now - DAY_MS) return [];
    const spans = [1, 7, 30].map((days) => {
      const inside = own.filter(({ at }) => at > lastAt - days * DAY_MS);
      const timed = inside.filter(({ hours }) => hours !== undefined);
      const sum = (of: (row: FundingPayment) => number) => timed.reduce((total, row) => total + of(row), 0);
      return {
        days,
        payments: inside.length,
        rateSum: sum(({ rate }) => rate),
        hours: sum(({ hours }) => hours ?? 0),
        unknown: inside.length - timed.length,
      };
    });
    const { canonicalId, venue, symbol } = first;
    return [{ canonicalId, venue, symbol, lastAt, spans }];
  });
}

/** Every payment with the hours since the one before, at most those that are stated; a day at most where none are. */
export function referencePayments(
  settlements: readonly Recorded<Settlement>[],
  scope: Scope,
): readonly FundingPayment[] {
  const before = { ...scope, from: asMs(scope.from - 24 * HOUR_MS) };
  const contracts = groupBy(current(settlements, before), contractOf);
  return contracts
    .flatMap((rows) =>
      [...rows]
        .sort((a, b) => a.at - b.at)
        .map(({ canonicalId, venue, symbol, listedAt, at, rate, intervalHours }, k, all): FundingPayment => {
          const gap = (at - (all[k - 1]?.at ?? Number.NaN)) / HOUR_MS;
          const hours = Number.isNaN(gap)
            ? intervalHours
            : intervalHours === undefined
              ? gap <= 24
                ? gap
                : undefined
              : Math.min(intervalHours, gap);
          return { canonicalId, venue, symbol, listedAt, at, rate, hours };
        }),
    )
    .filter(({ at }) => at >= scope.from)
    .sort(
      (a, b) =>
        compare(a.venue, b.venue) || compare(a.symbol, b.symbol) || a.listedAt - b.listedAt || a.at - b.at,
    );
}
