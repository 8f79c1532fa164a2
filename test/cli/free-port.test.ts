import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from '../../src/host/process/free-port.ts';

const HOST = '127.0.0.1';

it('finds a free port that no outgoing connection is given', async () => {
  for (let i = 0; i < 50; i++) {
    const port = await freePort(HOST);
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
    const server = createServer().listen(port, HOST);
    await once(server, 'listening');
    server.close();
  }
});

it('says what listen says where the host is none of this machine', async () => {
  await expect(freePort('192.0.2.1')).rejects.toThrow('EADDRNOTAVAIL');
});
