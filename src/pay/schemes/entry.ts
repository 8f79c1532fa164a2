import type { Clock } from '../../domain/clock.ts';
import type { OffConfig, PaymentConfig } from '../config.ts';
import type { Ledger } from '../ledger.ts';
import type { OwnFacilitatorOpener } from '../own-facilitator.ts';
import type { Scheme, SchemeFormat, SchemeOffer } from '../scheme.ts';
import type { ProtectedRoute } from '../types.ts';

/** The configuration of a service that charges. */
export type ChargingConfig = Exclude<PaymentConfig, OffConfig>;

/** The part of a configuration that says what is offered. */
export type Offering = Pick<ChargingConfig, 'seller' | 'channels'>;

export interface OpenSchemeOptions {
  readonly config: ChargingConfig;
  readonly routes: readonly ProtectedRoute[];
  readonly ledger: Ledger;
  /** That of the ledger. */
  readonly clock: Clock;
  /** Opens the facilitator of PAYMENTS_MODE=self, which is a module's. */
  readonly ownFacilitator?: OwnFacilitatorOpener | undefined;
}

/** A scheme of the service, before it is opened: what settles is loaded only then. */
export interface SchemeEntry {
  /** Undefined where the configuration does not offer it. */
  readonly offer: (config: Offering) => SchemeOffer | undefined;
  readonly format: SchemeFormat;
  /** Opens what is offered. */
  readonly open: (options: OpenSchemeOptions) => Promise<Scheme>;
}
