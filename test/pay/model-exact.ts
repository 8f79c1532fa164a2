import type { Facilitator } from '../../src/pay/facilitator.ts';
import { isAbandoned, type PaymentRecord } from '../../src/pay/record.ts';
import type { Scheme } from '../../src/pay/scheme.ts';
import type { ExactRequest } from '../../src/pay/schemes/exact/request.ts';
import { exactWith, TRUSTING } from './exact.ts';
import { ModelChain, modelProof } from './model-chain.ts';
import { type Behaviour, modelFacilitator } from './model-facilitator.ts';
import type { Acting, Action, Presented, Scenario, Setting, Way } from './model-way.ts';
import type { World } from './model-world.ts';

/** One purchase by an authorization. */
export interface ExactScenario extends Pick<Scenario, 'name' | 'stallsAt' | 'hosts' | 'breaks'> {
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
}

export const exactly = (scenario: ExactScenario): Scenario => ({
  ...scenario,
  open: (setting) => new ExactWay(scenario, setting),
});

/** Of the authorization; within what is accepted, and longer than any lease. */
const VALID_SECONDS = 600;

const nonceOf = (index: number): string => `0x${String(index + 1).padStart(64, '0')}`;

/** The only one where the buyer signs once. */
const FIRST_NONCE = nonceOf(0);

/** Headers by nonce: all runs begin at one time, and sell one route at one price. */
const headers = new Map<string, string>();

class ExactWay implements Way {
  readonly rounds = 2;
  readonly #scenario: ExactScenario;
  readonly #setting: Setting;
  readonly #chain: ModelChain;
  readonly #behaviours: Behaviour[][];
  readonly #took = new Set<string>();
  /** Of each authorization that was signed. */
  readonly #nonces: string[] = [];
  /** Times that money was asked for by a process whose payment it no longer was. */
  #lateAsks = 0;

  constructor(scenario: ExactScenario, setting: Setting) {
    this.#scenario = scenario;
    this.#setting = setting;
    this.#chain = new ModelChain(setting.clock, Math.floor(setting.clock.now() / 1000) + VALID_SECONDS);
    this.#behaviours = scenario.behaviours.map((list) => [...list]);
  }

  /** Without a payment identifier one whole answer. */
  get mostAnswers(): number | undefined {
    const { id, resigns } = this.#scenario;
    return id === true || resigns === true ? undefined : 1;
  }

  get isWaiting(): boolean {
    return this.#chain.isWaiting;
  }

  mine(): void {
    this.#chain.mine();
  }

  isPaid(): boolean {
    return this.#chain.isPaid;
  }

  scheme({ actor, owner, steps, clock }: Acting): Scheme {
    const { seller, routes } = this.#setting;
    const chain = this.#chain;
    const [first, ...others] = this.#behaviours.map((behaviours, i) =>
      modelFacilitator({ name: `f${i}`, steps, actor, chain, behaviours, took: this.#took }),
    );
    if (first === undefined) throw new Error('a scenario needs a facilitator');
    return exactWith(TRUSTING, {
      seller,
      routes,
      clock,
      facilitators: [this.#watched(first, owner), ...others],
      proof: this.#scenario.proof ? modelProof(steps, actor, chain) : undefined,
      patience: { tries: 1, pauseMs: 0, askAgainMs: [200] },
    });
  }

  #watched(facilitator: Facilitator, owner: string): Facilitator {
    const { ledger, clock, isOnHosts } = this.#setting;
    const settle = async (request: ExactRequest) => {
      const records = await ledger.list({ limit: 100 });
      const record = records.find(({ nonce }) => nonce === request.payload.authorization.nonce);
      const isOurs = record?.owner === owner && !isAbandoned(record, clock.now());
      if (isOnHosts && record?.state === 'settling' && !isOurs) this.#lateAsks++;
      return facilitator.settle(request);
    };
    return { ...facilitator, settle };
  }

  present(index: number): Presented {
    const { id, resigns } = this.#scenario;
    const nonce = resigns === true ? nonceOf(index) : FIRST_NONCE;
    if (!this.#nonces.includes(nonce)) this.#nonces.push(nonce);
    return {
      purchase: 'the only one',
      header: this.#header(nonce),
      idempotencyKey: id === true || resigns === true ? 'order-0123456789abcdef' : undefined,
    };
  }

  #header(nonce: string): string {
    const known = headers.get(nonce);
    if (known !== undefined) return known;
    const { seller, routes, priceOf } = this.#setting;
    const authorization = {
      from: `0x${'11'.repeat(20)}`,
      to: seller.payTo,
      value: routes.map(priceOf).join(),
      validAfter: '0',
      validBefore: String(this.#chain.validBefore),
      nonce,
    };
    const payload = { signature: `0x${'33'.repeat(64)}1b`, authorization };
    const wire = { x402Version: 1, scheme: 'exact', network: 'base', payload };
    const header = Buffer.from(JSON.stringify(wire)).toString('base64');
    headers.set(nonce, header);
    return header;
  }

  events(): readonly Action[] {
    const chain = this.#chain;
    if (this.#scenario.thirdParty === 'cancels')
      return [{ name: 'payer cancels', take: () => chain.cancel(FIRST_NONCE) }];
    if (this.#scenario.thirdParty !== 'submits' || this.#took.size === 0) return [];
    const take = (): void => {
      chain.submitNonce(FIRST_NONCE);
      chain.mine();
    };
    return [{ name: 'a stranger submits', take }];
  }

  state(): unknown {
    return [this.#chain.state(), this.#behaviours, [...this.#took], this.#nonces, this.#lateAsks];
  }

  async breaches(world: World): Promise<readonly string[]> {
    const records = await world.ledger.list({ limit: 100 });
    return [
      ...this.#paidTwice(),
      ...this.#paidUnserved(world, records),
      ...this.#leftOpen(records),
      ...(this.#lateAsks > 0 ? ['asked for money after its lease'] : []),
    ];
  }

  /** The facilitator that refuses and submits makes a true answer false later. */
  get misleads(): boolean {
    return this.#scenario.misreports === true;
  }

  /** Also where each presentation was signed anew: under one identifier one of them may move money. */
  #paidTwice(): readonly string[] {
    return [
      ...(this.#chain.transfers > 1 ? ['paid twice'] : []),
      ...(this.#took.size > 1 ? ['settled by two facilitators'] : []),
    ];
  }

  /** A buyer who comes back within ten minutes has his answer; else the ledger still says what is not known. */
  #paidUnserved(world: World, records: readonly PaymentRecord[]): readonly string[] {
    if (!this.#chain.isPaid || world.wasServedInTime('the only one')) return [];
    if (!this.#scenario.proof && records.some(({ state }) => state === 'unknown')) return [];
    return [`paid and unserved; in the ledger: ${records.map(({ state }) => state).join(', ')}`];
  }

  /** In the end the ledger agrees with the chain. */
  #leftOpen(records: readonly PaymentRecord[]): readonly string[] {
    return this.#nonces.flatMap((nonce) => {
      const record = records.find((known) => known.nonce === nonce);
      const state = record?.state ?? 'released';
      const closed = state === 'unknown' && record?.closedAt !== undefined;
      const use = this.#chain.useOf(nonce);
      const expected = use === 'paid' ? ['settled', 'delivered'] : ['refused', 'released'];
      const agrees = expected.includes(state) || (!this.#scenario.proof && closed);
      return agrees ? [] : [`the chain says ${use}, the ledger ${state} in the end`];
    });
  }
}
