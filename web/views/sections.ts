import type { ComponentType, JSX } from 'preact';

/** The asset of a view. */
interface OfAsset {
  readonly ticker: string;
  /** The query that names it in a call. */
  readonly query: string;
}

/** A kind of market beside perpetuals, which a module adds to the view of an asset. */
export type AssetSection = ComponentType<OfAsset>;

/** The choice of legs as a section has it drawn. */
export interface LegChoice {
  readonly short: string;
  readonly long: string;
  /** Legs that are offered: venues, and `<section>:<venue>` for those of the section. */
  readonly legs: readonly string[];
  /** Size of a leg, USD, and those that are offered. */
  readonly size: string;
  readonly sizes: readonly string[];
}

export interface PairSectionProps extends OfAsset {
  /** The legs of the address: `binance`, `<section>:<venue>`, or the section's name for any of its venues; undefined = none is named. */
  readonly short: string | undefined;
  readonly long: string | undefined;
  /** Draws the choice of legs and of their size (`short`, `long` and `size` of the address), as for a pair of perpetuals. */
  readonly bar: (choice: LegChoice) => JSX.Element;
}

/** A kind of leg beside perpetuals, which a module adds to the view of a pair. */
export type PairSection = ComponentType<PairSectionProps>;
