import type { Clock } from '../../domain/clock.ts';
import type { ChargingConfig } from '../config.ts';
import type { Ledger } from '../ledger.ts';
import type { NodeWatch } from '../node-watch.ts';
import type { OwnFacilitatorOpener } from '../own-facilitator.ts';
import type { Scheme, SchemeFormat, SchemeOffer } from '../scheme.ts';
import type { ProtectedRoute } from '../types.ts';

/** The part of a configuration that says what is offered. */
export interface Offering extends Pick<ChargingConfig, 'seller' | 'channels'> {
  readonly others?: readonly Offering[];
}

export interface OpenSchemeOptions {
  /** That of the network on which it is opened. */
  readonly config: ChargingConfig;
  readonly routes: readonly ProtectedRoute[];
  readonly ledger: Ledger;
  /** That of the ledger. */
  readonly clock: Clock;
  /** Judges the node of the network; undefined where there is none, or no such judgement. */
  readonly node?: NodeWatch | undefined;
  /** Opens the facilitator of PAYMENTS_MODE=self, which is a module's. */
  readonly ownFacilitator?: OwnFacilitatorOpener | undefined;
}

/** A scheme of the service, before it is opened: what settles is loaded only then. */
export interface SchemeEntry {
  /** Undefined where the configuration does not offer it. */
  readonly offer: (config: Offering) => SchemeOffer | undefined;
  readonly format: SchemeFormat;
  /** The setting that offers it; undefined: it is always offered. */
  readonly setting?: string;
  /** Opens what is offered. */
  readonly open: (options: OpenSchemeOptions) => Promise<Scheme>;
}
