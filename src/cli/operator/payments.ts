import { iso, systemClock } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import { usdText } from '../../pay/amount.ts';
import type { Ledger } from '../../pay/ledger.ts';
import { ledgerRow } from '../../pay/ledger-row.ts';
import { newestFirst } from '../../pay/newest-first.ts';
import type { PaymentRecord } from '../../pay/record.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import type { Service } from '../../service/options.ts';

/** Payments that are looked through at most, newest first: the ledger's commands have all. */
const MOST_RECORDS = 20_000;
/** Open payments that are shown, those that are due first. */
const MOST_OPEN = 200;

/** The payments of a service: what became of them, what is open, and what they brought. Amounts in US dollars. */
export function operatorPayments({ payments, tally, activity, margins }: Service) {
  const { ledger } = payments;
  const chain = payments.chain();
  return {
    ...payments.health(),
    challenged: challenges(activity.requests.routes.values()),
    outcomes: Object.fromEntries(tally.outcomes),
    closed: Object.fromEntries(tally.closed),
    facilitators: payments.facilitators(),
    margins: [...margins()].map(([route, atomic]) => ({ route, usd: Number(atomic) / 1_000_000 })),
    chain:
      chain === undefined
        ? null
        : { compared_to: iso(chain.comparedTo), differences: Object.fromEntries(chain.differences) },
    answer_bytes: ledger?.answerBytes ?? null,
    open: ledger === undefined ? [] : openPayments(ledger),
    ...(ledger === undefined ? { earnings: [], complete: true } : earnings(ledger)),
  };
}

function challenges(routes: Iterable<{ readonly statuses: ReadonlyMap<number, number> }>): number {
  let count = 0;
  for (const { statuses } of routes) count += statuses.get(402) ?? 0;
  return count;
}

/** Each payment with something left to do: of an unknown it is not known whether money moved. */
function openPayments(ledger: Ledger) {
  return ledger.due(asMs(systemClock.now() + DAY_MS), MOST_OPEN).map((record) => ({
    ...ledgerRow(record),
    attempts: record.attempts,
    next_look_at: record.dueAt === undefined ? null : iso(record.dueAt),
  }));
}

const isPaid = ({ state }: PaymentRecord): boolean => state === 'settled' || state === 'delivered';

/** What was settled, by day of UTC and route. */
function earnings(ledger: Ledger) {
  const sums = new Map<string, { day: string; route: string; payments: number; amount: bigint }>();
  let seen = 0;
  for (const record of newestFirst(ledger)) {
    if (++seen > MOST_RECORDS) break;
    if (!isPaid(record)) continue;
    const day = iso(record.settledAt ?? record.claimedAt).slice(0, 10);
    const key = `${day} ${record.routeId}`;
    const sum = sums.get(key) ?? { day, route: record.routeId, payments: 0, amount: 0n };
    sum.payments += 1;
    sum.amount += BigInt(record.amount);
    sums.set(key, sum);
  }
  return {
    earnings: [...sums.values()].map(({ amount, ...sum }) => ({ ...sum, usd: usdText(amount) })),
    complete: seen <= MOST_RECORDS,
  };
}
