import { expect, it } from 'vitest';
import { protectedRoutes } from '../../src/api/catalog.ts';
import { renderProblem } from '../../src/api/problem.ts';
import type { VenueHealth } from '../../src/collect/ports.ts';
import { DurationCounts } from '../../src/domain/duration-counts.ts';
import { asMs } from '../../src/domain/units.ts';
import { identityMetrics } from '../../src/host/metrics/identity-metrics.ts';
import { MetricSet } from '../../src/host/metrics/metric-set.ts';
import { paymentMetrics } from '../../src/host/metrics/payment-metrics.ts';
import { venueMetrics } from '../../src/host/metrics/venue-metrics.ts';
import type { Service } from '../../src/host/options.ts';
import { PRICE_LISTS, ROUTES } from '../../src/modules/routes.ts';
import { parsePaymentConfig } from '../../src/pay/config.ts';
import { callCost, routeMargins } from '../../src/pay/margin.ts';
import { PaymentTally } from '../../src/pay/payment-tally.ts';
import { createPayments } from '../../src/pay/payments.ts';
import { loadPriceSchedule } from '../../src/pay/prices.ts';
import { makeTracked } from '../../src/products/asset-fixture.ts';

const ENVIRONMENT = {
  PAY_TO_ADDRESS: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  ASSET_CONTRACT_ADDRESS: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  BASE_URL: 'https://data.perpmeter.test',
  FACILITATOR_URL: 'https://facilitator.test',
  FACILITATOR_FEE_USD: '0.0015',
};

/** Payment metrics of a service that sells nothing, with these counts. */
async function paymentText(
  tally: PaymentTally,
  { callCosts, margins }: Pick<Service, 'callCosts' | 'margins'> = { callCosts: () => [], margins: () => [] },
): Promise<string> {
  const prices = loadPriceSchedule([], PRICE_LISTS);
  const free = parsePaymentConfig({ PAYMENTS_MODE: 'off', BASE_URL: 'http://127.0.0.1' }, '127.0.0.1');
  if (!free.ok || !prices.ok) throw new Error(JSON.stringify([free, prices]));
  const off = await createPayments({
    config: free.value,
    prices: prices.value,
    routes: [],
    renderProblem,
    routeTable: 'test',
  });
  if (!off.ok) throw new Error(off.errors.join('\n'));
  const metrics = new MetricSet();
  paymentMetrics(metrics, { payments: off.value, tally, callCosts, margins });
  return metrics.text();
}

it('a delivered payment: counted with price and phases', async () => {
  const tally = new PaymentTally();
  const phases = { verifyMs: 4, produceMs: 1, settleMs: 700 };
  tally.observe({ outcome: 'delivered', routeId: 'perp-basis', usd: '0.005', ...phases });
  tally.observe({ outcome: 'rejected', routeId: 'perp-basis', reason: 'expired' });
  const lines = (await paymentText(tally)).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'perpmeter_payments_total{outcome="delivered"} 1',
      'perpmeter_payments_total{outcome="rejected"} 1',
      'perpmeter_payments_total{outcome="unknown"} 0',
      'perpmeter_payments_closed_total{state="unknown"} 0',
      'perpmeter_revenue_usd_total{route="perp-basis"} 0.005',
      'perpmeter_payment_phase_duration_seconds_bucket{le="0.5",phase="settle"} 0',
      'perpmeter_payment_phase_duration_seconds_bucket{le="1",phase="settle"} 1',
      'perpmeter_payment_phase_duration_seconds_sum{phase="verify"} 0.004',
    ]),
  );
  // Payments are off: no facilitator was asked, none is down.
  expect(lines.filter((line) => line.startsWith('perpmeter_facilitator_up'))).toEqual([]);
});

it('the margin of every paid route: its price less the cost', async () => {
  const config = parsePaymentConfig(ENVIRONMENT, '127.0.0.1');
  const prices = loadPriceSchedule([], PRICE_LISTS);
  if (!config.ok || config.value.mode === 'off' || !prices.ok) throw new Error(JSON.stringify(config));
  const costs = { transactions: 4, read: 0, wei: 0n };
  const way = { scheme: 'exact', network: config.value.seller.network.id, isAlone: true, costs };
  const channels = { ...way, scheme: 'batch-settlement', isAlone: false };
  const fee = { by: 'fee', fee: config.value.facilitatorFee } as const;
  const callCosts = () => [callCost(way, 4, fee), callCost(channels, 0, fee)];
  const routes = protectedRoutes(ROUTES);
  const margins = () =>
    routeMargins(routes, prices.value, callCosts(), asMs(Date.parse('2026-12-01T00:00:00Z')));
  const lines = (await paymentText(new PaymentTally(), { callCosts, margins })).split('\n');
  // Nothing was sold by channel: what a sale costs is not known.
  expect(lines.filter((line) => line.startsWith('perpmeter_route_margin_usd{'))).toHaveLength(routes.length);
  const labels = 'scheme="exact",network="eip155:8453"';
  expect(lines).toContain(`perpmeter_route_margin_usd{route="funding-current",${labels}} -0.0005`);
  expect(lines).toContain(`perpmeter_route_margin_usd{route="backtest-data",${labels}} 0.0485`);
  expect(lines).toContain(`perpmeter_settlement_transactions_total{${labels}} 4`);
  expect(lines).toContain(`perpmeter_sales_total{${labels}} 4`);
});

it('a gauge that is not set has no value, rather than 0', async () => {
  const metrics = new MetricSet();
  metrics.gauge({ name: 'perpmeter_known', help: 'Known.' }, (set) => set({}, 0));
  metrics.gauge({ name: 'perpmeter_unknown', help: 'Not known.' }, () => {});
  const text = await metrics.text();
  expect(text).toMatch(/^perpmeter_known 0$/m);
  expect(text).not.toMatch(/^perpmeter_unknown/m);
});

it('identities on a silent server: down, with the waiting ones', async () => {
  const metrics = new MetricSet();
  const place = () => ({ kind: 'postgres', ok: false, waiting: 3, refused: 1 }) as const;
  identityMetrics(metrics, { place, possibleRenames: () => 2 });
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('perpmeter_'));
  expect(lines).toEqual([
    'perpmeter_identities_up 0',
    'perpmeter_identities_waiting 3',
    'perpmeter_identities_refused 1',
    'perpmeter_identities_possible_renames 2',
  ]);
});

it('durations become a cumulated histogram in seconds', async () => {
  const durations = new DurationCounts();
  for (const seconds of [0.0001, 0.003, 60]) durations.add(seconds);
  const metrics = new MetricSet();
  metrics.durations({ name: 'perpmeter_waits_seconds', help: 'Waits.', label: 'of' }, () => [
    ['x', durations],
  ]);
  const lines = (await metrics.text()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE perpmeter_waits_seconds histogram',
      'perpmeter_waits_seconds_bucket{le="0.0001",of="x"} 1',
      'perpmeter_waits_seconds_bucket{le="0.0025",of="x"} 1',
      'perpmeter_waits_seconds_bucket{le="0.005",of="x"} 2',
      'perpmeter_waits_seconds_bucket{le="10",of="x"} 2',
      'perpmeter_waits_seconds_bucket{le="+Inf",of="x"} 3',
      'perpmeter_waits_seconds_sum{of="x"} 60.0031',
      'perpmeter_waits_seconds_count{of="x"} 3',
    ]),
  );
});

it('a venue collected no more: no health and no contract values', async () => {
  const known: VenueHealth = {
    venue: 'binance',
    status: 'live',
    since: asMs(0),
    lastUpdateAt: undefined,
    lastError: undefined,
    rejects5m: 0,
    rejectsByReason: { dated: 1 },
    errorRate5m: undefined,
  };
  const retired: VenueHealth = { ...known, venue: 'gone', status: 'down', retired: true };
  const service = {
    collector: { stats: () => ({ venues: {}, budgets: {} }) },
    health: { all: () => [known], of: (id: string) => (id === 'gone' ? retired : known) },
    market: { view: { venues: () => [makeTracked({ id: 'binance' }), makeTracked({ id: 'gone' })] } },
  } as unknown as Service;
  const metrics = new MetricSet();
  venueMetrics(metrics, service);
  const text = await metrics.text();
  expect(text).toContain('perpmeter_venue_status{venue="binance"} 2');
  expect(text).toContain('perpmeter_venue_contracts{venue="binance"}');
  expect(text).not.toContain('"gone"');
});
