import type { Placed } from '../runtime/placed.ts';

/** A picture of a view for the documentation and for its maker's eyes. */
export interface Shot {
  /** File name, which begins with the view's name. */
  readonly name: string;
  readonly port: 'public' | 'operator';
  /** Fragment of the address that is opened: `#/pair?ticker=BTC`. */
  readonly place: string;
  /** Buttons that are pressed first, one after another, by the beginning of their names. */
  readonly press?: readonly string[];
  /** Look of the wide one that is kept for the documentation, in `docs/screens`; one of each view. */
  readonly kept?: 'light' | 'dark';
}

/** A view of the page. It is loaded when it is opened. */
export interface PageView {
  /** Name in the address: `#/pair`. */
  readonly name: string;
  /** Words of its link. */
  readonly title: string;
  /** Source of its component, from the folder of the project. */
  readonly file: string;
  /** Name of the component, which the file exports. */
  readonly component: string;
  /** True where it is on the operator's port alone. */
  readonly isOperators?: boolean;
  /**
   * A part that goes on whichever view is shown, where this browser has stored something under the key (localStorage): its source
   * from the folder of the project, and the function that begins it, which the file exports.
   */
  readonly goesOn?: { readonly key: string; readonly file: string; readonly begin: string };
  readonly shots: readonly Shot[];
}

/** Views that modules add sections to. */
export type SectionedView = 'quality' | 'operator' | 'asset' | 'pair';

/** A section of a view, which a module adds. It is loaded with the view. */
export interface ViewSection {
  readonly view: SectionedView;
  /**
   * Name in the address, and words of its choice: `#/quality?section=grades`, `#/operator?part=ledger`. Of an asset it names a kind of
   * market (`#/asset?market=options`), of a pair a kind of leg (`#/pair?long=options:deribit`).
   */
  readonly name: string;
  /** Source of its component, from the folder of the project. */
  readonly file: string;
  /**
   * Name of the component, which the file exports: for quality a `Section` of `web/views/quality/report.tsx`, for an asset and a pair
   * one of `web/views/sections.ts`.
   */
  readonly component: string;
  /** Pictures of it alone. */
  readonly shots?: readonly Shot[];
}

/** A view that a module adds: its link follows that of the named one. */
export interface ViewBlock extends PageView, Placed {}
