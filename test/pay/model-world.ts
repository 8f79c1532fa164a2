import { ok } from '../../src/domain/errors.ts';
import { asMs } from '../../src/domain/units.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import { createPaywall, type RunningPaywall } from '../../src/pay/paywall.ts';
import type { ChainWatch } from '../../src/pay/scheme.ts';
import type { PaywallReply, ProtectedRoute, Work } from '../../src/pay/types.ts';
import { StoreUnreachable } from '../../src/storage/remote-state.ts';
import { type FakeClock, fakeClock } from './fakes.ts';
import { createMemoryStore } from './ledger-memory.ts';
import { Steps } from './model-steps.ts';
import { type NetworkFault, remoteStore, steppedStore, watchedStore } from './model-store.ts';
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
const FIRST_ROUTE = [ROUTES[0]] as const;
const seller = sellerAt();
/** All runs begin at one time, so that they are comparable. */
const START = Date.now();
const RESOURCE = `${ROUTES[0].path}?ticker=BTC`;

/** The buyer, the processes that may be asked, the chain, and everything that could happen next. */
export class World {
  readonly clock: FakeClock = fakeClock(START);
  readonly steps = new Steps(this.clock);
  readonly store: LedgerStore;
  /** The ledger as the operator sees it. */
  readonly ledger: Ledger;
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
    this.routes = scenario.hasCheap === true ? ROUTES : FIRST_ROUTE;
    const stored = scenario.breaks?.(createMemoryStore()) ?? createMemoryStore();
    this.store = watchedStore(stored, { steps: this.steps, wayOf: () => this.way });
    this.ledger = new Ledger({ store: this.store, clock: this.clock, owner: 'operator' });
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
    const store = this.#scenario.hosts === true ? remoteStore(actor, this) : steppedStore(actor, this);
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

  /** The buyer presents the next payment; what comes back is noted when it has arrived. */
  async present({ actor, paywall }: ModelProcess, cut: () => boolean): Promise<void> {
    const { way } = this;
    const presented = way.present(this.#presentations++);
    const { purchase, header, idempotencyKey, resource = RESOURCE, buysNothing } = presented;
    const { histories } = this.steps;
    histories.note(actor, 'asked', presented);
    const input = {
      method: 'GET',
      resource,
      paymentSignature: header,
      idempotencyKey,
      address: '127.0.0.1',
    };
    const route = this.routes.find(({ path }) => resource.startsWith(path)) ?? ROUTES[0];
    const reply = await paywall.pay(route, input, this.#work(actor));
    const isDone = buysNothing === true && reply.status === 200;
    const paidBefore = isDone || (await way.isPaid(purchase));
    const servedBefore = this.#served().has(purchase);
    histories.note(actor, 'answers', [paidBefore, servedBefore]);
    way.leaving?.(purchase, reply.status);
    await this.steps.wait(actor, 'send', () => {
      const complete = !cut();
      const got = gotOf(presented, reply, { complete, paidBefore, servedBefore });
      this.got.push(got);
      histories.note('buyer', 'got', got);
      histories.note(actor, 'sends', complete);
      reply.sent?.(complete);
    });
  }

  #work(actor: string): Work {
    const body = (): Buffer => Buffer.from(JSON.stringify({ product: ++this.#produced }));
    return {
      check: () => undefined,
      produce: () => {
        this.steps.histories.note(actor, 'produces', [this.#produced, this.#failures]);
        return this.#failures-- > 0
          ? { ok: false, error: { code: 'not_ready', detail: 'Not now: nothing was charged.' } }
          : ok({ status: 200, headers: {}, body: body() });
      },
    };
  }

  /** All that is shared, as far as it decides what happens next. */
  state(): readonly unknown[] {
    const { clock, steps, way, networks, noted, errors } = this;
    const { histories, dead, waiting } = steps;
    return [
      clock.now(),
      histories.of('store'),
      histories.of('buyer'),
      way.state(),
      [...networks],
      noted.size,
      errors.length,
      this.#presentations,
      this.#produced,
      this.#failures,
      [...this.#servedInTime],
      dead,
      waiting.map(({ actor, name }) => `${actor} ${name}`),
    ];
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
