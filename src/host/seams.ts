import type { FeedPlace } from '../feed/ports.ts';
import type { OpenReading } from '../history/reading.ts';
import type { IdentityPlace } from '../market/open-store.ts';
import type { LedgerPlace } from '../pay/open-ledger.ts';
import type { OwnFacilitatorOpener } from '../pay/own-facilitator.ts';
import type { SaleOpener } from '../pay/sale.ts';

/**
 * Parts of the spine that a module gives in the place of the core's own. A part is a function that opens it: the host, or a
 * command that needs no service, calls it where it wires that part, and calls the `stop` of the part that was opened, where it
 * has one. Its arguments are the spine that it needs; its settings are those that `Module.seams` was called with.
 */
export interface Seams {
  /** Signs offers, and issues what is stored and sent with a sale. Nothing of sales is signed without it. */
  readonly sale?: SaleOpener;
  /** Settles in this process, with the operator's key; PAYMENTS_MODE=self does not start without it. */
  readonly facilitator?: OwnFacilitatorOpener;
  /** The place of payments; they are kept in the data folder without it. */
  readonly ledger?: LedgerPlace;
  /** The place of identities, which say the asset of each contract; they are kept in the data folder without it. */
  readonly identities?: IdentityPlace;
  /** Loads what knows how the history reads stored values. They are read as they were written without it. */
  readonly reading?: () => Promise<OpenReading>;
  /** The feed between processes, and the lease of the one that writes the history; all is in this process without it. */
  readonly feed?: FeedPlace;
}
