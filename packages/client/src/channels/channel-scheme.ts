import { chainIdOf, type Requirement } from '../challenge.ts';
import { randomHex, type Signer, validBeforeOf } from '../payment.ts';
import { notSigned, problemOf } from '../problems.ts';
import type { Charged, Problem, Receipt } from '../result.ts';
import type { Order, RefusedReply, Scheme, Signed } from '../scheme.ts';
import type { Spending } from '../spending.ts';
import type { PaymentRecord } from '../store.ts';
import { atomicOf, least, most } from '../usd.ts';
import { type Allowed, payablesOf } from '../wallet-options.ts';
import type { ChannelBook } from './book.ts';
import { readChannel } from './chain.ts';
import type { ChannelRecord, PendingDeposit } from './channel.ts';
import { claimedIn, provenTotal } from './correction.ts';
import { type ChannelOffer, channelOffers, offerOfNode } from './offers.ts';
import type { ChannelOptions } from './options.ts';
import { afterCorrection, afterRefusal, afterSale, newRecord, type Plan, planOf } from './plan.ts';
import { exposedBy, paymentOf, type Sale, type Way, wayOf } from './sale.ts';
import { payerWithKey, voucherSigner } from './voucher-key.ts';
import { depositPayload, voucherPayload } from './vouchers.ts';

const FROM_CALL = 3;
const WEEK_SECONDS = 604_800;
/** A process that has ended leaves its channel to others so soon. */
const BUSY_MS = 120_000;
/** A channel that did not pay is left alone for so long. */
const OUT_MS = 600_000;
const TRIES = 3;

export interface ChannelSchemeOptions {
  readonly signer: Signer;
  readonly spending: Spending;
  readonly book: ChannelBook;
  readonly channels: ChannelOptions;
  readonly allow: Allowed | undefined;
  /** True believes a seller who says that a payment was not taken. */
  readonly trustRefusals: boolean;
  readonly now: () => number;
}

/**
 * The scheme `batch-settlement`: a deposit opens a channel with a seller, and each call is paid by a voucher for all that was
 * bought so far. No total is signed above what the seller can claim already and the price, one at a time in each channel.
 */
export class ChannelScheme implements Scheme {
  readonly #options: ChannelSchemeOptions;
  readonly #sales = new WeakMap<Signed, Sale>();
  readonly #ways = new WeakMap<Requirement, Way>();
  /** Sales whose outcome was left open. */
  readonly #left = new Set<Sale>();
  /** Until when a channel is left alone, ms since 1970. */
  readonly #out = new Map<string, number>();

  constructor(options: ChannelSchemeOptions) {
    this.#options = options;
  }

  /** The entry of a challenge that a channel pays: one that is open, or that pays from this call on. */
  async choose({ challenge, requirement, options }: Order): Promise<Requirement | undefined> {
    const { spending, book, channels, allow } = this.#options;
    const { fromCall = FROM_CALL, maxWithdrawDelaySeconds = WEEK_SECONDS } = channels;
    if (options.scheme === 'exact') return undefined;
    const exacts = payablesOf(challenge, allow).filter(({ amount }) => amount === requirement.amount);
    const offers = channelOffers(challenge, exacts, maxWithdrawDelaySeconds);
    if (offers.length === 0) return undefined;
    try {
      await book.refresh();
      const usable = await this.#usable(offers);
      const open = usable.find(({ isOpen }) => isOpen);
      const opening = usable.filter(({ terms }) => terms.takesDeposits);
      const chosen = open ?? (await offerOfNode(opening, channels.chain));
      if (chosen === undefined) return undefined;
      const { entry, way } = chosen;
      const { closedAt = 0 } = book.get(way.id) ?? {};
      if (open === undefined && spending.purchasesFrom(requirement, closedAt) + 1 < fromCall)
        return undefined;
      this.#ways.set(entry, way);
      return entry;
    } catch {
      // The exact payment says what is wrong with the wallet or the store.
      return undefined;
    }
  }

  /** The offers with a channel that is not disputed and not left alone for the time being. */
  async #usable(offers: readonly ChannelOffer[]) {
    const { book, now } = this.#options;
    const usable: (ChannelOffer & { readonly way: Way; readonly isOpen: boolean })[] = [];
    for (const offer of offers) {
      const way = wayOf(book, await payerWithKey(this.#options, offer.entry), offer);
      if (way === undefined || (this.#out.get(way.id) ?? 0) > now()) continue;
      const record = book.get(way.id);
      usable.push({ ...offer, way, isOpen: record !== undefined && (record.closedAt ?? 0) === 0 });
    }
    return usable;
  }

  async sign(order: Order): Promise<Signed | Problem | undefined> {
    const way = this.#ways.get(order.requirement);
    if (way === undefined) return undefined;
    const leave = await this.#options.book.enter(way.id);
    const signed = await this.#signNext(order, way, leave);
    if (signed === undefined || 'code' in signed) leave();
    return signed;
  }

  async bought(signed: Signed, receipt: Receipt | undefined): Promise<void> {
    const { book, spending } = this.#options;
    const sale = this.#saleOf(signed);
    const { total, deposit, record, way } = sale;
    sale.isOver = true;
    this.#left.delete(sale);
    for (const other of this.#left) {
      if (other.way.id === way.id && other.total === total) other.isUsed = true;
    }
    await book.change(way.id, (known) => afterSale(known, total, deposit)).catch(() => {});
    await spending.bought(record, receipt);
  }

  async refused(signed: Signed, charged: Charged): Promise<void> {
    const sale = this.#saleOf(signed);
    sale.isOver = true;
    this.#left.delete(sale);
    const isBelieved = charged === false && this.#options.trustRefusals;
    if (isBelieved) await this.#giveBack(sale, sale.deposit);
    else await this.#options.spending.refused(sale.record);
  }

  async turnedAway(signed: Signed): Promise<void> {
    const sale = this.#saleOf(signed);
    sale.isOver = true;
    if (this.#options.trustRefusals) await this.#giveBack(sale, undefined);
  }

  async correct(signed: Signed, order: Order, { reply, wasOpen }: RefusedReply) {
    const { book, channels, now } = this.#options;
    const sale = this.#saleOf(signed);
    const { way, total, corrections, leave } = sale;
    const seller = claimedIn(reply, way.id);
    const record = book.get(way.id);
    const view = async () =>
      channels.chain && readChannel(channels.chain, way.id, chainIdOf(order.requirement));
    const isUsable = record !== undefined && seller?.isLeaving === false && corrections < TRIES;
    const proven = isUsable ? await provenTotal(record, seller, view) : undefined;
    if (seller === undefined || proven === undefined) {
      this.#out.set(way.id, now() + OUT_MS);
      if (seller !== undefined && isUsable) {
        await book.change(way.id, () => ({ isDisputed: true })).catch(() => {});
      }
      return wasOpen ? undefined : ('exact' as const);
    }
    // A voucher of this call itself proves nothing of what was bought before it.
    if (record !== undefined && proven > BigInt(record.signed)) sale.base = proven;
    await book.change(way.id, (known) => afterCorrection(known, seller, proven)).catch(() => {});
    // The lost answer to an earlier attempt may have been charged: a second payment would be one too many.
    if (wasOpen && seller.charged >= total) return undefined;
    return (await this.#signNext(order, way, leave, sale)) ?? ('exact' as const);
  }

  exposed(signed: Signed): bigint {
    return exposedBy(this.#saleOf(signed));
  }

  async retake(signed: Signed): Promise<boolean> {
    const sale = this.#saleOf(signed);
    if (sale.isUsed) return false;
    sale.leave = await this.#options.book.enter(sale.way.id);
    this.#left.delete(sale);
    if (sale.isUsed) sale.leave();
    return !sale.isUsed;
  }

  async rest(signed: Signed): Promise<void> {
    const sale = this.#saleOf(signed);
    if (!sale.isOver) this.#left.add(sale);
    const { book } = this.#options;
    if (book.get(sale.way.id)?.busy?.by === book.owner) {
      await book.change(sale.way.id, () => ({ busy: undefined })).catch(() => {});
    }
    sale.leave();
  }

  /**
   * The next voucher of a channel, by the call whose turn it is. Undefined where another scheme has to pay.
   * @param before the sale that is set right by it
   */
  async #signNext(order: Order, way: Way, leave: () => void, before?: Sale) {
    const corrections = before === undefined ? 0 : before.corrections + 1;
    try {
      for (let i = 0; i < TRIES; i++) {
        const plan = await this.#plan(order, way);
        if (plan === undefined) return undefined;
        const record = paymentOf(order, way, plan, this.#options.now());
        const price = BigInt(order.requirement.amount);
        const base = before?.base ?? BigInt(plan.before.signed);
        const all = { total: most(plan.total, before?.total ?? 0n), base };
        if (exposedBy(all) > most(price, this.#options.spending.mostOfCall(order.options))) {
          this.#options.book.unreserve(way.id);
          return undefined;
        }
        const over = await this.#options.spending.take(record, price);
        if (over !== undefined) {
          this.#options.book.unreserve(way.id);
          return over;
        }
        // The amount stays counted if the store rejects: the record may be there all the same.
        if (await this.#options.book.save(plan.next)) {
          return await this.#signPlan({ order, way, plan, record, base, leave, corrections });
        }
        await this.#options.spending.release(record);
      }
      return undefined;
    } catch (cause) {
      this.#options.book.unreserve(way.id);
      return notSigned(cause);
    }
  }

  async #plan(order: Order, way: Way): Promise<(Plan & { readonly before: ChannelRecord }) | undefined> {
    const { book, channels, now, spending } = this.#options;
    const { requirement, url } = order;
    await book.refresh();
    const known = book.get(way.id);
    const view =
      known === undefined && channels.chain !== undefined
        ? await readChannel(channels.chain, way.id, chainIdOf(requirement))
        : undefined;
    const before = known ?? newRecord(way.id, requirement.network, way.config, view);
    const { busy } = before;
    if (busy !== undefined && busy.by !== book.owner && busy.until > now()) return undefined;
    const unspent = book.unspent(way.config.payer);
    const left = spending.left();
    const { maxDepositUsd } = channels;
    const allowed = maxDepositUsd === undefined ? left : least(left, atomicOf(maxDepositUsd));
    const plan = planOf(before, {
      price: BigInt(requirement.amount),
      proposed: way.terms.minDeposit,
      takesDeposits: way.terms.takesDeposits,
      calls: BigInt(channels.calls ?? 0),
      room: most(allowed - unspent, 0n),
      fresh: { validBefore: validBeforeOf(requirement, now()), salt: `0x${randomHex(32)}` },
      now: now(),
    });
    if (plan === undefined) return undefined;
    if (plan.isNewDeposit) book.reserve(way.id, BigInt(plan.deposit?.amount ?? 0));
    const next = {
      ...plan.next,
      version: before.version + 1,
      origin: url.origin,
      path: url.pathname + url.search,
      busy: { by: book.owner, until: now() + BUSY_MS },
    };
    return { ...plan, before, next };
  }

  async #signPlan(made: {
    readonly order: Order;
    readonly way: Way;
    readonly plan: Plan & { readonly before: ChannelRecord };
    readonly record: PaymentRecord;
    readonly base: bigint;
    readonly leave: () => void;
    readonly corrections: number;
  }): Promise<Signed | Problem> {
    const { order, way, plan, record, base, leave, corrections } = made;
    const { requirement, options } = order;
    const { total, deposit, before } = plan;
    const { signer, spending, book } = this.#options;
    try {
      options.signal?.throwIfAborted();
      const key = await voucherSigner(this.#options, way.config);
      const payload =
        deposit === undefined
          ? await voucherPayload(key, way, requirement, total)
          : await depositPayload(signer, way, requirement, total, deposit, key);
      const expiresAt = deposit === undefined ? undefined : Number(deposit.validBefore) * 1000;
      const signed = { requirement, payload, expiresAt };
      const countedBefore = before.counted;
      const sale = { way, total, deposit, record, countedBefore, corrections, base, leave };
      this.#sales.set(signed, { ...sale, isOver: false, isUsed: false });
      return signed;
    } catch (cause) {
      // Nothing that was signed has left this process.
      const { signed, counted, deposited, pending } = before;
      const undone = { signed, counted, deposited, pending, busy: undefined };
      if (await book.takeBack(way.id, () => undone)) await spending.release(record);
      return options.signal?.aborted ? problemOf({ code: 'aborted' }) : notSigned(cause);
    }
  }

  /** Gives back what the seller says it has not taken; a deposit only where it will not be presented again. */
  async #giveBack(sale: Sale, deposit: PendingDeposit | undefined): Promise<void> {
    const { book, spending } = this.#options;
    const isBack = await book.takeBack(sale.way.id, (known) => afterRefusal(known, sale, deposit));
    if (isBack) await spending.release(sale.record);
    else await spending.refused(sale.record);
  }

  #saleOf(signed: Signed): Sale {
    const sale = this.#sales.get(signed);
    if (sale === undefined) throw new Error('a payment of another scheme');
    return sale;
  }
}
