import { iso } from '../../domain/clock.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { Service } from '../../host/options.ts';
import type { Ledger } from '../../pay/ledger.ts';
import type { CallCost } from '../../pay/margin.ts';
import { newestFirst } from '../../pay/newest-first.ts';
import { isPaid, type PaymentRecord } from '../../pay/record.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import { groupBy } from '../../runtime/group-by.ts';
import { costOf, EarningSum } from './earnings-sum.ts';
import type { OperatorEarnings, PayerSum, WeekSum } from './schemas/earnings.ts';

const DAYS = 35;
const WEEK_MS = 7 * DAY_MS;
/** Payments that one request looks at: some hundred milliseconds, in parts. */
const MAX_LOOKED = 20_000;
const MAX_PAYERS = 200;

/** A settled payment, as far as it is summed. */
interface Sale extends Pick<PaymentRecord, 'payer' | 'routeId' | 'scheme' | 'network'> {
  readonly at: UnixMs;
  /** Of UTC. */
  readonly day: string;
  readonly amount: bigint;
  readonly cost: number | undefined;
}

interface ReadSales {
  /** Oldest first. */
  readonly sales: readonly Sale[];
  readonly looked: number;
  readonly since: UnixMs;
  readonly isCut: boolean;
}

/**
 * Sums what settled payments brought within 35 days, by day of UTC, route, payer and way of paying; margins after what one sale
 * of their way costs now. `since` says how far back it is whole.
 */
export async function operatorEarnings(
  { payments: { ledger }, callCosts }: Pick<Service, 'payments' | 'callCosts'>,
  now: UnixMs,
): Promise<OperatorEarnings> {
  const from = asMs(now - DAYS * DAY_MS);
  const none: ReadSales = { sales: [], looked: 0, since: from, isCut: false };
  const read = ledger === undefined ? none : await readSales(ledger, callCosts(), from);
  const { sales, looked, since, isCut } = read;
  const isWhole = since <= now - 2 * WEEK_MS;
  const payers = payersOf(sales, now);
  return {
    at: iso(now),
    looked,
    since: iso(since),
    cut: isCut,
    total: sumOf(sales).row(),
    ...groupsOf(sales),
    payers: payers.slice(0, MAX_PAYERS),
    payers_total: payers.length,
    this_week: since <= now - WEEK_MS ? weekOf(sales, asMs(now - WEEK_MS), now) : null,
    last_week: isWhole ? weekOf(sales, asMs(now - 2 * WEEK_MS), asMs(now - WEEK_MS)) : null,
  };
}

async function readSales(ledger: Ledger, costs: readonly CallCost[], from: UnixMs): Promise<ReadSales> {
  const sales: Sale[] = [];
  let looked = 0;
  let since = from;
  let isCut = false;
  for await (const record of newestFirst(ledger)) {
    if (record.claimedAt < from) break;
    if (looked === MAX_LOOKED) {
      isCut = true;
      break;
    }
    looked += 1;
    // Others of the same millisecond may be left.
    if (looked === MAX_LOOKED) since = asMs(record.claimedAt + 1);
    if (isPaid(record)) sales.push(saleOf(record, costs));
  }
  return { sales: sales.sort((a, b) => a.at - b.at), looked, since: isCut ? since : from, isCut };
}

function saleOf(record: PaymentRecord, costs: readonly CallCost[]): Sale {
  const { payer, routeId, scheme, network } = record;
  const at = record.settledAt ?? record.claimedAt;
  const amount = BigInt(record.amount);
  return {
    payer,
    routeId,
    scheme,
    network,
    at,
    day: iso(at).slice(0, 10),
    amount,
    cost: costOf(costs, record),
  };
}

function sumOf(sales: readonly Sale[]): EarningSum {
  const sum = new EarningSum();
  for (const { amount, cost } of sales) sum.add(amount, cost);
  return sum;
}

const payersIn = (sales: readonly Sale[]): ReadonlySet<string> => new Set(sales.map(({ payer }) => payer));

function groupsOf(sales: readonly Sale[]): Pick<OperatorEarnings, 'days' | 'routes' | 'ways' | 'earnings'> {
  const seen = new Set<string>();
  const days = [...groupBy(sales, ({ day }) => day)].map(([day, sold]) => {
    const payers = payersIn(sold);
    const fresh = [...payers].filter((payer) => !seen.has(payer));
    for (const payer of fresh) seen.add(payer);
    return {
      day,
      ...sumOf(sold).row(),
      new_payers: fresh.length,
      returning_payers: payers.size - fresh.length,
    };
  });
  const rowsBy = (keyOf: (sale: Sale) => string) =>
    [...groupBy(sales, keyOf)].map(([key, sold]) => ({ parts: key.split(' '), row: sumOf(sold).row() }));
  return {
    days,
    routes: rowsBy(({ routeId }) => routeId).map(({ parts: [route = ''], row }) => ({ route, ...row })),
    ways: rowsBy(({ scheme, network }) => `${scheme} ${network}`).map(
      ({ parts: [scheme = '', network = ''], row }) => ({ scheme, network, ...row }),
    ),
    earnings: rowsBy((sale) => `${sale.day} ${sale.routeId}`).map(
      ({ parts: [day = '', route = ''], row }) => ({ day, route, ...row }),
    ),
  };
}

/** Those first that brought most. */
function payersOf(sales: readonly Sale[], now: UnixMs): readonly PayerSum[] {
  const sums = [...groupBy(sales, ({ payer }) => payer)].map(([payer, sold]) => {
    const first = sold[0]?.at ?? now;
    const sum = sumOf(sold);
    const last = sold.at(-1)?.at ?? now;
    const row = { payer, ...sum.row(), first: iso(first), last: iso(last), is_new: first > now - WEEK_MS };
    return { row, amount: sum.amount };
  });
  return sums.sort((a, b) => (a.amount < b.amount ? 1 : -1)).map(({ row }) => row);
}

function weekOf(sales: readonly Sale[], from: UnixMs, to: UnixMs): WeekSum {
  const sold = sales.filter(({ at }) => at > from && at <= to);
  return { from: iso(from), to: iso(to), ...sumOf(sold).row(), payers: payersIn(sold).size };
}
