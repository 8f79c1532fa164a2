import type { Facilitator, SettlementRequest } from '../../../src/pay/facilitator.ts';
import { FacilitatorList } from '../../../src/pay/facilitator-list.ts';
import type { LedgerStore } from '../../../src/pay/ledger-store.ts';
import type { Scheme } from '../../../src/pay/scheme.ts';
import { Channels } from '../../../src/pay/schemes/batch-settlement/channels.ts';
import { ChannelClaims } from '../../../src/pay/schemes/batch-settlement/claims.ts';
import { createChannelDigests } from '../../../src/pay/schemes/batch-settlement/digests.ts';
import { FacilitatorRequests } from '../../../src/pay/schemes/batch-settlement/facilitator-requests.ts';
import { Refunds } from '../../../src/pay/schemes/batch-settlement/refunds.ts';
import { createChannelScheme } from '../../../src/pay/schemes/batch-settlement/scheme.ts';
import { DAY_MS, HOUR_MS } from '../../../src/runtime/duration.ts';
import { type Behaviour, modelFacilitator } from '../model-facilitator.ts';
import type { Acting, Action, Presented, Scenario, Setting, Way } from '../model-way.ts';
import type { World } from '../model-world.ts';
import { sellerAt } from '../routes.ts';
import { encodeHeader } from '../wallet.ts';
import { configOf } from './buyer.ts';
import { ModelChannelChain, WITHDRAW_DELAY_SECONDS } from './model-chain.ts';
import { ChannelRules, type Sale } from './model-rules.ts';

/**
 * A sale that the buyer asks for: the first total and the one behind it, the first for another request or another price, one
 * that leaps, the first with a deposit, or with another one, and two that want money back: all that is left, and a part.
 */
export type Asked =
  | 'first'
  | 'second'
  | 'elsewhere'
  | 'cheap'
  | 'leap'
  | 'deposit'
  | 'other deposit'
  | 'all back'
  | 'part back';

/** Two sales by one channel. */
export interface ChannelScenario extends Pick<Scenario, 'name' | 'stallsAt' | 'hosts' | 'failures'> {
  /** The two processes are asked for these, and a third one for both again and then for the next total. */
  readonly asks: readonly [Asked, Asked];
  /** In the channel at first, in prices. */
  readonly funds?: number;
  /** A facilitator's ways with deposits, and with claims and refunds. */
  readonly deposits?: readonly Behaviour[];
  readonly claims?: readonly Behaviour[];
  /** At some time the buyer asks for its money back. */
  readonly leaves?: true;
  /** At some time its node does not answer, or shows the chain as it was; or its answers always take a while. */
  readonly node?: 'away' | 'behind' | 'one behind' | 'slow';
}

export const byChannel = (scenario: ChannelScenario): Scenario => ({
  ...scenario,
  hasCheap: true,
  open: (setting) => new ChannelWay(scenario, setting),
});

const TERMS = { receiverAuthorizer: `0x${'17'.repeat(20)}`, withdrawDelay: WITHDRAW_DELAY_SECONDS };
const PAYER = `0x${'11'.repeat(20)}`;
const SIGNATURE = `0x${'33'.repeat(64)}1b`;
const seller = sellerAt();
const digests = createChannelDigests(seller.network.chainId);
const config = configOf(PAYER, seller, TERMS);
const CHANNEL = digests.channelId(config);
/** Of a deposit; longer than any lease. */
const VALID_SECONDS = 600;
const ETH = 'ticker=ETH';

class ChannelWay implements Way {
  readonly rounds = 4;
  readonly asksInTheEnd = true;
  /** The same voucher may have its answer again: what counts is that it is charged once. */
  readonly mostAnswers = undefined;
  readonly #scenario: ChannelScenario;
  readonly #setting: Setting;
  readonly #chain: ModelChannelChain;
  readonly #rules: ChannelRules;
  readonly #deposits: Behaviour[];
  readonly #claims: Behaviour[];
  readonly #took = new Set<string>();
  readonly #validBefore: string;

  constructor(scenario: ChannelScenario, setting: Setting) {
    this.#scenario = scenario;
    this.#setting = setting;
    this.#deposits = [...(scenario.deposits ?? ['honest'])];
    this.#claims = [...(scenario.claims ?? ['honest'])];
    const { clock } = setting;
    this.#validBefore = String(Math.floor(clock.now() / 1_000) + VALID_SECONDS);
    const { funds: prices = scenario.deposits === undefined ? 100 : 0 } = scenario;
    const funds = BigInt(prices * Number(this.#price(0)));
    this.#chain = new ModelChannelChain(clock, funds, (total, signed) => this.#rules.claimed(total, signed));
    this.#rules = new ChannelRules({ ...setting, channelId: CHANNEL, chain: this.#chain });
  }

  #price(route: 0 | 1): bigint {
    const { routes, priceOf } = this.#setting;
    const found = routes[route];
    if (found === undefined) throw new Error('a route is missing');
    return priceOf(found);
  }

  get isWaiting(): boolean {
    return this.#chain.isWaiting;
  }

  mine(): void {
    this.#chain.mine();
  }

  isPaid(purchase: string): Promise<boolean> {
    return this.#rules.isPaid(purchase);
  }

  stored(): void {
    this.#rules.stored();
    // A server of databases answers once what it stored is on its disk.
    if (this.#scenario.hosts === true) this.#rules.flushed();
  }

  flushed(): void {
    this.#rules.flushed();
  }

  leaving(purchase: string, status: number): void {
    if (status === 200) this.#rules.leaving(purchase);
  }

  over(): void {
    this.#chain.finishWithdrawal();
  }

  scheme({ actor, owner, steps, clock }: Acting, store: LedgerStore): Scheme {
    const { accounts } = store;
    if (accounts === undefined) throw new Error('a store without accounts');
    const readChannel = async () => {
      const seenAt = clock.now();
      const amounts = await steps.wait(actor, 'look', () => this.#chain.seen(actor));
      if (this.#scenario.node === 'slow') await steps.wait(actor, 'look answered', () => {});
      return { ...amounts, seenAt };
    };
    const parts = {
      seller,
      terms: TERMS,
      facilitators: new FacilitatorList([this.#facilitator(actor)]),
      channels: new Channels(accounts, clock),
      readChannel,
      readChannels: (ids: readonly string[]) => Promise.all(ids.map(readChannel)),
      withdrawDelay: TERMS.withdrawDelay,
      // The transfer of what is claimed is no part of the model.
      readUnsettled: async () => [],
      digests,
      clock,
    };
    const policy = { amount: 1n, ageMs: HOUR_MS, idleMs: HOUR_MS, lastMs: DAY_MS };
    const sign = async () => ({ r: '0x01', s: '0x02', yParity: 0 }) as const;
    const requests = new FacilitatorRequests({ ...parts, signAs: () => sign });
    const patience = { tries: 1, pauseMs: 0 };
    const signatures = async () => 'match' as const;
    const refunds = new Refunds({ ...parts, requests, signatures, patience });
    return createChannelScheme({
      ...parts,
      routes: this.#setting.routes,
      patience,
      signatures,
      refunds,
      watch: new ChannelClaims({
        ...parts,
        payments: { get: async (key) => store.read(key) },
        requests,
        refunds,
        owner,
        policy,
      }),
    });
  }

  /** Deposits have their fortune, and claims and refunds theirs. */
  #facilitator(actor: string): Facilitator {
    const { steps } = this.#setting;
    const parts = { steps, actor, chain: this.#chain, took: this.#took };
    const deposits = modelFacilitator({ ...parts, name: 'f', behaviours: this.#deposits });
    const claims = modelFacilitator({ ...parts, name: 'f', behaviours: this.#claims });
    return {
      ...deposits,
      async settle(request: SettlementRequest) {
        const { type } = request.payload as { readonly type?: string };
        return type === 'deposit' ? deposits.settle(request) : claims.settle(request);
      },
    };
  }

  present(index: number): Presented {
    const { asks } = this.#scenario;
    const sale = index < 2 * asks.length ? this.#sale(asks[index % 2] ?? 'first') : this.#nextSale();
    this.#rules.presented(sale);
    const { purchase, resource } = sale;
    const header = headerOf(sale, this.#validBefore);
    return { purchase, header, resource, buysNothing: sale.gives !== undefined };
  }

  #sale(asked: Asked): Sale {
    if (asked === 'all back' || asked === 'part back') return this.#refund(asked);
    const price = asked === 'cheap' ? this.#price(1) : this.#price(0);
    const times = asked === 'second' ? 2n : asked === 'leap' ? 3n : 1n;
    const salt = asked === 'deposit' ? '1' : asked === 'other deposit' ? '2' : undefined;
    const deposit = salt === undefined ? undefined : { salt, amount: 5n * price };
    return this.#saleOf(asked, times * price, asked === 'elsewhere' ? ETH : 'ticker=BTC', deposit);
  }

  /** The next total, as the 402 tells it. */
  #nextSale(): Sale {
    return this.#saleOf('next', this.#rules.charged + this.#price(0), ETH, undefined);
  }

  /** A voucher that charges nothing. */
  #refund(asked: 'all back' | 'part back'): Sale {
    const total = this.#rules.charged;
    const gives = asked === 'all back' ? 'all' : this.#price(0);
    return {
      ...this.#saleOf(asked, total, 'ticker=BTC', undefined),
      purchase: `${asked} at ${total}`,
      gives,
    };
  }

  #saleOf(asked: Sale['asked'], total: bigint, query: string, deposit: Sale['deposit']): Sale {
    const path = this.#setting.routes[asked === 'cheap' ? 1 : 0]?.path ?? '';
    const resource = `${path}?${query}`;
    const nonce = `${CHANNEL}:${total}${deposit === undefined ? '' : `:${word(deposit.salt)}`}`;
    return { purchase: `${nonce} ${resource}`, asked, total, resource, deposit };
  }

  events(): readonly Action[] {
    const { leaves, node } = this.#scenario;
    const chain = this.#chain;
    return [
      ...(leaves === true ? [{ name: 'payer leaves', take: () => chain.requestWithdrawal() }] : []),
      ...(node === 'away' ? [{ name: 'the node goes away', take: () => chain.goAway() }] : []),
      ...(node === 'one behind'
        ? [{ name: 'the node of c falls behind', take: () => chain.fallBehind('c') }]
        : []),
      ...(node === 'behind' ? [{ name: 'the node falls behind', take: () => chain.fallBehind() }] : []),
    ];
  }

  state(): unknown {
    return [this.#chain.state(), this.#rules.state(), this.#deposits, this.#claims, [...this.#took]];
  }

  breaches(world: World): Promise<readonly string[]> {
    return this.#rules.breaches(world);
  }
}

const word = (text: string): string => `0x${text.padStart(64, '0')}`;

function headerOf({ total, deposit, gives }: Sale, validBefore: string): string {
  const voucher = { channelId: CHANNEL, maxClaimableAmount: total.toString(), signature: SIGNATURE };
  const withDeposit = deposit && {
    amount: deposit.amount.toString(),
    authorization: {
      erc3009Authorization: {
        validAfter: '0',
        validBefore,
        salt: word(deposit.salt),
        signature: SIGNATURE,
      },
    },
  };
  return encodeHeader({
    x402Version: 2,
    payload: {
      type: gives !== undefined ? 'refund' : deposit === undefined ? 'voucher' : 'deposit',
      ...(typeof gives === 'bigint' && { amount: gives.toString() }),
      channelConfig: config,
      voucher,
      deposit: withDeposit,
    },
    accepted: { scheme: 'batch-settlement', network: seller.network.id },
  });
}
