import type { operatorPayments } from '../../src/modules/accounting/payments.ts';
import type { OperatorAccounts } from '../../src/modules/accounting/schemas/accounts.ts';
import type { OperatorEarnings } from '../../src/modules/accounting/schemas/earnings.ts';
import type { OperatorPayments as ShownPayments } from '../../src/modules/accounting/schemas/payments.ts';
import type { OperatorState as ShownState } from '../../src/modules/operator/schemas/state.ts';
import type { operatorState } from '../../src/modules/operator/state.ts';

type OperatorPayments = Awaited<ReturnType<typeof operatorPayments>>;
type OperatorState = ReturnType<typeof operatorState>;

/** A service with one venue down and one payment of which it is not known whether money moved. */
const state: OperatorState = {
  at: '2026-11-20T21:30:30.000Z',
  version: '0.1.0',
  node: 'v24.0.0',
  process: {
    uptime_seconds: 7200,
    rss_bytes: 500 * 2 ** 20,
    heap_bytes: 200 * 2 ** 20,
    external_bytes: 0,
    event_loop_lag_seconds: 0.012,
    event_loop_active_seconds: 720,
    cpu_seconds: 900,
  },
  overload: { lagSeconds: 0.012, level: 0 },
  disks: [{ folder: 'data', free_bytes: 3 * 2 ** 30, size_bytes: 12 * 2 ** 30 }],
  http: { open: 0, broken: 0, kept: { answers: 12, bytes: 2 ** 20 }, routes: [] },
  venues: [
    {
      venue: 'binance',
      status: 'live',
      since: '2026-11-20T20:00:00.000Z',
      last_update_at: '2026-11-20T21:30:29.000Z',
      rejects_5m: 0,
      rejects: { dated_future: 3 },
      error_rate_5m: 0,
      last_error: null,
      circuits: 0,
      sample: {
        at: '2026-11-20T21:30:00.000Z',
        source: 'premiumIndex',
        symbol: '<img src=x onerror=alert(1)>',
        reason: 'malformed',
        detail: 'rate',
        payload: '{"symbol":"<img src=x onerror=alert(1)>"}',
      },
      feeds: [
        {
          kind: 'poll',
          name: 'premiumIndex',
          every_seconds: 5,
          rounds: 100,
          good_rounds: 98,
          requests: 100,
          failures: 2,
          quotes: 4000,
          rejects: 1,
          last_data_at: null,
        },
      ],
    },
    {
      venue: 'vertex',
      status: 'down',
      since: '2026-11-20T20:00:00.000Z',
      last_update_at: null,
      rejects_5m: 0,
      rejects: {},
      error_rate_5m: 1,
      last_error: 'symbols: refused',
      circuits: 1,
      sample: null,
      feeds: [
        {
          kind: 'poll',
          name: 'symbols',
          every_seconds: 60,
          rounds: 4,
          good_rounds: 0,
          requests: 4,
          failures: 4,
          quotes: 0,
          rejects: 0,
          last_data_at: null,
        },
      ],
    },
  ],
  budgets: [
    { venue: 'binance', pool: 'ip', limit: 2400, per_seconds: 60, used: 600, waiting: 0, waited_seconds: 4 },
  ],
  identities: { price_dispersion: 2 },
  history: null,
};

const payments: OperatorPayments = {
  mode: 'sandbox',
  facilitator_ok: true,
  settlement_proof: 'rpc',
  ledger: 'embedded',
  ledger_ok: true,
  challenged: 41,
  answer_bytes: 1000,
  presented: 10,
  verified: 8,
  settled: 7,
  outcomes: { delivered: 7, unknown: 1, rejected: 2 },
  closed: {},
  node_behind: true,
  nodes: [
    {
      network: 'eip155:8453',
      behind: true,
      block_at: '2026-11-21T21:00:00.000Z',
      seen_at: '2026-11-21T21:05:00.000Z',
    },
  ],
  gas: [
    {
      network: 'eip155:8453',
      address: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      transactions: 14,
      low: true,
      short: false,
      seen_at: '2026-11-21T21:05:00.000Z',
      reason: null,
    },
  ],
  facilitators: [
    { name: 'https://first.test', scheme: 'exact', network: 'eip155:8453', ok: false, resting: true },
    { name: 'https://second.test', scheme: 'exact', network: 'eip155:8453', ok: true, resting: false },
  ],
  costs: [
    { scheme: 'exact', network: 'eip155:8453', transactions: 7, sales: 7, usd: 0.0015, reason: null },
    {
      scheme: 'batch-settlement',
      network: 'eip155:8453',
      transactions: 0,
      sales: 0,
      usd: null,
      reason: 'nothing_settled',
    },
  ],
  margins: [
    { route: 'funding-current', scheme: 'exact', network: 'eip155:8453', usd: -0.0005, reason: null },
    {
      route: 'funding-current',
      scheme: 'batch-settlement',
      network: 'eip155:8453',
      usd: null,
      reason: 'nothing_settled',
    },
  ],
  chain: { compared_to: '2026-11-20T21:20:00.000Z', differences: { not_on_chain: 1 } },
  open: [
    {
      claimed_at: '2026-11-20T21:28:30.000Z',
      state: 'unknown',
      route_id: 'perp-basis',
      path: '/v1/perp/basis',
      usd: '0.005',
      amount: '5000',
      network: 'eip155:8453',
      asset: '0xa',
      pay_to: '0xb',
      payer: '0xPayer',
      nonce: '0xNonce',
      transaction: null,
      proof: null,
      reason: 'timeout',
      settled_at: null,
      delivered_at: null,
      closed_at: null,
      attempts: 3,
      next_look_at: '2026-11-20T21:31:00.000Z',
    },
  ],
};

const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString();
const HOUR_MS = 3_600_000;

/** One channel is left by its buyer, and owes; the other one goes on. */
const accounts: OperatorAccounts = {
  schemes: [
    {
      scheme: 'batch-settlement',
      network: 'eip155:8453',
      stages: { ready: 1, leaving: 1, empty: 4 },
      charged_usd: '1.25',
      claimed_usd: '1',
      unclaimed_usd: '0.25',
      oldest_unclaimed: fromNow(-3 * HOUR_MS),
      leaving: 1,
    },
  ],
  accounts: [
    {
      id: '0xLeft',
      scheme: 'batch-settlement',
      network: 'eip155:8453',
      payer: '0xLeaver',
      stage: 'leaving',
      balance_usd: '2',
      charged_usd: '0.75',
      claimed_usd: '0.6',
      unclaimed_usd: '0.15',
      unclaimed_since: fromNow(-3 * HOUR_MS),
      due_at: fromNow(-1000),
      used_at: fromNow(-HOUR_MS),
      seen_at: fromNow(-1000),
      leaves_at: fromNow(5.5 * HOUR_MS),
    },
    {
      id: '0xOpen',
      scheme: 'batch-settlement',
      network: 'eip155:8453',
      payer: '0xBuyer',
      stage: 'ready',
      balance_usd: '5',
      charged_usd: '0.5',
      claimed_usd: '0.4',
      unclaimed_usd: '0.1',
      unclaimed_since: fromNow(-2 * HOUR_MS),
      due_at: fromNow(21.5 * HOUR_MS),
      used_at: fromNow(-2 * HOUR_MS),
      seen_at: fromNow(-1000),
      leaves_at: null,
    },
  ],
  total: 6,
  complete: true,
};

const DAY_MS = 24 * HOUR_MS;
const dayBefore = (days: number): string => fromNow(-days * DAY_MS).slice(0, 10);

/** Sales of two days, one of each week. */
const earnings: OperatorEarnings = {
  at: fromNow(0),
  looked: 20_000,
  since: fromNow(-20 * DAY_MS),
  cut: true,
  total: { payments: 9, usd: '0.045', margin_usd: 0.0315 },
  days: [
    {
      day: dayBefore(9),
      payments: 2,
      usd: '0.01',
      margin_usd: 0.007,
      new_payers: 1,
      returning_payers: 0,
    },
    {
      day: dayBefore(1),
      payments: 7,
      usd: '0.035',
      margin_usd: 0.0245,
      new_payers: 1,
      returning_payers: 1,
    },
  ],
  routes: [{ route: 'perp-basis', payments: 9, usd: '0.045', margin_usd: 0.0315 }],
  ways: [{ scheme: 'exact', network: 'eip155:8453', payments: 9, usd: '0.045', margin_usd: 0.0315 }],
  payers: [
    {
      payer: '0xPayer',
      payments: 6,
      usd: '0.03',
      margin_usd: null,
      first: fromNow(-9 * DAY_MS),
      last: fromNow(-DAY_MS),
      is_new: false,
    },
  ],
  payers_total: 2,
  earnings: [{ day: dayBefore(1), route: 'perp-basis', payments: 7, usd: '0.035', margin_usd: 0.0245 }],
  this_week: {
    from: fromNow(-7 * DAY_MS),
    to: fromNow(0),
    payments: 7,
    usd: '0.035',
    margin_usd: 0.0245,
    payers: 2,
  },
  last_week: {
    from: fromNow(-14 * DAY_MS),
    to: fromNow(-7 * DAY_MS),
    payments: 2,
    usd: '0.01',
    margin_usd: 0.007,
    payers: 1,
  },
};

const shownState: ShownState = state;
const shownPayments: ShownPayments = { allows_actions: false, ...payments };

/** By path, as the operator's port serves them. */
export const OPERATOR_DOCUMENTS = {
  '/operator/state': shownState,
  '/operator/payments': shownPayments,
  '/operator/accounts': accounts,
  '/operator/earnings': earnings,
} as const;
