import { systemClock } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import type { Ledger } from '../../pay/ledger.ts';
import type { NetworkCounter } from '../../pay/payments.ts';
import { OPEN_STATES, PAID_STATES, PAYMENT_STATES, type PaymentState } from '../../pay/record.ts';
import { DAY_MS, SECOND_MS } from '../../runtime/duration.ts';
import { groupBy } from '../../runtime/group-by.ts';
import type { RemoteState } from '../../storage/remote-state.ts';
import type { Service } from '../options.ts';
import { accountMetrics } from './account-metrics.ts';
import { type MetricSet, onceATurn } from './metric-set.ts';

/** More open payments than these are not looked at: something is badly wrong by then. */
const MAX_OPEN = 10_000;

type Paying = Pick<Service, 'payments' | 'tally' | 'callCosts' | 'margins'>;

/** Payments, what they bring, the facilitator, and the ledger against the chain. */
export function paymentMetrics(metrics: MetricSet, service: Paying): void {
  outcomeMetrics(metrics, service);
  const { ledger } = service.payments;
  if (ledger !== undefined) openMetrics(metrics, ledger);
  if (ledger !== undefined) storeMetrics(metrics, ledger.remote);
  const networks = () => [...new Set(service.payments.ways().map(({ network }) => network))];
  if (ledger !== undefined) accountMetrics(metrics, ledger, networks);
  schemeMetrics(metrics, service);
  settlementMetrics(metrics, service);
  nodeMetrics(metrics, service);
  marginMetrics(metrics, service);
}

function marginMetrics(metrics: MetricSet, { callCosts, margins }: Paying): void {
  const labels = ['scheme', 'network'] as const;
  metrics.gauge(
    {
      name: 'perpmeter_route_margin_usd',
      help: 'Price of one call less what its settlement costs; no value where that is not known.',
      labels: ['route', ...labels],
    },
    (set) => {
      for (const { route, scheme, network, usd } of margins())
        if (usd !== undefined) set({ route, scheme, network }, usd);
    },
  );
  metrics.counter(
    { name: 'perpmeter_settlement_transactions_total', help: 'Transactions that settled sales.', labels },
    (add) => {
      for (const { scheme, network, transactions } of callCosts()) add({ scheme, network }, transactions);
    },
  );
  metrics.counter({ name: 'perpmeter_sales_total', help: 'Settled sales.', labels }, (add) => {
    for (const { scheme, network, sales } of callCosts()) add({ scheme, network }, sales);
  });
}

function outcomeMetrics(metrics: MetricSet, { tally }: Paying): void {
  metrics.counter(
    {
      name: 'perpmeter_payments_total',
      help: 'Requests with a payment by how they ended.',
      labels: ['outcome'],
    },
    (add) => {
      for (const [outcome, count] of tally.outcomes) add({ outcome }, count);
    },
  );
  metrics.counter(
    {
      name: 'perpmeter_payments_closed_total',
      help: 'Payments that were closed in the background by their state; unknown: given up.',
      labels: ['state'],
    },
    (add) => {
      for (const [state, count] of tally.closed) add({ state }, count);
    },
  );
  metrics.counter(
    { name: 'perpmeter_revenue_usd_total', help: 'What was sold and delivered.', labels: ['route'] },
    (add) => {
      for (const [route, usd] of tally.revenue) add({ route }, usd);
    },
  );
  metrics.durations(
    {
      name: 'perpmeter_payment_phase_duration_seconds',
      help: 'Phases of delivered payments: verify, produce, settle.',
      label: 'phase',
    },
    () => Object.entries(tally.phases),
  );
}

function openMetrics(metrics: MetricSet, ledger: Ledger): void {
  const open = onceATurn(async () => {
    const now = systemClock.now();
    const found = new Map<PaymentState, { count: number; oldestMs: number }>(
      PAYMENT_STATES.map((state) => [state, { count: 0, oldestMs: 0 }]),
    );
    // Apart, so that many paid ones hide none of which it is not known whether money moved.
    for (const states of [OPEN_STATES, PAID_STATES]) {
      for (const { state, claimedAt } of await ledger.due(asMs(now + DAY_MS), MAX_OPEN, states)) {
        const entry = found.get(state);
        if (entry === undefined) continue;
        entry.count += 1;
        entry.oldestMs = Math.max(entry.oldestMs, now - claimedAt);
      }
    }
    return found;
  });
  metrics.gauge(
    {
      name: 'perpmeter_payments_open',
      help: 'Stored payments with something left to do by state; unknown: it is not known whether money moved.',
      labels: ['state'],
    },
    async (set) => {
      for (const [state, { count }] of await open()) set({ state }, count);
    },
  );
  metrics.gauge(
    {
      name: 'perpmeter_payments_open_age_seconds',
      help: 'Age of the oldest open payment of a state, 0 without one.',
      labels: ['state'],
    },
    async (set) => {
      for (const [state, { oldestMs }] of await open()) set({ state }, oldestMs / 1000);
    },
  );
  metrics.gauge(
    { name: 'perpmeter_ledger_answer_bytes', help: 'Sold answers that are held until they are delivered.' },
    (set) => set({}, ledger.answerBytes),
  );
}

/** `remote`: of a ledger on a server; one in a folder always answers. */
function storeMetrics(metrics: MetricSet, remote: RemoteState | undefined): void {
  metrics.gauge(
    {
      name: 'perpmeter_ledger_up',
      help: 'Whether the ledger last answered; without it nothing is sold.',
    },
    (set) => set({}, remote?.ok === false ? 0 : 1),
  );
  if (remote === undefined) return;
  metrics.counter(
    { name: 'perpmeter_ledger_call_failures_total', help: 'Calls of the ledger that were not answered.' },
    (add) => add({}, remote.failures),
  );
  metrics.durations(
    {
      name: 'perpmeter_ledger_call_duration_seconds',
      help: 'Calls of the ledger, repetitions included: read, write.',
      label: 'kind',
    },
    () => Object.entries(remote.durations),
  );
}

/** The counts that schemes keep of themselves. */
function schemeMetrics(metrics: MetricSet, { payments }: Paying): void {
  for (const [name, counters] of groupBy(payments.counters, (counter) => counter.name)) {
    const { help, label } = counters[0] as NetworkCounter;
    metrics.counter({ name: `perpmeter_${name}`, help, labels: ['network', label] }, (add) => {
      for (const { network, counts } of counters)
        for (const [value, count] of counts) add({ network, [label]: value }, count);
    });
  }
}

function settlementMetrics(metrics: MetricSet, { payments }: Paying): void {
  metrics.gauge(
    {
      name: 'perpmeter_facilitator_up',
      help: 'Whether a facilitator last answered sensibly; no value before the first answer, or without one.',
    },
    (set) => {
      const { facilitator_ok } = payments.health();
      if (facilitator_ok !== null) set({}, facilitator_ok ? 1 : 0);
    },
  );
}

/** The nodes through which chains are seen, and the gas that is left for transactions. */
function nodeMetrics(metrics: MetricSet, { payments }: Paying): void {
  const labels = ['network'] as const;
  metrics.gauge(
    {
      name: 'perpmeter_node_behind',
      help: 'Whether the node of a network is behind its chain; no value before the first look, or without a node.',
      labels,
    },
    (set) => {
      for (const { network, isBehind } of payments.nodes())
        if (isBehind !== undefined) set({ network }, isBehind ? 1 : 0);
    },
  );
  metrics.gauge(
    {
      name: 'perpmeter_node_block_timestamp_seconds',
      help: 'Time of the newest block that the node of a network has shown.',
      labels,
    },
    (set) => {
      for (const { network, blockAt } of payments.nodes())
        if (blockAt !== undefined) set({ network }, blockAt / SECOND_MS);
    },
  );
  metrics.gauge(
    {
      name: 'perpmeter_settling_gas_transactions',
      help: "Largest transactions (claims of channels, else transfers) that the operator's account can pay for; only in mode self.",
      labels,
    },
    (set) => {
      for (const { network, transactions } of payments.gas())
        if (transactions !== undefined) set({ network }, transactions);
    },
  );
}
