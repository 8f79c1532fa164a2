import { ok } from '../../src/domain/errors.ts';
import { asMs } from '../../src/domain/units.ts';
import type { Facilitator } from '../../src/pay/facilitator.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import { createPaywall, type RunningPaywall } from '../../src/pay/paywall.ts';
import { isAbandoned } from '../../src/pay/record.ts';
import type { ExactRequest } from '../../src/pay/schemes/exact/request.ts';
import type { PaywallReply } from '../../src/pay/types.ts';
import { StoreUnreachable } from '../../src/storage/remote-state.ts';
import { exactWith, TRUSTING } from './exact.ts';
import { type FakeClock, fakeClock } from './fakes.ts';
import { createMemoryStore } from './ledger-memory.ts';
import { type Behaviour, ModelChain, modelFacilitator, modelProof } from './model-chain.ts';
import { Steps } from './model-steps.ts';
import { problemReply } from './paid-server.ts';
import { paidRoutes, routeOf, sellerAt, shippedPrices } from './routes.ts';

export interface Scenario {
  readonly name: string;
  /** Of the first facilitator, and of the second where there is one. */
  readonly behaviours: readonly (readonly Behaviour[])[];
  /** True if the chain can be asked. */
  readonly proof: boolean;
  /** The buyer sends a payment identifier. */
  readonly id?: boolean;
  /** He signs anew each time, as common clients do; with a payment identifier. */
  readonly resigns?: true;
  /** The payer cancels, or a stranger submits, at some time. */
  readonly thirdParty?: 'cancels' | 'submits';
  /** The facilitator refuses and submits all the same: the buyer's answer was true only then. */
  readonly misreports?: boolean;
  /** The first process hangs before this step for longer than its lease. */
  readonly stallsAt?: string;
  /** Processes on hosts of their own: the ledger is asked over networks that fail. */
  readonly hosts?: true;
}

/** The buyer's answer, and the chain's state at that time. */
export interface Got {
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
const route = { ...routeOf(paidRoutes(), 'perp-basis'), queryParams: {}, example: {} };
const seller = sellerAt();
const RESOURCE = '/v1/perp/basis?ticker=BTC';
/** Of the authorization; within what is accepted, and longer than any lease. */
const VALID_SECONDS = 600;

const nonceOf = (index: number): string => `0x${String(index + 1).padStart(64, '0')}`;

/** The only one where the buyer signs once. */
export const FIRST_NONCE = nonceOf(0);

/** One payment, the processes that may be asked for it, the chain, and everything that could happen next. */
export class World {
  readonly steps = new Steps();
  readonly clock: FakeClock = fakeClock();
  readonly chain = new ModelChain(this.clock, Math.floor(this.clock.now() / 1000) + VALID_SECONDS);
  readonly got: Got[] = [];
  readonly took = new Set<string>();
  readonly errors: unknown[] = [];
  /** Faults of the network of each process. */
  readonly networks = new Map<string, NetworkFault>();
  /** Times that money was asked for by a process whose payment it no longer was. */
  lateAsks = 0;
  readonly #scenario: Scenario;
  readonly #store: LedgerStore = createMemoryStore();
  readonly #behaviours: Behaviour[][];
  /** Of each authorization that was signed. */
  readonly nonces: string[] = [];
  /** A whole answer had arrived when the buyer gave up asking. */
  servedInTime = false;
  #produced = 0;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#behaviours = scenario.behaviours.map((list) => [...list]);
  }

  /** The ledger as the operator sees it. */
  readonly ledger = new Ledger({ store: this.#store, clock: this.clock, owner: 'operator' });

  /** A process of the service. */
  process(actor: string): ModelProcess {
    const { steps, clock, chain } = this;
    const owner = `elsewhere/${actor}`;
    const store =
      this.#scenario.hosts === true ? this.#remoteStore(actor) : steppedStore(this.#store, steps, actor);
    const ledger = new Ledger({ store, clock, owner });
    const [first, ...others] = this.#behaviours.map((behaviours, i) =>
      modelFacilitator({ name: `f${i}`, steps, actor, chain, behaviours, took: this.took }),
    );
    if (first === undefined) throw new Error('a scenario needs a facilitator');
    const exact = exactWith(TRUSTING, {
      seller,
      routes: [route],
      clock,
      facilitators: [this.#watched(first, owner), ...others],
      proof: this.#scenario.proof ? modelProof(steps, actor, chain) : undefined,
      patience: { tries: 1, pauseMs: 0, askAgainMs: [200] },
    });
    const made = createPaywall({
      seller,
      prices,
      routes: [route],
      ledger,
      schemes: [exact],
      writeAgainMs: 800,
      clock,
      renderProblem: problemReply,
      onError: (cause) => this.noteError(cause),
    });
    if (!made.ok) throw new Error(made.errors.join('\n'));
    return { actor, paywall: made.value };
  }

  /** A network that fails is no error of the process behind it. */
  noteError(cause: unknown): void {
    const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
    this.errors.push(...causes.filter((cause) => !(cause instanceof StoreUnreachable)));
  }

  #watched(facilitator: Facilitator, owner: string): Facilitator {
    const settle = async (request: ExactRequest) => {
      const records = await this.ledger.list({ limit: 100 });
      const record = records.find(({ nonce }) => nonce === request.payload.authorization.nonce);
      const isOurs = record?.owner === owner && !isAbandoned(record, this.clock.now());
      if (this.#scenario.hosts === true && record?.state === 'settling' && !isOurs) this.lateAsks++;
      return facilitator.settle(request);
    };
    return { ...facilitator, settle };
  }

  /** Asking and its answer are two steps, and between them the network may fail. */
  #remoteStore(actor: string): LedgerStore {
    const store = this.#store;
    const { steps, networks } = this;
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
    return {
      ...store,
      read: (key) => call('read', false, () => store.read(key)),
      readPurchase: (hash) => call('read purchase', false, () => store.readPurchase(hash)),
      readAnswer: (record) => call('read answer', false, () => store.readAnswer(record)),
      insert: (record, answer, options) => call('insert', true, () => store.insert(record, answer, options)),
      replace: (before, next, stored) => call('replace', true, () => store.replace(before, next, stored)),
      arrive: (record, at) => call('arrive', true, () => store.arrive(record, at)),
      remove: (record, account) => call('remove', true, () => store.remove(record, account)),
    };
  }

  /** The buyer presents the payment; what comes back is noted when it has arrived. */
  async present({ actor, paywall }: ModelProcess, cut: () => boolean): Promise<void> {
    const { id, resigns } = this.#scenario;
    const nonce = resigns === true ? nonceOf(this.nonces.length) : FIRST_NONCE;
    if (!this.nonces.includes(nonce)) this.nonces.push(nonce);
    const input = {
      method: 'GET',
      resource: RESOURCE,
      paymentSignature: headerUntil(this.chain.validBefore, nonce),
      idempotencyKey: id === true || resigns === true ? 'order-0123456789abcdef' : undefined,
      address: '127.0.0.1',
    };
    const body = (): Buffer => Buffer.from(JSON.stringify({ product: ++this.#produced }));
    const reply = await paywall.pay(route, input, {
      check: () => undefined,
      produce: () => ok({ status: 200, headers: {}, body: body() }),
    });
    const paidBefore = this.chain.isPaid;
    const servedBefore = this.served > 0;
    await this.steps.wait(actor, 'send', () => {
      const complete = !cut();
      this.got.push(gotOf(reply, complete, paidBefore, servedBefore));
      reply.sent?.(complete);
    });
  }

  /** The process is killed: its requests end without an answer. */
  kill(actor: string): void {
    this.steps.kill(actor);
  }

  /** Paid answers that arrived as a whole. */
  get served(): number {
    return this.got.filter(({ status, complete }) => status === 200 && complete).length;
  }

  markServed(): void {
    this.servedInTime = this.served > 0;
  }

  get answerBytes(): number {
    return this.#store.answerBytes();
  }
}

/** `cut`: nothing passes; `deaf`: no answer comes back; `lost once`: the next answer does not. */
export type NetworkFault = 'cut' | 'deaf' | 'lost once';

export interface ModelProcess {
  readonly actor: string;
  readonly paywall: RunningPaywall;
}

function gotOf(reply: PaywallReply, complete: boolean, paidBefore: boolean, servedBefore: boolean): Got {
  return { status: reply.status, text: reply.body.toString('utf8'), complete, paidBefore, servedBefore };
}

/** Reading is at once, as it is from a mapped file; writing takes a step. */
function steppedStore(store: LedgerStore, steps: Steps, actor: string): LedgerStore {
  return {
    ...store,
    insert: (record, answer, options) =>
      steps.wait(actor, 'insert', () => store.insert(record, answer, options)),
    replace: (before, next, stored) =>
      steps.wait(actor, `replace by ${next.state}`, () => store.replace(before, next, stored)),
    arrive: (record, at) => steps.wait(actor, 'arrive', () => store.arrive(record, at)),
    remove: (record, account) => steps.wait(actor, 'remove', () => store.remove(record, account)),
  };
}

function headerUntil(validBefore: number, nonce: string): string {
  const { payTo } = seller;
  const authorization = {
    from: `0x${'11'.repeat(20)}`,
    to: payTo,
    value: prices.priceAt(route.id, asMs(Date.now()))?.atomic.toString() ?? '',
    validAfter: '0',
    validBefore: String(validBefore),
    nonce,
  };
  const payload = { signature: `0x${'33'.repeat(64)}1b`, authorization };
  const wire = { x402Version: 1, scheme: 'exact', network: 'base', payload };
  return Buffer.from(JSON.stringify(wire)).toString('base64');
}
