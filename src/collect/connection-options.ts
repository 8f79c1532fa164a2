import type { Clock } from '../domain/clock.ts';
import type { Timer } from '../runtime/timer.ts';
import type { Stream } from '../venues/adapter.ts';
import type { FrameSink, StreamStats } from './frame-sink.ts';
import type { TappedLine } from './wire.ts';

/** All that one connection of a stream is given. */
export interface ConnectionOptions {
  readonly stream: Stream;
  readonly id: number;
  /** Addresses in force; the stream names its own. */
  readonly bases: Readonly<Record<string, string>>;
  /** Time to wait before the next dial, so that dials of one stream keep their distance, ms. */
  readonly dialDelay: () => number;
  readonly sink: FrameSink;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
  readonly stats: StreamStats;
  /** A connection ended, failed or sent what is refused (`reason`), or carried its first data after it (undefined). */
  readonly report: (reason: string | undefined) => void;
  readonly firstBackoffMs: number;
  readonly longestBackoffMs: number;
  readonly maxPayloadBytes: number;
  /** Hears frames before they are decoded. */
  readonly line: TappedLine | undefined;
}
