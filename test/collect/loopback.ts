import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Loopback {
  readonly url: string;
  readonly server: Server;
  /** TCP connections accepted so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** An HTTP server on a free loopback port. */
export async function serve(listener: RequestListener): Promise<Loopback> {
  // Node's five seconds would end connections of a client that a busy machine holds up as it asks.
  const server = createServer({ keepAliveTimeout: 300_000 }, listener);
  let connections = 0;
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
