import type { Serializable } from 'node:child_process';
import { isWire, readNumber } from '../../../src/domain/read.ts';
import type { Pace, ReaderLoad } from './pace.ts';

/** A channel to another process: a child's, or that of a child to the process that started it. */
export interface ProcessChannel {
  on(event: 'message', hear: (message: Serializable) => void): unknown;
  readonly send?:
    | ((message: Serializable, handle: undefined, options: undefined, done: () => void) => unknown)
    | undefined;
  readonly connected?: boolean;
}

/** The load that a message tells; undefined where it is another message. */
function loadIn(message: unknown): ReaderLoad | undefined {
  if (!isWire(message) || !isWire(message.load)) return undefined;
  const utilization = readNumber(message.load.utilization);
  const lag = readNumber(message.load.lag);
  const level = readNumber(message.load.level);
  if (utilization === undefined || lag === undefined || level === undefined) return undefined;
  return { utilization, lag, level };
}

/** Gives the pace what the reader of the world says of its load, and answers with the pace, over the process that started both. */
export function hearReader(parent: ProcessChannel, pace: Pace): void {
  parent.on('message', (message) => {
    const load = loadIn(message);
    if (load === undefined) return;
    pace.hear(load);
    sendTo(parent, { pace: pace.state });
  });
}

/** A process that ends has no channel any more, and takes nothing. */
export function sendTo(channel: ProcessChannel, message: Serializable): void {
  if (channel.connected === true) channel.send?.(message, undefined, undefined, () => {});
}
