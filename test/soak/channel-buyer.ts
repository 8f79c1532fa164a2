import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import type { PrivateKeyAccount } from 'viem/accounts';
import { isWire, readText, wireArray } from '../../src/domain/read.ts';
import { selectorOf, uintWord } from '../../src/pay/abi.ts';
import { quantityText } from '../../src/pay/rpc.ts';
import type { SandboxChain } from '../../src/pay/sandbox/chain.ts';
import type { ChannelConfig } from '../../src/pay/schemes/batch-settlement/channel.ts';
import { SETTLEMENT_CONTRACT } from '../../src/pay/schemes/batch-settlement/contract.ts';
import { configWords, createChannelDigests } from '../../src/pay/schemes/batch-settlement/digests.ts';
import { type ChannelTerms, channelTerms } from '../../src/pay/schemes/batch-settlement/terms.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { configOf, depositPayload, voucherPayload } from '../pay/channels/buyer.ts';
import { encodeHeader, type Signer } from '../pay/wallet.ts';
import type { Random } from './random.ts';

const ROUTES = [
  { target: '/v1/perp/basis?ticker=BTC', price: 5_000n },
  { target: '/v1/perp/open-interest?ticker=BTC', price: 1_000n },
] as const;
/** A deposit pays for some hundreds of calls. */
const DEPOSIT = 1_000_000n;
/** The pause before a deposit whose outcome is not known is presented again. */
const AGAIN_MS = 200;
const PATIENCE_MS = 10_000;
/** No answer, or one that asks to come again. */
const NO_OUTCOME: ReadonlySet<number> = new Set([0, 409, 503]);
const TUPLE = '(address,address,address,address,address,uint40,bytes32)';
/** Any amount makes a seller claim, and the contract refuses more than there is. */
const WITHDRAWN = 1n;

/** One channel with all that its buyer signed for it and got by it. */
export interface BoughtChannel {
  readonly config: ChannelConfig;
  readonly id: string;
  /** The greatest total that was signed. */
  signed: bigint;
  /** The sum that the seller says is charged. */
  charged: bigint;
  isOpen: boolean;
  /** Answers by the total of their voucher and their target. */
  readonly got: Map<string, Set<string>>;
  /** Totals and targets of presentations that ended without an outcome, as where the service was killed. */
  readonly open: Set<string>;
}

interface Said {
  readonly status: number;
  readonly text: string;
  readonly charged: bigint | undefined;
  readonly code: string;
}

export interface ChannelBuyerParts {
  readonly random: Random;
  readonly account: Signer;
  readonly seller: Seller;
  readonly terms: ChannelTerms;
  readonly chain: SandboxChain;
  /** The service at present. */
  readonly url: () => string;
}

/** A buyer that pays by channel, most of the time as it should. */
export class ChannelBuyer {
  readonly channels: BoughtChannel[] = [];
  readonly statuses = new Map<string, number>();
  readonly #parts: ChannelBuyerParts;
  /** Headers that were sent before, with their targets. */
  readonly #sent: { readonly header: string; readonly of: BoughtChannel; readonly total: bigint }[] = [];

  #pending: { readonly total: bigint; readonly header: string } | undefined;

  constructor(parts: ChannelBuyerParts) {
    this.#parts = parts;
  }

  /** One presentation, or several at once; how many vouchers were sent. */
  async turn(): Promise<number> {
    const { random } = this.#parts;
    const channel = this.#current();
    if (!channel.isOpen) return this.#fill(channel);
    const point = random.between(1, 100);
    const route = random.pick(ROUTES);
    const next = channel.charged + route.price;
    if (point <= 60) return this.#ask(channel, next, { route });
    if (point <= 75) return this.#race(channel, next, route);
    if (point <= 80) return this.#ask(channel, next + BigInt(random.between(1, 90_000)), { route });
    if (point <= 86) return this.#ask(channel, channel.charged > 1n ? channel.charged / 2n : 1n, { route });
    if (point <= 92) return this.#again();
    if (point <= 95) return this.#ask(channel, next, { route, isForged: true });
    if (point <= 96) return this.#ask(channel, next, { route, deposit: true });
    if (point <= 98) return this.#ask(channel, next, { route });
    return random.chance(0.5) ? this.#leave(channel) : this.#refund(channel);
  }

  /** Brings money; a deposit whose outcome is not known is presented again as it is. */
  async #fill(channel: BoughtChannel): Promise<number> {
    const total = channel.charged + ROUTES[0].price;
    const pending = this.#pending ?? {
      total,
      header: await this.#payload(channel, total, { deposit: true }),
    };
    this.#pending = pending;
    const { status } = await this.#present(channel, pending.total, pending.header, ROUTES[0]);
    if (status === 200 || status === 402) {
      this.#pending = undefined;
      return 1;
    }
    await wait(AGAIN_MS);
    return 0;
  }

  #current(): BoughtChannel {
    const last = this.channels.at(-1);
    if (last !== undefined) return last;
    return this.#open();
  }

  #open(): BoughtChannel {
    const { account, seller, terms, chain } = this.#parts;
    const salt = (this.channels.length + 1).toString(16);
    const config = configOf(account.address, seller, terms, salt);
    const id = createChannelDigests(chain.chainId).channelId(config);
    const opened = {
      config,
      id,
      signed: 0n,
      charged: 0n,
      isOpen: false,
      got: new Map(),
      open: new Set<string>(),
    };
    this.channels.push(opened);
    this.#pending = undefined;
    return opened;
  }

  async #payload(channel: BoughtChannel, total: bigint, { deposit, isForged }: Way): Promise<string> {
    const { account, seller, terms } = this.#parts;
    const signer = account as PrivateKeyAccount;
    const { config, id } = channel;
    const network = seller.network.id;
    if (total > channel.signed && isForged !== true) channel.signed = total;
    const payload =
      deposit === true
        ? await depositPayload(signer, config, channelTerms(seller, terms, total), {
            deposit: DEPOSIT,
            total,
          })
        : await voucherPayload(signer, config, id, isForged === true ? total + 1n : total, network);
    const wire = isForged === true ? withTotal(payload, total) : payload;
    return this.#header(wire);
  }

  #header(payload: object): string {
    const { network } = this.#parts.seller;
    return encodeHeader({
      x402Version: 2,
      payload,
      accepted: { scheme: 'batch-settlement', network: network.id },
    });
  }

  async #ask(channel: BoughtChannel, total: bigint, way: Way): Promise<number> {
    const header = await this.#payload(channel, total, way);
    if (way.isForged !== true) this.#sent.push({ header, of: channel, total });
    await this.#present(channel, total, header, way.route ?? ROUTES[0]);
    return 1;
  }

  /** The same total at once several times, and for the other price as well. */
  async #race(channel: BoughtChannel, total: bigint, route: Route): Promise<number> {
    const header = await this.#payload(channel, total, {});
    const other = ROUTES.find(({ price }) => price !== route.price) ?? route;
    const rival = channel.charged + other.price;
    const rivals = await this.#payload(channel, rival, {});
    this.#sent.push({ header, of: channel, total });
    await Promise.all([
      this.#present(channel, total, header, route),
      this.#present(channel, total, header, route),
      this.#present(channel, total, header, other),
      this.#present(channel, rival, rivals, other),
    ]);
    return 4;
  }

  /** Something of before, for any request. */
  async #again(): Promise<number> {
    const { random } = this.#parts;
    const old = this.#sent[random.between(0, this.#sent.length - 1)];
    if (old === undefined) return 0;
    await this.#present(old.of, old.total, old.header, random.pick(ROUTES));
    return 1;
  }

  async #refund(channel: BoughtChannel): Promise<number> {
    const { account, seller } = this.#parts;
    if (channel.charged === 0n) return 0;
    const voucher = await voucherPayload(
      account as PrivateKeyAccount,
      channel.config,
      channel.id,
      channel.charged,
      seller.network.id,
    );
    const payload = { ...voucher, type: 'refund', amount: '1000' };
    await this.#send(this.#header(payload), ROUTES[0].target);
    return 1;
  }

  /** Asks the contract for money, and goes on with another channel. */
  async #leave(channel: BoughtChannel): Promise<number> {
    await requestWithdrawal(this.#parts.chain, this.#parts.account.address, channel);
    this.#open();
    return 0;
  }

  async #present(channel: BoughtChannel, total: bigint, header: string, route: Route): Promise<Said> {
    const said = await this.#send(header, route.target);
    const key = `${total} ${route.target}`;
    if (NO_OUTCOME.has(said.status)) channel.open.add(key);
    if (said.status === 200) {
      const got = channel.got.get(key) ?? new Set();
      got.add(said.text);
      channel.got.set(key, got);
      channel.isOpen = true;
      if (total > channel.charged) channel.charged = total;
    } else if (said.charged !== undefined) {
      channel.charged = said.charged;
      channel.isOpen = true;
    } else if (said.code === 'insufficient_funds') channel.isOpen = false;
    else if (NO_OUTCOME.has(said.status)) await wait(30);
    else if (said.code === 'channel_leaving' && channel === this.channels.at(-1)) this.#open();
    return said;
  }

  async #send(header: string, target: string): Promise<Said> {
    const said = await answerTo(this.#parts.url() + target, header, String(this.#parts.random.next()));
    const name =
      said.status === 200 || said.status === 0 ? String(said.status) : `${said.status} ${said.code}`;
    this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
    return said;
  }
}

type Route = (typeof ROUTES)[number];

interface Way {
  readonly deposit?: boolean;
  readonly isForged?: boolean;
  readonly route?: Route;
}

function withTotal(payload: Record<string, unknown>, total: bigint): object {
  const voucher = isWire(payload.voucher) ? payload.voucher : {};
  return { ...payload, voucher: { ...voucher, maxClaimableAmount: total.toString() } };
}

async function answerTo(url: string, header: string, address: string): Promise<Said> {
  try {
    const headers = { 'payment-signature': header, 'x-test-address': address };
    const answer = await request(url, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    const text = await answer.body.text();
    const body: unknown = answer.statusCode === 200 ? {} : JSON.parse(text);
    const code = (isWire(body) && readText(body.code)) || '';
    return { status: answer.statusCode, text, charged: chargedIn(answer.headers['payment-required']), code };
  } catch {
    return { status: 0, text: '', charged: undefined, code: '' };
  }
}

/** The sum that a corrective 402 tells. */
function chargedIn(header: unknown): bigint | undefined {
  if (typeof header !== 'string') return undefined;
  const required: unknown = JSON.parse(Buffer.from(header, 'base64').toString());
  for (const entry of (isWire(required) && wireArray(required.accepts)) || []) {
    const extra = isWire(entry) && isWire(entry.extra) ? entry.extra : {};
    const state = isWire(extra.channelState) ? extra.channelState : {};
    const charged = readText(state.chargedCumulativeAmount);
    if (charged !== undefined) return BigInt(charged);
  }
  return undefined;
}

/** Sends the payer's request for its money. */
export async function requestWithdrawal(
  { rpc }: SandboxChain,
  from: string,
  { config }: BoughtChannel,
): Promise<void> {
  await rpc('anvil_setBalance', [from, quantityText(10n ** 18n)]);
  await rpc('anvil_impersonateAccount', [from]);
  const words = [...configWords(config), uintWord(WITHDRAWN)].join('');
  const data = selectorOf(`initiateWithdraw(${TUPLE},uint128)`) + words;
  await rpc('eth_sendTransaction', [{ from, to: SETTLEMENT_CONTRACT, data, gas: '0x7a120' }]);
}
