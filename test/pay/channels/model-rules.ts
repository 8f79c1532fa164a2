import type { PaymentRecord } from '../../../src/pay/record.ts';
import { isPaid } from '../../../src/pay/record.ts';
import type { Channel } from '../../../src/pay/schemes/batch-settlement/lifecycle.ts';
import type { Setting } from '../model-way.ts';
import type { World } from '../model-world.ts';
import type { ModelChannelChain } from './model-chain.ts';
import type { Asked } from './model-channel.ts';

/** A sale as it is presented. */
export interface Sale {
  /** Nonce and request. */
  readonly purchase: string;
  readonly asked: Asked | 'next';
  readonly total: bigint;
  readonly resource: string;
  readonly deposit?: { readonly salt: string; readonly amount: bigint } | undefined;
  /** It buys nothing: its buyer wants this much back, or all that is left. */
  readonly gives?: bigint | 'all' | undefined;
}

type Parts = Pick<Setting, 'store' | 'ledger' | 'noteBreach'> & {
  readonly channelId: string;
  readonly chain: ModelChannelChain;
};

/** Rules about the money of a channel: most of them are held after each change of ledger and chain. */
export class ChannelRules {
  readonly #parts: Parts;
  readonly #sales = new Map<string, Sale>();
  /** Charged when the ledger was last changed, and when it was last flushed. */
  #charged = 0n;
  #durable = 0n;
  /** The purchase that was asked for last, if nothing stands against it. */
  #lastPayable: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  state(): unknown {
    const charged = [this.#charged, this.#durable].map(String);
    return [[...this.#sales.keys()], charged, this.#lastPayable];
  }

  presented(sale: Sale): void {
    const { chain } = this.#parts;
    this.#sales.set(sale.purchase, sale);
    const isPayable = sale.asked === 'next' && chain.withdrawAt === 0 && sale.total <= chain.balance;
    this.#lastPayable = isPayable ? sale.purchase : undefined;
  }

  get charged(): bigint {
    const { chain } = this.#parts;
    return BigInt(this.#channel()?.charged ?? chain.claimed);
  }

  /** The channel as it is stored. The store of a model answers at once. */
  #channel(): Channel | undefined {
    const { store, channelId } = this.#parts;
    const account = store.accounts?.read(channelId);
    if (account instanceof Promise) throw new Error('the store of a model answers at once');
    return account && (JSON.parse(account.row) as Channel);
  }

  #records(): readonly PaymentRecord[] {
    const records = this.#parts.store.list({ limit: 100 });
    if (records instanceof Promise) throw new Error('the store of a model answers at once');
    return records;
  }

  async isPaid(purchase: string): Promise<boolean> {
    return this.#records().some((record) => purchaseOf(record) === purchase && isPaid(record));
  }

  /** The ledger has changed: charged is what was sold, no more than was signed, and no more than the channel holds. */
  stored(): void {
    const channel = this.#channel();
    if (channel === undefined) return;
    const { noteBreach, chain } = this.#parts;
    const charged = BigInt(channel.charged);
    const sold = this.#records()
      .filter(isPaid)
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    const signed = [...this.#sales.values()].map(({ total }) => total);
    const newest = BigInt(channel.newest?.total ?? 0);
    if (charged < this.#charged) noteBreach(`charged ${charged} after ${this.#charged}`);
    if (charged !== sold) noteBreach(`charged ${charged}, sold ${sold}`);
    if (newest < charged) noteBreach(`charged ${charged} by a voucher of ${newest}`);
    if (newest > 0n && !signed.includes(newest)) noteBreach(`nobody signed ${newest}`);
    if (charged > chain.balance) noteBreach(`charged ${charged} of ${chain.balance}`);
    this.#charged = charged;
  }

  flushed(): void {
    this.#durable = this.charged;
  }

  /** A paid answer is about to leave. */
  leaving(purchase: string): void {
    const { total = 0n, gives } = this.#sales.get(purchase) ?? {};
    if (gives === undefined && this.#durable < total)
      this.#parts.noteBreach(`an answer left before ${total} was durable`);
  }

  /** A claim is made on the chain. */
  claimed(total: bigint, signed: bigint): void {
    const { noteBreach } = this.#parts;
    if (total > this.charged) noteBreach(`claimed ${total}, charged ${this.charged}`);
    if (total > signed) noteBreach(`claimed ${total}, signed ${signed}`);
  }

  /** At the end everything has come to rest, and is claimed. */
  async breaches(world: World): Promise<readonly string[]> {
    const channel = this.#channel();
    const { chain } = this.#parts;
    const good = world.got.filter(({ status, complete }) => status === 200 && complete);
    const served = new Set(good.map(({ purchase }) => purchase));
    const paid = this.#records().filter(isPaid).map(purchaseOf);
    const isStuck = this.#lastPayable !== undefined && !served.has(this.#lastPayable);
    const owed = this.charged - chain.claimed;
    return [
      ...paid.filter((purchase) => !served.has(purchase)).map((purchase) => `paid and unserved: ${purchase}`),
      ...(channel?.open === undefined ? [] : ['a sale is open for ever']),
      ...(isStuck ? ['the next total is not sold'] : []),
      ...(owed > 0n ? [`${owed} were never claimed`] : []),
    ];
  }
}

const purchaseOf = ({ nonce, resource }: PaymentRecord): string => `${nonce} ${resource}`;
