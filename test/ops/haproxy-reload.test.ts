import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import health from '../../src/products/examples/health.json' with { type: 'json' };
import { haproxyObstacle, startBalancer } from '../soak/haproxy.ts';

const obstacle = haproxyObstacle();
const ASKED = 'GET /v1/venues HTTP/1.1\r\nHost: shop\r\n\r\n';

/** Resolved with all that a connection has said once there is an answer; rejects where it is ended before. */
function answerOn(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('the connection was ended without an answer'));
    if (socket.destroyed) return ended();
    let said = '';
    socket.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      if (said.endsWith('sold')) resolve(said);
    });
    socket.once('close', ended);
    socket.write(ASKED);
  });
}

describe.skipIf(obstacle !== undefined)(`the balancer of the cluster (${obstacle ?? 'haproxy'})`, () => {
  const ends: (() => unknown)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0).reverse()) end();
  });

  async function seller(): Promise<{ readonly url: string }> {
    const server = createServer(({ url }, response) => {
      response.end(url === '/v1/health' ? JSON.stringify(health) : 'sold');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => server.close());
    ends.push(() => server.closeAllConnections());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  it('a connection kept over a reload: answered, and ended by that', async () => {
    const balancer = await startBalancer([await seller(), await seller()]);
    ends.push(() => balancer.stop());
    const socket = connect(Number(new URL(balancer.url).port), '127.0.0.1');
    socket.on('error', () => {});
    ends.push(() => socket.destroy());
    await once(socket, 'connect');
    expect(await answerOn(socket)).toContain('200 OK');
    await balancer.reload();
    const last = await answerOn(socket);
    expect(last).toContain('200 OK');
    expect(last.toLowerCase()).toContain('connection: close');
  });
});
