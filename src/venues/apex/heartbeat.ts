import { isWire } from '../../domain/read.ts';
import type { Stream } from '../stream.ts';

/** Both sides ping in a text frame; the answer to the venue's repeats its argument. */
export const heartbeat: Pick<Required<Stream>, 'keepAlive' | 'pong'> = {
  keepAlive: { everyMs: 15_000, frame: (now) => JSON.stringify({ op: 'ping', args: [String(now)] }) },
  pong: (frame) =>
    isWire(frame) && frame.op === 'ping' ? JSON.stringify({ op: 'pong', args: frame.args }) : undefined,
};
