import { expect, it } from 'vitest';
import { protectedRoutes } from '../../src/api/catalog.ts';
import { ROUTES } from '../../src/api/table.ts';
import { MetricSet } from '../../src/cli/metrics/metric-set.ts';
import { paymentMetrics } from '../../src/cli/metrics/payment-metrics.ts';
import { asMs } from '../../src/domain/units.ts';
import { parsePaymentConfig } from '../../src/pay/config.ts';
import { routeMargins } from '../../src/pay/margin.ts';
import { loadPriceBook } from '../../src/pay/prices.ts';

const ENVIRONMENT = {
  PAY_TO_ADDRESS: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  ASSET_CONTRACT_ADDRESS: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  BASE_URL: 'https://data.perpmeter.test',
  FACILITATOR_URL: 'https://facilitator.test',
  FACILITATOR_FEE_USD: '0.0015',
};

it('names the margin of every paid route: its price less the configured fee', async () => {
  const config = parsePaymentConfig(ENVIRONMENT, '127.0.0.1');
  const prices = loadPriceBook();
  if (!config.ok || config.value.mode === 'off' || !prices.ok) throw new Error(JSON.stringify(config));
  const { facilitatorFee } = config.value;
  const routes = protectedRoutes(ROUTES);
  const metrics = new MetricSet();
  paymentMetrics(metrics, {
    payments: offPayments(),
    tally: new PaymentTally(),
    margins: () =>
      routeMargins(routes, prices.value, facilitatorFee, asMs(Date.parse('2026-12-01T00:00:00Z'))),
  });
  const text = await metrics.text();
  const lines = text.split('\n').filter((line) => line.startsWith('perpmeter_route_margin_usd{'));
  expect(lines).toHaveLength(routes.length);
  expect(lines).toContain('perpmeter_route_margin_usd{route="funding-current"} -0.0005');
  expect(lines).toContain('perpmeter_route_margin_usd{route="backtest-data"} 0.0485');
});
