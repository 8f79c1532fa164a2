import { ok } from '../../src/domain/errors.ts';
import { asMs } from '../../src/domain/units.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import type { AccountStore, LedgerStore } from '../../src/pay/ledger-store.ts';
import { createPaywall, type RunningPaywall } from '../../src/pay/paywall.ts';
import type { ChainWatch } from '../../src/pay/scheme.ts';
import type { PaywallReply, ProtectedRoute, Work } from '../../src/pay/types.ts';
import { StoreUnreachable } from '../../src/storage/remote-state.ts';
import { type FakeClock, fakeClock } from './fakes.ts';
import { createMemoryStore } from './ledger-memory.ts';
import { Steps } from './model-steps.ts';
import type { Presented, Scenario, Way } from './model-way.ts';
import { problemReply } from './paid-server.ts';
import { paidRoutes, routeOf, sellerAt, shippedPrices } from './routes.ts';

/** The buyer's answer, and the chain's state at that time. */
export interface Got {
  readonly purchase: string;
  readonly status: number;
  readonly text: string;
  /** The whole of a paid answer arrived. */
  readonly complete: boolean;
  /** The money had moved when the answer was made. */
  readonly paidBefore: boolean;
  /** A whole answer had arrived before. */
  readonly servedBefore: boolean;
}

const prices = shippedPrices();
// Without what only buyers read: every process of every run writes its terms anew.
const routeNamed = (id: string) => ({ ...routeOf(paidRoutes(), id), queryParams: {}, example: {} });
const ROUTES = [routeNamed('perp-basis'), routeNamed('perp-open-interest')] as const;
const seller = sellerAt();
const RESOURCE = `${ROUTES[0].path}?ticker=BTC`;

/** The buyer, the processes that may be asked, the chain, and everything that could happen next. */
export class World {
  readonly steps = new Steps();
  readonly clock: FakeClock = fakeClock();
  readonly store: LedgerStore = this.#watched(createMemoryStore());
  /** The ledger as the operator sees it. */
  readonly ledger = new Ledger({ store: this.store, clock: this.clock, owner: 'operator' });
  readonly routes: readonly ProtectedRoute[];
  readonly seller = seller;
  readonly got: Got[] = [];
  readonly errors: unknown[] = [];
  /** Breaches that were seen on the way. */
  readonly noted = new Set<string>();
  /** Faults of the network of each process. */
  readonly networks = new Map<string, NetworkFault>();
  readonly way: Way;
  readonly #scenario: Scenario;
  /** Purchases of which a whole answer had arrived when the buyer gave up asking. */
  #servedInTime: ReadonlySet<string> = new Set();
  #presentations = 0;
  #produced = 0;
  #failures: number;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#failures = scenario.failures ?? 0;
    this.routes = scenario.hasCheap === true ? ROUTES : [ROUTES[0]];
    const { steps, clock, store, ledger, routes, priceOf } = this;
    const isOnHosts = scenario.hosts === true;
    const noteBreach = (text: string): void => void this.noted.add(text);
    this.way = scenario.open({ steps, clock, store, ledger, routes, priceOf, seller, isOnHosts, noteBreach });
  }

  /** Price of one of the routes, atomic units. */
  priceOf({ id }: ProtectedRoute): bigint {
    return prices.priceAt(id, asMs(Date.now()))?.atomic ?? 0n;
  }

  /** A process of the service. */
  process(actor: string): ModelProcess {
    const { steps, clock } = this;
    const owner = `elsewhere/${actor}`;
    const store = this.#scenario.hosts === true ? this.#remoteStore(actor) : this.#steppedStore(actor);
    const ledger = new Ledger({ store, clock, owner });
    const scheme = this.way.scheme({ actor, owner, steps, clock }, store);
    const made = createPaywall({
      seller,
      prices,
      routes: this.routes,
      ledger,
      schemes: [scheme],
      writeAgainMs: 800,
      clock,
      renderProblem: problemReply,
      onError: (cause) => this.noteError(cause),
    });
    if (!made.ok) throw new Error(made.errors.join('\n'));
    return { actor, paywall: made.value, watch: scheme.watch };
  }

  /** A network that fails is no error of the process behind it. */
  noteError(cause: unknown): void {
    const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
    this.errors.push(...causes.filter((cause) => !(cause instanceof StoreUnreachable)));
  }

  /** The store, with the way of paying told of what becomes of it. */
  #watched(store: LedgerStore): LedgerStore {
    const accounts = accountsOf(store);
    const then = async <T>(written: Promise<T>): Promise<T> => {
      const done = await written;
      this.way.stored?.();
      return done;
    };
    return {
      ...store,
      insert: (...stored) => then(store.insert(...stored)),
      replace: (...stored) => then(store.replace(...stored)),
      remove: (...stored) => then(store.remove(...stored)),
      accounts: { ...accounts, write: (change) => then(accounts.write(change)) },
      flushed: async () => this.way.flushed?.(),
    };
  }

  /** Reading is at once, as it is from a mapped file; writing takes a step, and so does a flush where it matters. */
  #steppedStore(actor: string): LedgerStore {
    const { store, steps, way } = this;
    const accounts = accountsOf(store);
    const flush = (): Promise<void> => steps.wait(actor, 'flush', () => store.flushed());
    return {
      ...store,
      insert: (...stored) => steps.wait(actor, 'insert', () => store.insert(...stored)),
      replace: (...stored) =>
        steps.wait(actor, `replace by ${stored[1].state}`, () => store.replace(...stored)),
      arrive: (...stored) => steps.wait(actor, 'arrive', () => store.arrive(...stored)),
      remove: (...stored) => steps.wait(actor, 'remove', () => store.remove(...stored)),
      accounts: {
        ...accounts,
        write: (change) => steps.wait(actor, 'write account', () => accounts.write(change)),
      },
      flushed: way.flushed === undefined ? store.flushed : flush,
    };
  }

  /** Asking and its answer are two steps, and between them the network may fail. */
  #remoteStore(actor: string): LedgerStore {
    const { store, steps, networks } = this;
    const call = async <T>(name: string, isWrite: boolean, effect: () => T | Promise<T>): Promise<T> => {
      const done = await steps.wait(actor, name, () => {
        if (networks.get(actor) === 'cut') throw new StoreUnreachable('the ledger', undefined, false);
        return effect();
      });
      return steps.wait(actor, `${name} answered`, () => {
        const fault = networks.get(actor);
        if (fault === 'lost once') networks.delete(actor);
        if (fault === undefined) return done;
        throw new StoreUnreachable('the ledger', undefined, isWrite);
      });
    };
    const accounts = accountsOf(store);
    return {
      ...store,
      read: (key) => call('read', false, () => store.read(key)),
      readPurchase: (hash) => call('read purchase', false, () => store.readPurchase(hash)),
      readAnswer: (record) => call('read answer', false, () => store.readAnswer(record)),
      insert: (...stored) => call('insert', true, () => store.insert(...stored)),
      replace: (...stored) => call('replace', true, () => store.replace(...stored)),
      arrive: (...stored) => call('arrive', true, () => store.arrive(...stored)),
      remove: (...stored) => call('remove', true, () => store.remove(...stored)),
      accounts: {
        read: (id) => call('read account', false, () => accounts.read(id)),
        list: (query) => call('list accounts', false, () => accounts.list(query)),
        write: (change) => call('write account', true, () => accounts.write(change)),
      },
    };
  }

  /** The buyer presents the next payment; what comes back is noted when it has arrived. */
  async present({ actor, paywall }: ModelProcess, cut: () => boolean): Promise<void> {
    const { way } = this;
    const presented = way.present(this.#presentations++);
    const { purchase, header, idempotencyKey, resource = RESOURCE, buysNothing } = presented;
    const input = {
      method: 'GET',
      resource,
      paymentSignature: header,
      idempotencyKey,
      address: '127.0.0.1',
    };
    const route = this.routes.find(({ path }) => resource.startsWith(path)) ?? ROUTES[0];
    const reply = await paywall.pay(route, input, this.#work());
    const isDone = buysNothing === true && reply.status === 200;
    const paidBefore = isDone || (await way.isPaid(purchase));
    const servedBefore = this.#served().has(purchase);
    way.leaving?.(purchase, reply.status);
    await this.steps.wait(actor, 'send', () => {
      const complete = !cut();
      this.got.push(gotOf(presented, reply, { complete, paidBefore, servedBefore }));
      reply.sent?.(complete);
    });
  }

  #work(): Work {
    const body = (): Buffer => Buffer.from(JSON.stringify({ product: ++this.#produced }));
    return {
      check: () => undefined,
      produce: () =>
        this.#failures-- > 0
          ? { ok: false, error: { code: 'not_ready', detail: 'Not now: nothing was charged.' } }
          : ok({ status: 200, headers: {}, body: body() }),
    };
  }

  /** The process is killed: its requests end without an answer. */
  kill(actor: string): void {
    this.steps.kill(actor);
  }

  /** Purchases of which a whole answer has arrived. */
  #served(): ReadonlySet<string> {
    const good = this.got.filter(({ status, complete }) => status === 200 && complete);
    return new Set(good.map(({ purchase }) => purchase));
  }

  markServed(): void {
    this.#servedInTime = this.#served();
  }

  wasServedInTime(purchase: string): boolean {
    return this.#servedInTime.has(purchase);
  }

  get answerBytes(): number {
    return this.store.answerBytes();
  }
}

/** `cut`: nothing passes; `deaf`: no answer comes back; `lost once`: the next answer does not. */
export type NetworkFault = 'cut' | 'deaf' | 'lost once';

export interface ModelProcess {
  readonly actor: string;
  readonly paywall: RunningPaywall;
  readonly watch: ChainWatch | undefined;
}

function gotOf(
  { purchase }: Presented,
  { status, body }: PaywallReply,
  seen: Pick<Got, 'complete' | 'paidBefore' | 'servedBefore'>,
): Got {
  const { complete, paidBefore, servedBefore } = seen;
  return { purchase, status, text: body.toString('utf8'), complete, paidBefore, servedBefore };
}

function accountsOf({ accounts }: LedgerStore): AccountStore {
  if (accounts === undefined) throw new Error('a store without accounts');
  return accounts;
}
