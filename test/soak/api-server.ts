import { protectedRoutes } from '../../src/api/catalog.ts';
import { renderProblem } from '../../src/api/problem.ts';
import { readTrustProxy } from '../../src/api/request/address.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import type { Facilitator } from '../../src/pay/facilitator.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { createPaywall, type RunningPaywall } from '../../src/pay/paywall.ts';
import type { ExactRequest } from '../../src/pay/schemes/exact/request.ts';
import { createOwner } from '../../src/storage/process-owner.ts';
import { createExampleApi, examplePrices, SELLER } from '../api/example-api.ts';
import { createExampleHistory } from '../api/example-history.ts';
import { exactOf } from '../pay/exact.ts';
import { createMemoryStore } from '../pay/ledger-memory.ts';
import { fillBooks } from '../world/world-books.ts';
import { createWorldMarket, type WorldMarket } from '../world/world-market.ts';
import type { Random } from './random.ts';

/** The service over the simulated world with its real gate, and a count of what was settled. */
export interface ApiServer {
  readonly url: string;
  readonly source: WorldMarket;
  /** Nonces that were settled, and how often. */
  readonly settled: ReadonlyMap<string, number>;
  /** Faults that a client only saw as a 500. */
  readonly faults: readonly unknown[];
  /** Fetches all books again. */
  readonly readBooks: () => void;
  readonly close: () => Promise<void>;
}

/** Settles everything. */
function steadyFacilitator(settled: Map<string, number>): Facilitator {
  return {
    name: 'steady',
    ok: true,
    probe: async () => {},
    verify: async () => ({ kind: 'valid' }),
    async settle({ payload: { authorization } }: ExactRequest) {
      settled.set(authorization.nonce, (settled.get(authorization.nonce) ?? 0) + 1);
      return { kind: 'settled', transaction: `0x${'ab'.repeat(32)}` };
    },
  };
}

/** Now and then the facilitator finds a payment invalid, refuses to settle it or does not answer a verification. */
function countingFacilitator(settled: Map<string, number>, random: Random): Facilitator {
  return {
    name: 'counting',
    ok: true,
    probe: async () => {},
    async verify() {
      if (random.chance(0.03)) return { kind: 'invalid', reason: 'insufficient_funds' };
      return random.chance(0.01) ? { kind: 'unavailable', reason: 'timeout' } : { kind: 'valid' };
    },
    async settle({ payload: { authorization } }: ExactRequest) {
      if (random.chance(0.03)) {
        return { kind: 'refused', reason: 'insufficient_funds', transaction: undefined };
      }
      settled.set(authorization.nonce, (settled.get(authorization.nonce) ?? 0) + 1);
      return { kind: 'settled', transaction: `0x${'ab'.repeat(32)}` };
    },
  };
}

async function paywallOver(
  ledger: Ledger,
  facilitator: Facilitator,
  onError: (cause: unknown) => void,
): Promise<RunningPaywall> {
  const routes = protectedRoutes(ROUTES);
  const made = createPaywall({
    seller: SELLER,
    prices: examplePrices(),
    routes,
    ledger,
    schemes: [await exactOf({ seller: SELLER, routes, clock: systemClock, facilitators: [facilitator] })],
    clock: systemClock,
    renderProblem,
    onError,
  });
  if (!made.ok) throw new Error(made.errors.join('\n'));
  return made.value;
}

/** @param random what the facilitator's moods come from; without it, it has none */
export async function startApiServer(random?: Random): Promise<ApiServer> {
  const source = createWorldMarket();
  const books = createBookStore({ clock: source.clock });
  fillBooks(books, source);
  const settled = new Map<string, number>();
  const faults: unknown[] = [];
  const ledger = new Ledger({ store: createMemoryStore(), clock: systemClock, owner: createOwner() });
  const facilitator =
    random === undefined ? steadyFacilitator(settled) : countingFacilitator(settled, random);
  const paywall = await paywallOver(ledger, facilitator, (cause) => faults.push(cause));
  const trustProxy = readTrustProxy('loopback');
  const example = createExampleApi({
    market: source.market.view,
    clock: source.clock,
    books: books.view,
    history: createExampleHistory(() => source.market.view.rows(), source.clock),
    paywall,
    report: ({ error }) => faults.push(error),
    ...(trustProxy !== undefined && { trustProxy }),
  });
  return {
    url: await example.start(),
    source,
    settled,
    faults,
    readBooks: () => fillBooks(books, source),
    async close() {
      await example.api.close();
      await paywall.drain();
      await ledger.close();
    },
  };
}
