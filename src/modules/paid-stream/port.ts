import type { Failure, Result } from '../../domain/errors.ts';
import type { Port } from '../../runtime/port.ts';
import type { Soon } from '../tables/soon.ts';
import type { Selection } from './selection.ts';
import type { StreamRecord } from './stream-record.ts';

/** A stream that is offered for sale: it is there once it is paid for. */
export interface Offered {
  readonly id: string;
  readonly secret: string;
}

/** The paid streams of a service, as its products see them. */
export interface PaidStreams {
  /** The reason for which no more streams are taken. */
  full(): Failure | undefined;
  /** A stream with so many paid minutes: there at once where nothing is charged. */
  offer(selection: Selection, minutes: number): Soon<Offered>;
  /** Adds minutes where nothing is charged; else its sale does. */
  extend(id: string, minutes: number): Soon<void>;
  /** A stream of this id, without its secret. */
  find(id: string): StreamRecord | undefined;
  /** 503 of an id that is not known and may be in a moment; else undefined. */
  unknown(id: string): Failure | undefined;
  /** A stream, read by its secret: 400 without one; 404 of one whose secret is another, or 503 as `unknown` says. */
  read(id: string, secret: string | undefined): Result<StreamRecord>;
  /** The time by which minutes run, Unix ms. */
  now(): number;
  /** Readers that this process serves of it. */
  readers(id: string): number;
}

/** Absent in a process that has none. */
export const PAID_STREAMS: Port<PaidStreams | undefined> = { name: 'paid streams', absent: undefined };
