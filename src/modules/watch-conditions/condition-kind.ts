import type { UnixMs } from '../../domain/units.ts';
import type { QuoteField } from '../../market/contract.ts';
import type { MarketView } from '../../market/view.ts';
import type { WatchedValues } from '../webhook/firing.ts';
import type { KindTerms, Reading } from './kind-readings.ts';

/** Parameters that a request may leave out, and that some kinds take. */
export const OPTIONAL = [
  'ticker',
  'venue',
  'above',
  'below',
  'reset',
  'hours',
  'days',
  'size_usd',
  'fees',
] as const;
/** Parameters of a condition beside its kind. */
export type ConditionParameter = (typeof OPTIONAL)[number] | 'for_minutes';

/** The text of a question to a product: its path's and its query's parameters. */
export interface AskedText {
  readonly path?: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * A kind of condition over one field of one product's answer. `level`: the field is above or below a value. `change`: it is
 * another one than before. `state`: it is not the word that is good. `event`: the calendar has a new event.
 */
export interface ConditionKind {
  /** The product whose answer it reads, by id. */
  readonly product: string;
  /** Name of the judged field in the answer. */
  readonly field: string;
  readonly unit: string;
  readonly mode: 'level' | 'change' | 'state' | 'event';
  /** Venues that it names: of one contract, of a pair, of any number, or of none but one venue. */
  readonly about: 'contract' | 'asset' | 'venue' | 'calendar';
  /** Further parameters that it takes. */
  readonly takes: readonly ConditionParameter[];
  readonly asks: (terms: KindTerms) => AskedText;
  readonly read: (body: unknown, terms: KindTerms) => Reading;
  /** Values of a contract whose change may change the answer; none where it rests on more than rows. */
  readonly moves: readonly QuoteField[];
  /** Least time between two looks, ms. */
  readonly everyMs: number;
  /** A look is made after so long without a change, ms: data grows old without one. */
  readonly restMs: number;
  /** A known answer stands for so long after the time of its rows, ms: these are fresh for at least that. */
  readonly standsMs?: number;
  /** Time of the row as it is now, where the values that an answer had of it are still its own: such an answer stands on. */
  readonly restated?: (market: MarketView, terms: KindTerms, values: WatchedValues) => UnixMs | undefined;
  /** True where the answer is wanted of the present alone, without what is stored. */
  readonly ofNow?: boolean;
}
