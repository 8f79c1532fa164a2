import type { Clock } from '../../../domain/clock.ts';
import { MINUTE_MS } from '../../../runtime/duration.ts';
import { wait } from '../../../runtime/timer.ts';
import { type BazaarExtension, bazaarExtension } from '../../bazaar.ts';
import { OUT_OF_GAS, resourceOf, type SettlementRequest, type SettleOutcome } from '../../facilitator.ts';
import type { FacilitatorList } from '../../facilitator-list.ts';
import type { PaymentRecord } from '../../record.ts';
import type { AskedPayment, SchemeSettlement, Settled, Settlement, Unsent, Verified } from '../../scheme.ts';
import type { Seller } from '../../seller.ts';
import type { ProtectedRoute } from '../../types.ts';
import { expiryOf } from '../authorization-window.ts';
import type { ReadChannel } from './chain.ts';
import { type ChainView, trueAt } from './chain-view.ts';
import type { ChannelPayment, Deposit } from './channel.ts';
import type { Channels } from './channels.ts';
import { type ChannelStage, spendableOf, stageOf } from './lifecycle.ts';
import { ledgerFault, look } from './look.ts';
import { TOTAL_MISMATCH } from './offer.ts';
import { type ChannelTerms, channelTerms } from './terms.ts';
import { depositWire } from './wire.ts';

/** A voucher is settled here: nobody is asked for it. */
const OWN = 'voucher';
/** Without a transaction of its own. */
const NO_TRANSACTION = '';
/** A deposit that its facilitator has sent is looked for so long, and so often. */
const SEEN_WITHIN = { tries: 10, pauseMs: 500 } as const;

export interface ChannelSettlementOptions {
  readonly seller: Seller;
  readonly terms: ChannelTerms;
  readonly routes: readonly ProtectedRoute[];
  readonly facilitators: FacilitatorList;
  readonly channels: Channels;
  readonly readChannel: ReadChannel;
  readonly clock: Clock;
  readonly patience?: { readonly tries: number; readonly pauseMs: number };
}

type ChannelRecord = PaymentRecord<ChannelPayment>;
type Asked = AskedPayment<ChannelPayment>;

/**
 * Settles sales by channel. A voucher is settled by being stored; a deposit is sent by a facilitator, and settled once the
 * chain shows the money in the channel.
 */
export function createChannelSettlement(options: ChannelSettlementOptions): SchemeSettlement<ChannelPayment> {
  const { facilitators, routes } = options;
  const extensions = new Map(routes.map((route) => [route.id, bazaarExtension(route)]));
  const requestOf = (payment: Asked, deposit: Deposit, route: ProtectedRoute): SettlementRequest =>
    depositRequest(options, payment, deposit, route, extensions.get(route.id));
  return {
    proof: 'rpc',
    get ok() {
      return facilitators.ok;
    },
    states: () => facilitators.states(),
    costs: () => facilitators.costs(),
    gas: () => facilitators.gas,
    probe: () => facilitators.probe(),
    stop: () => facilitators.stop(),
    async verify(payment, route) {
      const { deposit } = payment.signed;
      const { isLow = false, isShort = false } = facilitators.gas ?? {};
      // A voucher of an open channel needs no further claim, but one that is possible.
      if (deposit === undefined ? isShort : isLow) return { kind: 'unavailable', reason: OUT_OF_GAS };
      const fault = await channelFaultOf(options, payment);
      if (fault !== undefined) return fault;
      if (deposit === undefined)
        return { kind: 'valid', by: OWN, others: [], stored: settled(NO_TRANSACTION) };
      const request = requestOf(payment, deposit, route);
      const { outcome, by } = await facilitators.verify(request, { doubtful: false });
      if (outcome.kind !== 'valid') return outcome;
      return { kind: 'valid', by: by.name, others: facilitators.besides(by).map(({ name }) => name) };
    },
    async ask(record, route) {
      const { deposit } = record.signed;
      if (deposit === undefined) return { kind: 'settled', transaction: NO_TRANSACTION };
      const facilitator = facilitators.named(record.facilitator);
      if (facilitator === undefined) return { kind: 'unsent', reason: 'no_facilitator' };
      return facilitator.settle(requestOf(record, deposit, route));
    },
    judge: (record, outcome) => judge(options, record, outcome),
    examine: (record) => examine(options, record),
  };
}

/** The facilitator's view of a deposit: our own terms, and what was signed. */
function depositRequest(
  { seller, terms }: ChannelSettlementOptions,
  { payer, amount, resource, signed }: Asked,
  deposit: Deposit,
  route: ProtectedRoute,
  bazaar: BazaarExtension = bazaarExtension(route),
): SettlementRequest {
  return {
    requirement: channelTerms(seller, terms, BigInt(amount)),
    payer,
    payload: depositWire(signed, deposit),
    moves: deposit.amount,
    resource: resourceOf(seller, route, resource),
    bazaar,
  };
}

/** The node has shown no block of late: a buyer may have requested its money back. */
const NODE_BEHIND = 'node_behind';

/** A channel without enough money is not looked at more often. */
const LOOK_AGAIN_MS = 1_000;

/** Nothing is sold by a channel whose money is on its way back. */
const ENDING: ReadonlySet<ChannelStage> = new Set(['leaving', 'refunding']);

/** A view that is older than a third of the time in which a withdrawal has to be answered is not sold on. */
const oldest = ({ withdrawDelay }: ChannelTerms): number =>
  Math.min(5 * MINUTE_MS, (withdrawDelay * 1_000) / 3);

/** The reason for which a channel does not pay for a sale; undefined where it does. Never rejects for a ledger that fails. */
async function channelFaultOf(
  options: ChannelSettlementOptions,
  payment: Asked,
): Promise<Verified | undefined> {
  try {
    return await faultBy(options, payment);
  } catch (cause) {
    const reason = ledgerFault(cause);
    if (reason === undefined) throw cause;
    return { kind: 'unavailable', reason };
  }
}

async function faultBy(
  options: ChannelSettlementOptions,
  { amount, signed }: Asked,
): Promise<Verified | undefined> {
  const { channels, clock, terms } = options;
  const { channelId, total } = signed.voucher;
  const funding = BigInt(signed.deposit?.amount ?? 0);
  let channel = (await channels.read(channelId))?.channel;
  const known = channel?.chain;
  // A buyer may have brought more money without us.
  const mayHaveMore = channel !== undefined && BigInt(total) > spendableOf(channel) + funding;
  const isNews = known === undefined || (mayHaveMore && clock.now() - known.seenAt > LOOK_AGAIN_MS);
  if (isNews || clock.now() - trueAt(known) > oldest(terms)) {
    const seen = await look(options, channelId);
    if (typeof seen === 'string') return { kind: 'unavailable', reason: seen };
    channel = (await channels.read(channelId))?.channel;
  }
  const chain = channel?.chain ?? (await channels.view(channelId));
  if (chain === undefined) return { kind: 'unavailable', reason: 'channel_not_seen' };
  if (clock.now() - trueAt(chain) > oldest(terms)) return { kind: 'unavailable', reason: NODE_BEHIND };
  if (BigInt(total) !== BigInt(channel?.charged ?? chain.claimed) + BigInt(amount))
    return { kind: 'invalid', reason: TOTAL_MISMATCH };
  const stage = stageOf(channel);
  if (chain.withdrawAt > 0 || ENDING.has(stage)) return { kind: 'invalid', reason: 'channel_leaving' };
  if (stage === 'charging') return { kind: 'busy' };
  const spendable = channel === undefined ? BigInt(chain.balance) : spendableOf(channel);
  return BigInt(total) > spendable + funding ? { kind: 'invalid', reason: 'insufficient_funds' } : undefined;
}

const settled = (transaction: string): Settled => ({ kind: 'settled', transaction, proof: 'rpc' });

const unclear = (reason: string, transaction: string | undefined): Settlement => ({
  kind: 'unclear',
  reason,
  transaction,
});

/** The money that a voucher stands for is in the channel, by this deposit or by another. */
function isCovered(view: ChainView | string, { signed }: ChannelRecord): boolean {
  return typeof view !== 'string' && BigInt(view.balance) >= BigInt(signed.voucher.total);
}

async function judge(
  options: ChannelSettlementOptions,
  record: ChannelRecord,
  outcome: SettleOutcome,
): Promise<Settlement | Unsent> {
  if (record.signed.deposit === undefined) return settled(NO_TRANSACTION);
  const { tries, pauseMs } =
    outcome.kind === 'settled' ? (options.patience ?? SEEN_WITHIN) : { tries: 1, pauseMs: 0 };
  const transaction = outcome.kind === 'unsent' ? undefined : outcome.transaction;
  for (let i = 1; ; i++) {
    const view = await look(options, record.signed.voucher.channelId);
    if (isCovered(view, record)) return settled(transaction ?? NO_TRANSACTION);
    if (i >= tries) break;
    await wait(pauseMs);
  }
  if (outcome.kind === 'unsent') return outcome;
  // A deposit that is made later all the same is the buyer's: nothing was charged of it.
  if (outcome.kind === 'refused') return { ...outcome, kind: 'ruled_out' };
  return unclear(outcome.kind === 'settled' ? 'not_seen_on_chain' : outcome.reason, transaction);
}

/** Looks again at a deposit whose outcome is unknown. */
async function examine(options: ChannelSettlementOptions, record: ChannelRecord): Promise<Settlement> {
  const { deposit, voucher } = record.signed;
  if (deposit === undefined) return settled(NO_TRANSACTION);
  const view = await look(options, voucher.channelId);
  const { transaction, reason = 'unproven' } = record;
  if (isCovered(view, record)) return settled(transaction ?? NO_TRANSACTION);
  // By the chain's clock: a node that is behind shows no deposit that was made meanwhile.
  const isOver = typeof view !== 'string' && trueAt(view) > expiryOf(deposit);
  return isOver
    ? { kind: 'ruled_out', reason: 'authorization_unused', transaction }
    : unclear(reason, transaction);
}
