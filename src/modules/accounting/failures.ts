import { iso } from '../../domain/clock.ts';
import { PAYMENT_ERRORS } from '../../domain/payment-errors.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { Service } from '../../host/options.ts';
import { usdText } from '../../pay/amount.ts';
import type { Ledger } from '../../pay/ledger.ts';
import { newestFirst } from '../../pay/newest-first.ts';
import { isInFlight, isPaid, type PaymentRecord } from '../../pay/record.ts';
import type { FailedPayments, OperatorFailures } from './schemas/ledger.ts';

/** Payments that are looked through at most, newest first. */
const MAX_LOOKED = 20_000;

/** Counts failures: payments of the ledger by state and reason, and requests since the start by outcome and reason. */
export async function operatorFailures({
  payments: { ledger },
  tally,
}: Pick<Service, 'payments' | 'tally'>): Promise<OperatorFailures> {
  const found =
    ledger === undefined ? { payments: [], looked: 0, complete: true } : await failedPayments(ledger);
  return {
    ...found,
    requests: tally.failures.all().map(({ outcome, reason, requests, newestAt }) => ({
      outcome,
      reason: reason ?? null,
      meaning: meaningOf(reason),
      requests,
      newest: iso(newestAt),
    })),
  };
}

const isReason = (reason: string): reason is keyof typeof PAYMENT_ERRORS =>
  Object.hasOwn(PAYMENT_ERRORS, reason);

const meaningOf = (reason: string | undefined): string | null =>
  reason !== undefined && isReason(reason) ? PAYMENT_ERRORS[reason].cause : null;

interface Group {
  readonly state: string;
  readonly reason: string | undefined;
  readonly newestAt: UnixMs;
  readonly payers: Set<string>;
  payments: number;
  amount: bigint;
}

async function failedPayments(ledger: Ledger): Promise<Omit<OperatorFailures, 'requests'>> {
  const groups = new Map<string, Group>();
  let looked = 0;
  for await (const record of newestFirst(ledger)) {
    if (looked === MAX_LOOKED) return { payments: listed(groups), looked, complete: false };
    looked += 1;
    if (!isPaid(record) && !isInFlight(record)) count(groups, record);
  }
  return { payments: listed(groups), looked, complete: true };
}

function count(groups: Map<string, Group>, { state, reason, claimedAt, payer, amount }: PaymentRecord): void {
  const key = `${state} ${reason ?? ''}`;
  const group = groups.get(key) ?? {
    state,
    reason,
    newestAt: claimedAt,
    payers: new Set<string>(),
    payments: 0,
    amount: 0n,
  };
  group.payments += 1;
  group.amount += BigInt(amount);
  group.payers.add(payer);
  groups.set(key, group);
}

const listed = (groups: ReadonlyMap<string, Group>): FailedPayments[] =>
  [...groups.values()].map(({ state, reason, newestAt, payers, payments, amount }) => ({
    state,
    reason: reason ?? null,
    meaning: meaningOf(reason),
    payments,
    usd: usdText(amount),
    payers: payers.size,
    newest: iso(newestAt),
  }));
