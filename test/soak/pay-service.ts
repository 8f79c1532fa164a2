/**
 * A service of its own process for the payment soaks: the real gate, ledger and reconciler behind plain HTTP. Its
 * argument is the payment configuration as environment variables, in JSON; its first line names its address. Every answer
 * is different, so that a second product for one payment would show.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { ok } from '../../src/domain/errors.ts';
import { receiptsWith } from '../../src/modules/receipts/open-receipts.ts';
import { selfFacilitator } from '../../src/modules/self-settle/open-self.ts';
import { readTerms } from '../../src/modules/self-settle/terms.ts';
import { ledgerOn } from '../../src/modules/shared-ledger/places.ts';
import { parsePaymentConfig } from '../../src/pay/config.ts';
import { createPayments } from '../../src/pay/payments.ts';
import { problemReply } from '../pay/paid-server.ts';
import { paidRoutes, shippedPrices } from '../pay/routes.ts';
import { sendReply } from '../pay/send-reply.ts';

const environment = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>;
const config = parsePaymentConfig(environment, '127.0.0.1');
if (!config.ok) throw new Error(config.errors.join('\n'));
const prices = shippedPrices();
const routes = paidRoutes();
const made = await createPayments({
  config: config.value,
  prices,
  routes,
  renderProblem: problemReply,
  routeTable: 'soak',
  ledgerPlace: environment.LEDGER_URL === undefined ? undefined : ledgerOn(environment.LEDGER_URL),
  ownFacilitator: selfFacilitator(() => readTerms(environment)),
  openSale: receiptsWith(
    environment.RECEIPT_KEYS_FILE ?? join(dirname(config.value.ledgerPath), 'receipt-keys.json'),
  ),
  onError: (cause) =>
    process.stderr.write(`service: ${cause instanceof Error ? cause.stack : String(cause)}\n`),
});
if (!made.ok) throw new Error(made.errors.join('\n'));
const payments = made.value;
payments.start();

const matched = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
}));

const server = createServer((request, response) => {
  const target = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (target.pathname === '/healthz') return void response.end('ok');
  const route = matched.find(({ pattern }) => pattern.test(target.pathname))?.route;
  if (route === undefined) return void response.writeHead(404).end();
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const body = (): Buffer =>
    Buffer.from(JSON.stringify({ product: randomBytes(12).toString('hex'), filler: 'x'.repeat(2_000) }));
  void payments.paywall
    .pay(
      route,
      {
        method: request.method ?? 'GET',
        resource: target.pathname + target.search,
        xPayment: header('x-payment'),
        paymentSignature: header('payment-signature'),
        idempotencyKey: header('idempotency-key'),
        // Every request from elsewhere: what is soaked is the purchase, not the limits.
        address: header('x-test-address') ?? '',
      },
      { check: () => undefined, produce: () => ok({ status: 200, headers: {}, body: body() }) },
    )
    .then((reply) => sendReply(request, response, reply));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);

process.once('SIGTERM', () => {
  server.close();
  server.closeIdleConnections();
  void payments.stop().then(() => process.exit(0));
});
process.once('disconnect', () => process.exit(0));
