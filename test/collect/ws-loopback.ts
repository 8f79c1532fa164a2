import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** A client that connected, with the frames it sent. */
export interface Peer {
  readonly socket: WebSocket;
  readonly path: string;
  readonly userAgent: string | undefined;
  readonly received: string[];
  send(frame: unknown): void;
}

export interface WsLoopback {
  readonly url: string;
  /** All clients that ever connected, in order. */
  readonly peers: readonly Peer[];
  close(): Promise<void>;
}

/**
 * A WebSocket server on loopback.
 *
 * @param onPeer called with every client
 * @param accept whether to let a client in
 */
export async function serveWs(
  onPeer: (peer: Peer) => void = () => {},
  accept: (request: IncomingMessage) => boolean = () => true,
  port = 0,
): Promise<WsLoopback> {
  const server = new WebSocketServer({
    port,
    host: '127.0.0.1',
    // Packs every frame, where the client offers it.
    perMessageDeflate: { threshold: 0 },
    verifyClient: ({ req }: { req: IncomingMessage }) => accept(req),
  });
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const peers: Peer[] = [];
  server.on('connection', (socket, request) => {
    const received: string[] = [];
    const send = (frame: unknown): void => socket.send(JSON.stringify(frame));
    const userAgent = request.headers['user-agent'];
    const peer = { socket, path: request.url ?? '', userAgent, received, send };
    peers.push(peer);
    socket.on('message', (data) => received.push(String(data)));
    onPeer(peer);
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    peers,
    close: () =>
      new Promise((resolve) => {
        for (const client of server.clients) client.terminate();
        server.close(() => resolve());
      }),
  };
}
