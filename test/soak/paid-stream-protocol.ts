import type { AskedSelection } from '../../src/modules/paid-stream/selection.ts';

/** A message to a process that serves streams, of its parent. */
export type Asked =
  | { readonly kind: 'turn' | 'still' | 'stop' }
  | { readonly kind: 'silent'; readonly venues: readonly string[] }
  | {
      readonly kind: 'offer';
      readonly call: number;
      readonly selection: AskedSelection;
      readonly minutes: number;
    }
  | {
      readonly kind: 'sold';
      readonly call: number;
      readonly key: string;
      readonly claimedAt: number;
      readonly body: string;
    }
  | { readonly kind: 'meters'; readonly call: number; readonly ids: readonly string[] };

export interface Reply {
  readonly kind: 'reply';
  readonly call: number;
  readonly value: unknown;
}

/** A second of the service has passed. */
export interface Turned {
  readonly kind: 'turned';
  readonly second: number;
  /** Begin of the second's change, Unix ms of the machine. */
  readonly madeAt: number;
  readonly faults: number;
}
