import { createBatchSettlementEIP3009DepositPayload, signVoucher } from '@x402/evm/batch-settlement/client';
import { systemClock } from '../../src/domain/clock.ts';
import { ledgerOn } from '../../src/modules/shared-ledger/places.ts';
import { selectorOf, uintWord } from '../../src/pay/abi.ts';
import type { Ledger } from '../../src/pay/ledger.ts';
import { createMulticall } from '../../src/pay/multicall.ts';
import { openLedgerAt } from '../../src/pay/open-ledger.ts';
import { isPaid, type PaymentRecord } from '../../src/pay/record.ts';
import { channelCall } from '../../src/pay/schemes/batch-settlement/calls.ts';
import { createReadChannels } from '../../src/pay/schemes/batch-settlement/chain.ts';
import type { ChannelConfig } from '../../src/pay/schemes/batch-settlement/channel.ts';
import { Channels } from '../../src/pay/schemes/batch-settlement/channels.ts';
import { SETTLEMENT_CONTRACT } from '../../src/pay/schemes/batch-settlement/contract.ts';
import { configWords, createChannelDigests } from '../../src/pay/schemes/batch-settlement/digests.ts';
import { placeChannelContracts } from '../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import { type ChannelTerms, channelTerms } from '../../src/pay/schemes/batch-settlement/terms.ts';
import type { DepositPayload } from '../../src/pay/schemes/batch-settlement/wire.ts';
import { wait } from '../../src/runtime/timer.ts';
import { configOf, type WireConfig } from '../pay/channels/buyer.ts';
import { sellerAt } from '../pay/routes.ts';
import { encodeHeader, type Signer } from '../pay/wallet.ts';
import { BASE_URL } from './pay-run.ts';
import { type Answered, type Buying, type Headers, keyed, present, type Shop } from './presented-payment.ts';

/** The goods of the two vouchers of a total, one of which can be charged. */
const GOODS = [
  { target: '/v1/perp/basis?ticker=BTC', price: 5_000n },
  { target: '/v1/perp/open-interest?ticker=BTC', price: 1_000n },
] as const;
const FUNDS = 10n ** 9n;
const CHANNELS = 6;
const PATIENCE_MS = 120_000;
const AGAIN_MS = 500;

const WITHDRAW = selectorOf(
  'initiateWithdraw((address,address,address,address,address,uint40,bytes32),uint128)',
);

type VoucherSigner = Parameters<typeof signVoucher>[0];

export interface VouchersResult {
  readonly problems: readonly string[];
  /** Totals of channels, two vouchers each. */
  readonly presented: number;
  /** Totals that were charged and answered alike by both hosts. */
  readonly answered: number;
  /** Atomic units. */
  readonly charged: bigint;
  /** Paid out to the seller in the end, atomic units. */
  readonly earned: bigint;
}

interface Voucher {
  readonly headers: Headers;
  readonly target: string;
  readonly price: bigint;
  /** Answers that were sold for it. */
  readonly bodies: Set<string>;
  last: readonly Answered[];
}

interface Channel {
  readonly buyer: Signer;
  readonly config: ChannelConfig;
  readonly id: string;
  /** Prices of all that was sold. */
  paid: bigint;
  sales: number;
  /** The vouchers of the next total. */
  rivals: readonly Voucher[];
}

/** Channels that buy from several hosts: two vouchers of one total, each presented everywhere in the same moment. */
export class DoubledVouchers {
  readonly #terms: ChannelTerms;
  readonly #buying: Buying;
  readonly #channels: Channel[] = [];
  readonly #problems: string[] = [];
  #presented = 0;

  private constructor(buying: Buying, terms: ChannelTerms) {
    this.#buying = buying;
    this.#terms = terms;
  }

  /** Opens channels on the chain. */
  static async open(buying: Buying, terms: ChannelTerms): Promise<DoubledVouchers> {
    const made = new DoubledVouchers(buying, terms);
    await placeChannelContracts(buying.chain.rpc);
    for (const buyer of buying.buyers.slice(0, CHANNELS)) made.#channels.push(await made.#openChannel(buyer));
    return made;
  }

  /** Signs the next totals of so many channels, and begins to present them; what is returned says the statuses. */
  async begin(count: number, shops: readonly Shop[]): Promise<() => Promise<readonly number[]>> {
    await this.#close(shops);
    const channels = this.#channels.slice(0, count);
    for (const channel of channels) channel.rivals = await this.#sign(channel);
    this.#presented += channels.length;
    const asking = channels.flatMap(({ rivals }) =>
      rivals.flatMap((voucher) => shops.map((shop) => ask(shop, voucher))),
    );
    return async () => (await Promise.all(asking)).map(({ status }) => status);
  }

  /**
   * Buyers ask until each total is answered, and request their money back, so that the hosts claim all that is charged; then
   * ledger and chain must say what they say.
   */
  async end(ledgerUrl: string, shops: readonly Shop[]): Promise<VouchersResult> {
    await this.#close(shops);
    await this.#leave();
    const ledger = await openLedgerAt({ ledgerPath: '', place: ledgerOn(ledgerUrl) });
    try {
      for (const channel of this.#channels) await this.#compare(channel, ledger);
    } finally {
      await ledger.close();
    }
    const sum = (of: (channel: Channel) => bigint): bigint =>
      this.#channels.reduce((total, channel) => total + of(channel), 0n);
    return {
      problems: this.#problems,
      presented: this.#presented,
      answered: Number(sum(({ sales }) => BigInt(sales))),
      charged: sum(({ paid }) => paid),
      earned: await this.#buying.chain.balanceOf(this.#buying.chain.payee.address),
    };
  }

  /** Requests all money back, and waits until what was charged is claimed and paid out. */
  async #leave(): Promise<void> {
    const { chain } = this.#buying;
    for (const { buyer, config } of this.#channels) {
      await chain.rpc('anvil_setBalance', [buyer.address, '0xde0b6b3a7640000']);
      await chain.rpc('anvil_impersonateAccount', [buyer.address]);
      const data = WITHDRAW + configWords(config).join('') + uintWord(FUNDS / 2n);
      const transaction = { from: buyer.address, to: SETTLEMENT_CONTRACT, data, gas: '0x7a120' };
      await chain.rpc('eth_sendTransaction', [transaction]);
    }
    const paid = this.#channels.reduce((sum, channel) => sum + channel.paid, 0n);
    const until = performance.now() + PATIENCE_MS;
    while ((await chain.balanceOf(chain.payee.address)) < paid && performance.now() < until)
      await wait(AGAIN_MS);
    const readChannels = createReadChannels(createMulticall(chain.rpc), systemClock);
    const views = await readChannels(this.#channels.map(({ id }) => id));
    for (const [i, { id, paid: own }] of this.#channels.entries()) {
      const claimed = views[i]?.claimed;
      if (claimed !== own.toString()) this.#problems.push(`${id}: bought for ${own}, ${claimed} claimed`);
    }
    const earned = await chain.balanceOf(chain.payee.address);
    if (earned !== paid) this.#problems.push(`bought for ${paid}, ${earned} paid out`);
  }

  async #openChannel(buyer: Signer): Promise<Channel> {
    const { chain } = this.#buying;
    const seller = sellerAt(BASE_URL, chain.payee.address);
    const config = configOf(buyer.address, seller, this.#terms);
    const requirement = channelTerms(seller, this.#terms, 0n);
    const { payload } = await createBatchSettlementEIP3009DepositPayload(
      buyer as VoucherSigner,
      2,
      { ...requirement, extra: { ...requirement.extra } },
      config as WireConfig,
      FUNDS.toString(),
      '1',
    );
    await chain.send(SETTLEMENT_CONTRACT, channelCall(payload as unknown as DepositPayload));
    const id = createChannelDigests(chain.chainId).channelId(config);
    return { buyer, config, id, paid: 0n, sales: 0, rivals: [] };
  }

  /** Vouchers of the next total, for goods of different prices. */
  #sign({ buyer, config, id, paid }: Channel): Promise<readonly Voucher[]> {
    const { network } = sellerAt(BASE_URL);
    const made = GOODS.map(async ({ target, price }): Promise<Voucher> => {
      const total = (paid + price).toString();
      const voucher = await signVoucher(buyer as VoucherSigner, id as `0x${string}`, total, network.id);
      const payload = { type: 'voucher', channelConfig: config, voucher };
      const accepted = { scheme: 'batch-settlement', network: network.id };
      const headers = {
        'PAYMENT-SIGNATURE': encodeHeader({ x402Version: 2, payload, accepted }),
        'x-test-address': id.slice(0, 20),
      };
      return {
        headers: keyed(headers, `order-${id.slice(2, 20)}-${total}`),
        target,
        price,
        bodies: new Set(),
        last: [],
      };
    });
    return Promise.all(made);
  }

  /** Buyers ask again until one voucher of each total is answered by all shops. */
  async #close(shops: readonly Shop[]): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    for (const channel of this.#channels) {
      while (channel.rivals.length > 0 && !this.#note(channel)) {
        if (performance.now() > until) {
          const said = channel.rivals.map(({ last }) =>
            last.map(({ status, reason }) => `${status} ${reason}`),
          );
          throw new Error(`${channel.id}: neither voucher is answered: ${said.join(' and ')}`);
        }
        for (const voucher of channel.rivals)
          voucher.last = await Promise.all(shops.map((shop) => ask(shop, voucher)));
        if (!channel.rivals.some(isAnswered)) await wait(AGAIN_MS);
      }
    }
  }

  /** Notes the sale of a total; false while there is none. */
  #note(channel: Channel): boolean {
    const { id, rivals } = channel;
    const sold = rivals.find(isAnswered);
    if (sold === undefined) return false;
    const given = rivals.reduce((sum, { bodies }) => sum + bodies.size, 0);
    if (given !== 1) this.#problems.push(`${id}: ${given} answers for one total`);
    channel.paid += sold.price;
    channel.sales++;
    channel.rivals = [];
    return true;
  }

  async #compare({ id, paid, sales }: Channel, ledger: Ledger): Promise<void> {
    if (ledger.accounts === undefined) throw new Error('a ledger without accounts');
    const channel = (await new Channels(ledger.accounts, systemClock).read(id))?.channel;
    const records = (await ledger.list({ limit: Number.MAX_SAFE_INTEGER })).filter(
      ({ nonce, ...record }) => nonce.startsWith(id) && isPaid({ nonce, ...record } as PaymentRecord),
    );
    const booked = records.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    const said = {
      charged: channel?.charged ?? '0',
      newest: channel?.newest?.total ?? '0',
      booked,
      sales: records.length,
    };
    const isSame =
      BigInt(said.charged) === paid &&
      BigInt(said.newest) === paid &&
      booked === paid &&
      records.length === sales;
    if (!isSame)
      this.#problems.push(
        `${id}: bought ${sales} for ${paid}; charged ${said.charged}, signed ${said.newest}, ${said.sales} sales of ${said.booked} in the ledger`,
      );
    if (channel?.open !== undefined) this.#problems.push(`${id}: a sale is still open`);
  }
}

const ask = (shop: Shop, { headers, bodies, target }: Voucher): Promise<Answered> =>
  present(shop, headers, bodies, target);

const isAnswered = ({ last }: Voucher): boolean =>
  last.length > 0 && last.every(({ status }) => status === 200);
