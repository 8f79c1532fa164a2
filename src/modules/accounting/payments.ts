import { iso, systemClock } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import type { Service } from '../../host/options.ts';
import { checksumAddress } from '../../pay/address.ts';
import { CHAIN_CHECK } from '../../pay/chain-check.ts';
import type { Ledger } from '../../pay/ledger.ts';
import { ledgerRow } from '../../pay/ledger-row.ts';
import type { NodeState } from '../../pay/node-watch.ts';
import type { NetworkGas } from '../../pay/payments.ts';
import { OPEN_STATES, type PaymentRecord, type PaymentState } from '../../pay/record.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import type { AskedAction, OperatorAct } from '../operator/actions.ts';
import type { Gas, Node, OpenPayment, OperatorPayments } from './schemas/payments.ts';

/** Open payments that are shown, those that are due first, and how many are looked through for them. */
const MAX_OPEN = 200;
const MAX_DUE = 5000;
const ATOMIC_PER_USD = 1_000_000;
const SETTLED: ReadonlySet<PaymentState> = new Set(['settled']);

/** The payments of a service: what became of them, what is open, and what one costs. Amounts in US dollars. */
export async function operatorPayments({
  payments,
  tally,
  activity,
  callCosts,
  margins,
  readPort,
}: Service): Promise<Omit<OperatorPayments, 'allows_actions'>> {
  const { ledger } = payments;
  const costs = callCosts();
  const { outcomes, closed, verified } = tally;
  const chain = readPort(CHAIN_CHECK)();
  return {
    ...payments.health(),
    challenged: challenges(activity.requests.routes.values()),
    presented: [...outcomes.values()].reduce((sum, count) => sum + count, 0),
    verified,
    // Those that were unknown first are settled in the background.
    settled: (outcomes.get('delivered') ?? 0) + (closed.get('settled') ?? 0),
    outcomes: Object.fromEntries(outcomes),
    closed: Object.fromEntries(closed),
    facilitators: [...payments.facilitators()],
    nodes: payments.nodes().map(nodeRow),
    gas: payments.gas().map(gasRow),
    costs: costs.map(({ atomic, gap, ...cost }) => ({
      ...cost,
      usd: atomic === undefined ? null : atomic / ATOMIC_PER_USD,
      reason: gap ?? null,
    })),
    margins: margins().map(({ usd, gap, ...margin }) => ({
      ...margin,
      usd: usd ?? null,
      reason: gap ?? null,
    })),
    chain:
      chain === undefined
        ? null
        : { compared_to: iso(chain.comparedTo), differences: Object.fromEntries(chain.differences) },
    answer_bytes: ledger?.answerBytes ?? null,
    open: ledger === undefined ? [] : await openPayments(ledger),
  };
}

const nodeRow = ({ network, isBehind, blockAt, seenAt }: NodeState): Node => ({
  network,
  behind: isBehind ?? null,
  block_at: blockAt === undefined ? null : iso(blockAt),
  seen_at: seenAt === undefined ? null : iso(seenAt),
});

const gasRow = ({ network, address, transactions, seenAt, isLow, isShort }: NetworkGas): Gas => ({
  network,
  address: checksumAddress(address),
  transactions: transactions ?? null,
  low: transactions === undefined ? null : isLow,
  short: transactions === undefined ? null : isShort,
  seen_at: iso(seenAt),
  reason: transactions === undefined ? 'not_seen' : null,
});

function challenges(routes: Iterable<{ readonly statuses: ReadonlyMap<number, number> }>): number {
  let count = 0;
  for (const { statuses } of routes) count += statuses.get(402) ?? 0;
  return count;
}

/**
 * Each payment with something left to do: of an unknown it is not known whether money moved. One that was delivered is
 * only due for its answer to be dropped.
 */
async function openPayments(ledger: Ledger): Promise<OpenPayment[]> {
  return (await openRecords(ledger)).slice(0, MAX_OPEN).map((record) => ({
    ...ledgerRow(record),
    attempts: record.attempts,
    next_look_at: record.dueAt === undefined ? null : iso(record.dueAt),
  }));
}

async function openRecords(ledger: Ledger): Promise<readonly PaymentRecord[]> {
  const by = asMs(systemClock.now() + DAY_MS);
  return [...(await ledger.due(by, MAX_DUE, OPEN_STATES)), ...(await ledger.due(by, MAX_DUE, SETTLED))];
}

/**
 * A look at a payment now of which it is not known whether money moved: what the reconciler does when its time has come.
 * Undefined where the body is no such request.
 */
export function lookAction(
  { payments }: Pick<Service, 'payments'>,
  asked: AskedAction,
): OperatorAct | undefined {
  const action = asked.text('action');
  const payer = asked.text('payer');
  const nonce = asked.text('nonce');
  if (action !== 'look' || payer === undefined || nonce === undefined) return undefined;
  const said = { action, detail: `${payer} ${nonce}` };
  return async () => {
    const { ledger } = payments;
    const open = ledger && (await openRecords(ledger)).find((record) => isNamed(record, payer, nonce));
    if (open === undefined) return { ...said, refused: 'there is no open payment of this payer and nonce' };
    try {
      const after = await payments.look(open);
      return { ...said, found: after?.state ?? 'released' };
    } catch (cause) {
      return { ...said, refused: `it could not be looked at: ${reasonOf(cause)}` };
    }
  };
}

const isNamed = (record: PaymentRecord, payer: string, nonce: string): boolean =>
  record.nonce === nonce && record.payer.toLowerCase() === payer.toLowerCase();
