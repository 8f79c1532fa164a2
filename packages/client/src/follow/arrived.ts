import type { Sent } from '../http.ts';
import type { StreamedEvent } from './options.ts';

/** A message of a connection: an event, the time after which a broken one is opened again, or the refusal of the reader. */
export type Arrived =
  | { readonly kind: 'event'; readonly event: StreamedEvent }
  | { readonly kind: 'retry'; readonly retryMs: number }
  | { readonly kind: 'refused'; readonly sent: Sent };

/** A stream is read on behind an event. */
export interface Reading {
  readonly url: URL;
  readonly id: string | undefined;
  readonly secret: string;
}
