import type { Sent } from '../http.ts';
import { ask, blocks, lineOf } from '../stream.ts';
import type { Arrived, Reading } from './arrived.ts';
import type { FollowParts } from './parts.ts';
import type { SocketMaker } from './socket.ts';

async function* ofBlocks(texts: AsyncGenerator<string>): AsyncGenerator<Arrived> {
  for await (const block of texts) {
    const retryMs = Number(lineOf(block, 'retry'));
    if (retryMs > 0) yield { kind: 'retry', retryMs };
    const event = lineOf(block, 'event');
    const id = lineOf(block, 'id');
    if (event !== '') yield { kind: 'event', event: { ...JSON.parse(lineOf(block, 'data')), event, id } };
  }
}

/** Opens a connection; its messages end with it. @param makeSocket of a WebSocket; undefined: by server-sent events */
export async function openArrivals(
  { http }: Pick<FollowParts, 'http'>,
  { url, id, secret }: Reading,
  makeSocket: SocketMaker | undefined,
  stop: AbortController,
  silentMs: number,
): Promise<AsyncGenerator<Arrived> | Sent> {
  if (makeSocket !== undefined) {
    const { ofSocket } = await import('./web-socket.ts');
    return ofSocket({ url, id, secret }, makeSocket, stop.signal, silentMs);
  }
  const sent = await ask(http, url, { id, secret }, stop, silentMs);
  return sent instanceof Response ? ofBlocks(blocks(sent, stop, silentMs)) : sent;
}
