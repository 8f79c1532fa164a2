import type { FollowOptions } from './options.ts';
import type { SocketMaker } from './socket.ts';

/**
 * The WebSocket that a stream is read by; undefined: it is read by server-sent events.
 *
 * @throws TypeError where the runtime has none and none is given
 */
export function socketMaker({
  transport,
  webSocket,
}: Pick<FollowOptions, 'transport' | 'webSocket'>): SocketMaker | undefined {
  if (transport !== 'websocket') return undefined;
  const maker = webSocket ?? (globalThis as { readonly WebSocket?: SocketMaker }).WebSocket;
  if (maker === undefined)
    throw new TypeError('this runtime has no WebSocket: give one as webSocket, that of undici or ws');
  return maker;
}
