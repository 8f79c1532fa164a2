import type { PaymentReason } from '../domain/payment-errors.ts';
import type { Wire } from '../domain/read.ts';
import type { UnixMs } from '../domain/units.ts';
import type { MaybePromise } from '../runtime/maybe-promise.ts';
import type { AccountChange, AccountFormat } from './account.ts';
import type { GasReserve, SettleOutcome } from './facilitator.ts';
import type { FacilitatorState } from './facilitator-list.ts';
import type { LifecycleEvent } from './lifecycle.ts';
import type { PaymentRecord } from './record.ts';
import type { CoreRequirement } from './requirement.ts';
import type { Seller } from './seller.ts';
import type { SettlementCosts } from './settlement-meter.ts';
import type { ProtectedRoute } from './types.ts';

/**
 * The seam between selling and the ways of paying that x402 calls schemes. A scheme is a folder of `schemes/` and a line in
 * `schemes/list.ts`; the rest of `pay` knows of a payment who pays, how much, and what its scheme keeps of it, which only the
 * scheme can read.
 */

/** A scheme in challenges and in the catalog. */
export interface SchemeOffer {
  /** As `accepts` and payments name it. */
  readonly name: string;
  /** The network, the token and the receiver of what is paid by it. */
  readonly seller: Seller;
  /**
   * True if clients of the first generation know it. They refuse a challenge with any entry that they do not know, so that
   * all others are offered to the second generation alone.
   */
  readonly isOfV1: boolean;
  /** The code that the buyer gets for each word of its facilitators. */
  readonly reasons: Readonly<Record<string, PaymentReason>>;
  /**
   * The way of a buyer through a purchase, in sentences for agents.
   *
   * @param others sellers of the same scheme on further networks
   */
  words(others: readonly Seller[]): string;
  /** The terms that a buyer signs for a price in atomic units: its entry in `accepts`. */
  terms(amount: bigint): CoreRequirement;
  /**
   * False while it takes no buyers beside those it has: its terms say so then, and it stays in every challenge, by which the
   * others pay and are set right. Undefined: it always takes them.
   */
  isOpen?(): boolean;
}

/**
 * Offers to the first generation: on the first network that has a name there alone, since a client that does not know one of
 * several names refuses all of them.
 */
export function offersOfV1(schemes: readonly SchemeOffer[]): readonly SchemeOffer[] {
  const known = schemes.filter(({ isOfV1, seller }) => isOfV1 && seller.network.v1Name !== undefined);
  return known.filter(({ seller }) => seller.network.id === known[0]?.seller.network.id);
}

/** A payment as its scheme reads it from a payload, not yet believed. */
export interface ReadPayment<Signed = unknown> {
  /** Address in lower case. */
  readonly payer: string;
  /** The key that signed it, where that is not the payer's and nothing in it shows that the payer has named it. */
  readonly signer?: string | undefined;
  /** Tells the payment from all others of its payer, of whatever scheme. */
  readonly nonce: string;
  /** All that the payer signed, with the signature; the scheme alone looks into it. */
  readonly signed: Signed;
}

/** A payment as a row of texts has it. */
export interface StoredPayment<Signed = unknown> extends ReadPayment<Signed> {
  /** Atomic units, decimal text. */
  readonly amount: string;
}

/** The parts of a payment that a scheme writes into a row. */
export type SchemePart<Signed = unknown> = Pick<
  PaymentRecord<Signed>,
  'payer' | 'nonce' | 'amount' | 'signed'
>;

/** The form of a scheme's payments in a ledger: it is needed wherever one is opened, also where the scheme is not offered. */
export interface SchemeFormat<Signed = unknown> {
  /** Name of the scheme. */
  readonly name: string;
  /** Marks the rows of a scheme; never given to another one. */
  readonly number: number;
  /** Texts in each of its rows. */
  readonly textCount: number;
  /** The texts of a payment; payer, nonce and amount are among them, or follow from them. */
  toTexts(payment: SchemePart<Signed>): readonly string[];
  fromTexts(texts: readonly string[]): StoredPayment<Signed>;
  /** Members of a JSON row beside those that every payment has. */
  toMembers(signed: Signed): Wire;
  fromMembers(row: Wire): Signed;
  /** From then on it is certain whether the money moved: nothing that was signed can be used any more. */
  overAt(signed: Signed): UnixMs;
  /** Undefined where each payment stands alone. */
  readonly accounts?: AccountFormat<Signed>;
}

/**
 * `match`: a plain key signed it. `mismatch`: it did not, or not in a form that is taken from a plain key; it may still be good
 * for a contract wallet, which only the chain can tell.
 */
export type SignatureMatch = 'match' | 'mismatch';

/** The word of those who were asked whether a payment is good. */
export type Verified =
  | {
      readonly kind: 'valid';
      readonly by: string;
      /** They may settle it where `by` takes nothing on, in this order. */
      readonly others: readonly string[];
      /** Its outcome where it is settled by being stored: nobody is asked to settle it. */
      readonly stored?: Settled;
    }
  | { readonly kind: 'invalid'; readonly reason: string }
  /** Its account is at work on another payment: it may be good in a moment. */
  | { readonly kind: 'busy' }
  /** No answer, or none that makes sense. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** The fate of the money, as an event of the lifecycle. */
export type Settlement = Extract<
  LifecycleEvent,
  { readonly kind: 'settled' | 'refused' | 'ruled_out' | 'unclear' }
>;
/** It moved. */
export type Settled = Extract<Settlement, { readonly kind: 'settled' }>;
export type Unsent = Extract<SettleOutcome, { readonly kind: 'unsent' }>;

/** A payment that may not be in the ledger yet. */
export type AskedPayment<Signed = unknown> = Pick<
  PaymentRecord<Signed>,
  'resource' | 'payer' | 'amount' | 'signed'
>;

/** Verifies and settles, through whomever the scheme has for it. No call rejects, and each is bounded in time. */
export interface SchemeSettlement<Signed = unknown> {
  /** The source of the proof that a payment is settled. */
  readonly proof: 'rpc' | 'facilitator';
  /** @param doubtful the local check of the signature did not match: a fault over it says nothing about who is asked */
  verify(payment: AskedPayment<Signed>, route: ProtectedRoute, doubtful: boolean): Promise<Verified>;
  /** Has the one that the record names move the money. */
  ask(record: PaymentRecord<Signed>, route: ProtectedRoute): Promise<SettleOutcome>;
  /** The outcome that stands: where the chain can be asked, its word is above that of the one who was asked. */
  judge(record: PaymentRecord<Signed>, outcome: SettleOutcome): Promise<Settlement | Unsent>;
  /** Looks again at a payment whose outcome is unknown; without a route only at the chain. */
  examine(record: PaymentRecord<Signed>, route: ProtectedRoute | undefined): Promise<Settlement>;
  /** True if any of those that can be asked last answered sensibly; undefined while nobody has been asked. */
  readonly ok: boolean | undefined;
  /** Those that can be asked, in order of preference. */
  states(): readonly FacilitatorState[];
  /** The transactions of their settlements since the start. */
  costs(): SettlementCosts;
  /** The gas of the operator's account, where that settles. */
  gas?(): GasReserve | undefined;
  /** Asks whether they are there. */
  probe(): Promise<void>;
  /** Gives up what goes on in the background. */
  stop(): void;
}

/**
 * A step of a payment that its account takes with it. `held`: its answer is stored, and nobody was asked yet to settle it.
 * `sold`: its answer is stored, which settles it. `dropped`: it will not be settled.
 */
export type AccountStep = 'held' | 'sold' | 'settled' | 'dropped';

/**
 * The running accounts on which payments of a scheme stand. The newest sale of an account is given again where its payment is
 * presented again, also after it has arrived, until the next one.
 */
export interface SchemeAccounts<Signed = unknown> {
  /** Name of the account of a payment. */
  idOf(signed: Signed): string;
  /** True if what was signed is known to its payer and the seller alone, so that it proves the payer. */
  isPrivate(signed: Signed): MaybePromise<boolean>;
  /** The change that is stored with a step of a payment; `stale` where its account has gone on without it. */
  change(record: PaymentRecord<Signed>, step: AccountStep): MaybePromise<AccountChange | 'stale'>;
}

/** The words of a refusal by which a buyer's program can set itself right, in the scheme's own entry of the challenge. */
export interface Correction {
  /** The challenge's `error`, as programs of the scheme know it. */
  readonly reason: string;
  /** Name of the scheme. */
  readonly scheme: string;
  /** CAIP-2. */
  readonly network: string;
  /** Members of `extra` beside the terms. */
  readonly extra: Wire;
}

/** The answer to a request that buys nothing. */
export type AccountOutcome =
  /** `members` are of PAYMENT-RESPONSE, beside those of every scheme; `transaction` is empty where it is not known. */
  | {
      readonly kind: 'done';
      readonly payer: string;
      readonly transaction: string;
      readonly members: Wire;
      readonly body: Wire;
    }
  | { readonly kind: 'rejected'; readonly reason: PaymentReason }
  | { readonly kind: 'corrected'; readonly correction: Correction }
  /** The account changes at present. */
  | { readonly kind: 'busy' }
  /** Nobody has taken it on. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** It was begun, and its end is not known yet. */
  | { readonly kind: 'unclear' };

/** Makes a request of a payer about its account, as for the return of a deposit. It buys nothing and costs nothing. */
export type AccountRequest = () => Promise<AccountOutcome>;

/** A count of an open scheme since the start of the process, by the values of a label. */
export interface SchemeCounter {
  /** Of the metric, behind the prefix of all; ends in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly counts: ReadonlyMap<string, number>;
}

/** An open scheme: payments of it are taken. */
export interface Scheme<Signed = unknown> extends SchemeOffer {
  readonly format: SchemeFormat<Signed>;
  readonly settlement: SchemeSettlement<Signed>;
  /** Reads a payload; undefined where its form is wrong. Nothing is believed yet. */
  read(payload: Wire): ReadPayment<Signed> | undefined;
  /** Reads a payload that is no payment; undefined where it is no request either. Nothing is believed yet. */
  accountRequest?(payload: Wire): AccountRequest | undefined;
  /** True for the same payment under the same signature. */
  isSame(a: Signed, b: Signed): boolean;
  /**
   * The price that a payment pays, or the fault of its fields.
   *
   * @param amounts the price in force, and the one before for a short time after a change; atomic units
   */
  priceOf(payment: ReadPayment<Signed>, amounts: readonly bigint[]): MaybePromise<bigint | PaymentReason>;
  /** The fault of its times. */
  timeFault(signed: Signed, now: UnixMs): PaymentReason | undefined;
  /** Checks the signature without a network. */
  match(signed: Signed): MaybePromise<SignatureMatch>;
  /** The fault of a mismatched signature, if the payer made it. */
  signatureFault(signed: Signed): Promise<PaymentReason | undefined>;
  /** Undefined where each payment stands alone. */
  readonly accounts?: SchemeAccounts<Signed>;
  /** A correction for the buyer of a refused payment that is known to be the payer's; undefined where none helps. */
  correction?(payment: ReadPayment<Signed>, reason: string): MaybePromise<Correction | undefined>;
  /** Members of PAYMENT-RESPONSE for a settled payment, beside those of every scheme. */
  settledMembers?(record: PaymentRecord<Signed>): Wire;
  /** Its own counts, for the metrics of the service. */
  readonly counters?: readonly SchemeCounter[];
  /** The ledger's comparison with the chain; undefined without a node to ask. */
  readonly watch?: ChainWatch | undefined;
}

/**
 * `not_in_ledger`: the seller was paid, and the ledger knows of no such payment. `not_on_chain`: the ledger says settled,
 * and the chain shows no transfer. `amount`: the chain moved another sum. `state`: the chain moved the money, and the
 * ledger does not say settled.
 */
export type DifferenceKind = 'not_in_ledger' | 'not_on_chain' | 'amount' | 'state';

/** Findings of the comparisons of this run. */
export interface ChainWatchState {
  /** Up to when ledger and chain were compared. */
  readonly comparedTo: UnixMs;
  readonly differences: ReadonlyMap<DifferenceKind, number>;
}

/** Compares the ledger with the chain while the service runs. */
export interface ChainWatch {
  state(): ChainWatchState;
  /** The pause between two looks; undefined: that of a comparison with the chain. */
  readonly everyMs?: number;
  /** Compares what has come to rest since the last look. Rejects where the node does not answer; call it again then. */
  look(): Promise<void>;
}

/** The scheme of a stored payment on its network, of those that are open. */
export const schemeOf = (
  schemes: readonly Scheme[],
  { scheme, network }: Pick<PaymentRecord, 'scheme' | 'network'>,
): Scheme | undefined => schemes.find(({ name, seller }) => name === scheme && seller.network.id === network);

/**
 * The scheme that a buyer names, on the network that it names in the words of either generation. One on another network where
 * there is none on that: it says what is wrong with the payment.
 */
export function schemeAsked(
  schemes: readonly Scheme[],
  { scheme, network }: { readonly scheme: string; readonly network: string },
): Scheme | undefined {
  const named = schemes.filter(({ name }) => name === scheme);
  return named.find(({ seller }) => isNetworkOf(seller, network)) ?? named[0];
}

/** True for the name of a seller's network in either generation. */
export const isNetworkOf = ({ network: { id, v1Name } }: Pick<Seller, 'network'>, name: string): boolean =>
  name === id || name === v1Name;

/** The format of this name. Throws where there is none: a payment is stored by whom knows its scheme. */
export function formatNamed(formats: readonly SchemeFormat[], name: string): SchemeFormat {
  const format = formats.find((known) => known.name === name);
  if (format === undefined) throw new Error(`no payments of the scheme ${name} are stored here`);
  return format;
}

type Presented = Pick<PaymentRecord, 'scheme' | 'signed'>;

/** True for the same payment under the same signature. */
export function isSamePayment(scheme: Scheme, a: Presented, b: Presented): boolean {
  return a.scheme === scheme.name && b.scheme === scheme.name && scheme.isSame(a.signed, b.signed);
}
