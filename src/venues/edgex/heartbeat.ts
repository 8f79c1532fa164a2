import { isWire } from '../../domain/read.ts';
import type { Stream } from '../stream.ts';

/** Both sides ping in a text frame; the answer to the venue's repeats its time. */
export const heartbeat: Pick<Required<Stream>, 'keepAlive' | 'pong'> = {
  keepAlive: { everyMs: 30_000, frame: (now) => JSON.stringify({ type: 'ping', time: String(now) }) },
  pong: (message) =>
    isWire(message) && message.type === 'ping'
      ? JSON.stringify({ type: 'pong', time: message.time })
      : undefined,
};
