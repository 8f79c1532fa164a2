import type { Clock } from '../domain/clock.ts';
import type { FilledPort } from '../runtime/port.ts';
import type { PriceSchedule } from './prices.ts';
import type { PaymentRecord } from './record.ts';
import type { SaleLog } from './sale-log.ts';
import type { SchemeOffer } from './scheme.ts';
import type { Seller } from './seller.ts';
import type { HttpReply } from './types.ts';

/**
 * The texts that are issued for a sale. They are stored with its outcome for as long as the payment is, and are the same
 * whenever its answer is given. A hash of `answer` stands in the log of its day.
 */
export interface SaleReceipts {
  readonly official: string;
  readonly answer: string;
}

/** The parts of an answer that show what was issued. */
export interface ShownReceipts {
  /** Extensions of the settlement in PAYMENT-RESPONSE. */
  readonly extensions: object;
  /** Further headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The seam of a sale: signs offers, and issues the texts that are stored and sent with a sold answer. */
export interface SaleSeam {
  /** Changes when earlier offers are not to be shown any more. */
  readonly minute: number;
  /** The extensions of a challenge as JSON text; undefined where nothing is signed. */
  extension(routeId: string, path: string, amount: bigint): string | undefined;
  /** For the answer of a payment that is settled; undefined where nothing can be issued: the answer is owed all the same. */
  issue(sale: PaymentRecord, answer: HttpReply): SaleReceipts | undefined;
  /** As the answer shows it. */
  show(receipts: SaleReceipts): ShownReceipts;
}

/** The payment side, as far as offers and sales are signed by it. */
export interface SaleContext {
  readonly seller: Seller;
  readonly prices: PriceSchedule;
  /** In the order in which they are offered. */
  readonly schemes: readonly SchemeOffer[];
  /** Version of the route table. */
  readonly routeTable: string;
  /** That of the ledger. */
  readonly clock: Clock;
  /** Of the ledger; undefined where its store keeps none. */
  readonly log: SaleLog | undefined;
  /** Hears why something could not be issued. */
  readonly onError: (cause: unknown) => void;
}

/** A sale seam that was opened for a service which charges. */
export interface OpenSale extends SaleSeam {
  /** Its ports for products and modules, made by `fill` (`src/runtime/port.ts`). */
  readonly ports?: readonly FilledPort[];
  /** Work of every round in the background, also after the steps before it have failed. */
  readonly tick?: () => Promise<void>;
  /** Ends it, after the last payment. */
  readonly stop?: () => Promise<void> | void;
}

/**
 * Hears a sale once its outcome is stored, before its answer leaves: also one that was found settled in the background. A fault
 * is reported, and the answer is owed all the same. A process that is killed in between has told nobody: what has to hear every
 * sale reads, when it opens, those whose answers are still stored.
 */
export type SaleHook = (sale: PaymentRecord, answer: HttpReply) => void;

/** Opens what signs sales. Rejects with a sentence about what is wrong: the service does not start. */
export type SaleOpener = (context: SaleContext) => Promise<OpenSale> | OpenSale;
