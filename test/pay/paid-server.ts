import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../../src/domain/clock.ts';
import { ERRORS, type Failure, ok, type Result } from '../../src/domain/errors.ts';
import { signSales } from '../../src/modules/receipts/signed-sales.ts';
import type { KeyRing } from '../../src/modules/receipts/signing-keys.ts';
import type { Facilitator } from '../../src/pay/facilitator.ts';
import { Ledger, type LedgerLimits } from '../../src/pay/ledger.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import { createPaywall, type RunningPaywall } from '../../src/pay/paywall.ts';
import type { PaymentEvent } from '../../src/pay/paywall-context.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import type { Scheme } from '../../src/pay/scheme.ts';
import type { SettlementVerifier } from '../../src/pay/schemes/exact/proof.ts';
import type { Seller } from '../../src/pay/seller.ts';
import type { HttpReply, PaywallReply, ProtectedRoute } from '../../src/pay/types.ts';
import { createOwner } from '../../src/storage/process-owner.ts';
import { exactOf } from './exact.ts';
import { createMemoryStore } from './ledger-memory.ts';
import { paidRoutes, sellerAt, shippedPrices } from './routes.ts';
import { sendReply } from './send-reply.ts';

export function problemReply(failure: Failure): HttpReply {
  const { status, title } = ERRORS[failure.code];
  const retry = failure.retryAfterSeconds;
  return {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...(retry === undefined ? {} : { 'Retry-After': String(retry) }),
    },
    body: Buffer.from(
      JSON.stringify({ status, title, code: failure.code, detail: failure.detail, ...failure.paid }),
    ),
  };
}

export interface PaidServerOptions {
  readonly facilitator: Facilitator;
  /** Asked after it. */
  readonly others?: readonly Facilitator[];
  readonly payTo: string;
  /** Offered behind `exact`. */
  readonly schemes?: readonly Scheme[];
  readonly proof?: SettlementVerifier;
  readonly store?: LedgerStore;
  readonly clock?: Clock;
  readonly limits?: LedgerLimits;
  /** Keys that sign offers and receipts; without it there are none. */
  readonly keys?: KeyRing;
}

/** A paid test server: its answers differ every time, so that a second product would show. */
export interface PaidServer {
  readonly url: string;
  readonly paywall: RunningPaywall;
  readonly ledger: Ledger;
  readonly seller: Seller;
  readonly routes: readonly ProtectedRoute[];
  readonly events: PaymentEvent[];
  readonly closed: PaymentRecord[];
  readonly errors: unknown[];
  /** The number of times that the work was done. */
  produced: number;
  /** The work's next result; reset to a normal answer by undefined. */
  check: (() => Failure | undefined) | undefined;
  produce: (() => Result<HttpReply> | Promise<Result<HttpReply>>) | undefined;
  /** True: connections are cut instead of answered with a paid answer. */
  cutPaid: boolean;
  stop(): Promise<void>;
}

type Noted = Pick<PaidServer, 'events' | 'closed' | 'errors'>;
type GateParts = Pick<
  Parameters<typeof createPaywall>[0],
  'seller' | 'prices' | 'routes' | 'ledger' | 'clock'
>;

/** A paywall with short pauses, which notes what it observes. */
async function gateOf(options: PaidServerOptions, parts: GateParts, noted: Noted): Promise<RunningPaywall> {
  const exact = await exactOf({
    ...parts,
    facilitators: [options.facilitator, ...(options.others ?? [])],
    proof: options.proof,
    patience: { tries: 3, pauseMs: 20, askAgainMs: [1, 2, 4, 8] },
  });
  const { keys } = options;
  const schemes = [exact, ...(options.schemes ?? [])];
  const onError = (cause: unknown) => noted.errors.push(cause);
  const made = createPaywall({
    ...parts,
    schemes,
    writeAgainMs: 10,
    ...(keys !== undefined && {
      sale: signSales({ ...parts, schemes, keys, routeTable: 'test', onError }),
    }),
    renderProblem: problemReply,
    observe: (event) => noted.events.push(event),
    onError,
    onClosed: (record) => noted.closed.push(record),
  });
  if (!made.ok) throw new Error(made.errors.join('\n'));
  return made.value;
}

export async function startPaidServer(options: PaidServerOptions): Promise<PaidServer> {
  const server = createServer({ maxHeaderSize: 32 * 1024 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = options.clock ?? systemClock;
  const store = options.store ?? createMemoryStore();
  const limits = options.limits;
  const ledger = new Ledger({
    store,
    clock,
    owner: createOwner(),
    ...(limits === undefined ? {} : { limits }),
  });
  const seller = sellerAt(url, options.payTo);
  const prices = shippedPrices();
  const routes = paidRoutes();
  const noted: Noted = { events: [], closed: [], errors: [] };
  const paywall = await gateOf(options, { seller, prices, routes, ledger, clock }, noted);
  const paidServer: PaidServer = {
    url,
    paywall,
    ledger,
    seller,
    routes,
    ...noted,
    produced: 0,
    check: undefined,
    produce: undefined,
    cutPaid: false,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await paywall.drain();
      await ledger.close();
    },
  };
  server.on('request', (request, response) => answer(paidServer, request, response));
  return paidServer;
}

function answer(it: PaidServer, request: IncomingMessage, response: ServerResponse): void {
  const target = new URL(request.url ?? '/', it.url);
  const route = it.routes.find(({ path }) =>
    new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(target.pathname),
  );
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const send = (reply: PaywallReply): void => {
    if (reply.sent === undefined || !it.cutPaid) sendReply(request, response, reply);
    else {
      request.socket.destroy();
      reply.sent(false);
    }
  };
  if (route === undefined) {
    send(problemReply({ code: 'unknown_route', detail: target.pathname }));
    return;
  }
  target.searchParams.sort();
  const input = {
    method: request.method ?? 'GET',
    resource: target.pathname + target.search,
    xPayment: header('x-payment'),
    paymentSignature: header('payment-signature'),
    idempotencyKey: header('idempotency-key'),
    address: header('x-test-address') ?? request.socket.remoteAddress ?? '',
  };
  const work = { check: () => it.check?.(), produce: () => (it.produce ?? (() => nextAnswer(it)))() };
  void it.paywall.pay(route, input, work).then(send);
}

function nextAnswer(it: PaidServer): Result<HttpReply> {
  it.produced++;
  const body = Buffer.from(JSON.stringify({ product: it.produced, random: randomBytes(8).toString('hex') }));
  return ok({ status: 200, headers: { 'content-type': 'application/json', etag: '"1"' }, body });
}
