import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { asMs } from '../../../src/domain/units.ts';
import { toyVenue } from '../../../test/sim/toy-venue.ts';
import { until } from '../../../test/until.ts';
import { createWorld } from './create-world.ts';
import { type SimServer, startSimServer } from './server.ts';
import type { SimVenue } from './venue.ts';

const T0 = Date.UTC(2026, 9, 20, 12, 0, 30);
const world = createWorld(1);

let now = T0;
let server: SimServer | undefined;

async function start(venues: readonly SimVenue[] = [toyVenue('toy')]): Promise<SimServer> {
  now = T0;
  server = await startSimServer({ world, venues, clock: { now: () => asMs(now) }, tickMs: 0 });
  return server;
}

afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A request whose answer is left as it is on the wire. */
function raw(url: string, headers: Record<string, string> = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const req = request(url, { headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }),
      );
    });
    req.on('error', reject);
    req.end();
  });
}

describe('the server', () => {
  it('mounts venues by prefix and passes method, query and body on', async () => {
    const { url } = await start();
    const got = await (await fetch(`${url}/toy/echo?q=a%20b`, { method: 'POST', body: '{"x":1}' })).json();
    expect(got).toEqual({ method: 'POST', query: 'a b', body: '{"x":1}' });
    expect((await raw(`${url}/nowhere/echo`)).status).toBe(404);
    expect((await raw(`${url}/toy/nothing`)).status).toBe(404);
  });

  it('answers for venues that share an address', async () => {
    const child = toyVenue('toy-child', {
      parent: 'toy',
      rest: (req) => (req.path === '/child' ? { status: 200, body: '{"child":true}' } : undefined),
    });
    const { url } = await start([toyVenue('toy'), child]);
    expect(String((await raw(`${url}/toy/child`)).body)).toBe('{"child":true}');
    expect((await raw(`${url}/toy-child/child`)).status).toBe(404);
  });

  it('compresses bodies over 1 KB where the client accepts gzip', async () => {
    const { url } = await start();
    const plain = await raw(`${url}/toy/marks`);
    const packed = await raw(`${url}/toy/marks`, { 'accept-encoding': 'gzip, deflate' });
    const small = await raw(`${url}/toy/echo`, { 'accept-encoding': 'gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(small.headers['content-encoding']).toBeUndefined();
    expect(packed.body.length).toBeLessThan(plain.body.length);
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  });

  it('says that it is a simulation', async () => {
    const { url } = await start();
    const health = JSON.parse(String((await raw(`${url}/__sim/health`)).body));
    expect(health).toMatchObject({ simulated: true, seed: 1, venues: ['toy'], now: T0 });
  });

  it('answers 500, and lives on, when a venue throws', async () => {
    const broken = toyVenue('broken', {
      rest: () => {
        throw new Error('bad renderer');
      },
    });
    const { url } = await start([broken, toyVenue('toy')]);
    expect((await raw(`${url}/broken/x`)).status).toBe(500);
    expect((await raw(`${url}/toy/echo`)).status).toBe(200);
  });
});

describe('rate limits', () => {
  const limit = { weight: 100, perMs: 60_000, status: 418, body: '{"code":-1003}', usedHeader: 'x-used' };

  it('refuse what goes over the weight of a window, until the next one', async () => {
    const { url, log } = await start([toyVenue('toy', { limit })]);
    expect((await raw(`${url}/toy/marks`)).headers['x-used']).toBe('40');
    expect((await raw(`${url}/toy/marks`)).headers['x-used']).toBe('80');
    const refused = await raw(`${url}/toy/marks`);
    expect([refused.status, String(refused.body)]).toEqual([418, '{"code":-1003}']);
    expect(refused.headers['retry-after']).toBe('30');
    expect((await raw(`${url}/toy/echo`)).headers['x-used']).toBe('81');
    expect(log.of('toy')).toMatchObject({ requests: 4, weight: 81, refused: 1 });
    now += 30_000;
    expect((await raw(`${url}/toy/marks`)).headers['x-used']).toBe('40');
  });

  it('say the wait in milliseconds where the venue does', async () => {
    const { url } = await start([toyVenue('toy', { limit: { ...limit, weight: 1, retryAfterUnit: 'ms' } })]);
    expect((await raw(`${url}/toy/marks`)).headers['retry-after']).toBe('30000');
  });

  it('are one for venues that share an address', async () => {
    const child = toyVenue('child', { parent: 'toy', rest: () => ({ status: 200, body: '{}', weight: 70 }) });
    const { url } = await start([toyVenue('toy', { limit }), child]);
    expect((await raw(`${url}/toy/child-call`)).status).toBe(200);
    expect((await raw(`${url}/toy/marks`)).status).toBe(418);
  });

  it('log the last requests', async () => {
    const { url, log } = await start();
    await raw(`${url}/toy/echo?q=1`);
    await raw(`${url}/toy/none`);
    expect(log.entries().map(({ venue, path, status, weight }) => [venue, path, status, weight])).toEqual([
      ['toy', '/echo?q=1', 200, 1],
      ['toy', '/none', 404, 0],
    ]);
    expect(log.of('toy').unknown).toBe(1);
    const counts = JSON.parse(String((await raw(`${url}/__sim/log`)).body));
    expect(counts.toy.requests).toBe(2);
  });
});

describe('streams', () => {
  it('drive sessions with the time of the world', async () => {
    const sim = await start();
    const { client, frames } = await connect(`${sim.url}/toy/ws?token=1`);
    expect(sim.asking('toy')).toBe(0);
    client.send('btc');
    await until(() => expect(frames).toEqual(['{"subscribed":"btc","path":"/ws?token=1"}']));
    expect(sim.asking('toy')).toBe(1);
    now = T0 + 1000;
    sim.tick();
    await until(() => expect(frames[1]).toBe(`{"now":${T0 + 1000}}`));
    expect(sim.connections('toy')).toBe(1);
    expect(sim.log.of('toy').sockets).toBe(1);
    client.terminate();
    await until(() => expect(sim.connections('toy')).toBe(0));
  });

  it('tick one after another, and the server answers requests in between', async () => {
    const order: string[] = [];
    const onTick = (): void => {
      order.push('session');
      setImmediate(() => order.push('server'));
    };
    const venue = toyVenue('toy', { socket: () => ({ onMessage: () => {}, onTick }) });
    server = await startSimServer({ world, venues: [venue], tickMs: 5 });
    for (let i = 0; i < 3; i++) await connect(`${server.url}/toy/ws`);
    await until(() => expect(server?.connections('toy')).toBe(3));
    const from = order.length;
    await until(() => expect(order.length).toBeGreaterThan(from + 20));
    const turns = order.slice(from).join(' ');
    expect(turns).toContain('session server session server session');
    expect(turns).not.toContain('session session');
  });

  it('close a session that throws, and live on', async () => {
    const sim = await start();
    const { client, closed } = await connect(`${sim.url}/toy/ws`);
    client.send('fail');
    expect(await closed).toBe(1011);
    expect((await raw(`${sim.url}/toy/echo`)).status).toBe(200);
  });

  it('are refused where the venue has none', async () => {
    const { socket: _none, ...silent } = toyVenue('silent');
    const sim = await start([silent]);
    await expect(connect(`${sim.url}/silent/ws`)).rejects.toThrow('404');
    await expect(connect(`${sim.url}/nobody/ws`)).rejects.toThrow('404');
  });

  it('packed venues: a client that offers no packing is refused', async () => {
    const sim = await start([toyVenue('strict', { socketNeedsDeflate: true }), toyVenue('toy')]);
    await expect(connect(`${sim.url}/strict/ws`, false)).rejects.toThrow('403');
    expect((await connect(`${sim.url}/strict/ws`)).client.extensions).toBe('permessage-deflate');
    expect((await connect(`${sim.url}/toy/ws`)).client.extensions).toBe('');
  });
});

interface Connected {
  readonly client: WebSocket;
  readonly frames: string[];
  readonly closed: Promise<number>;
}

function connect(url: string, perMessageDeflate = true): Promise<Connected> {
  const client = new WebSocket(url.replace(/^http/, 'ws'), { perMessageDeflate });
  const frames: string[] = [];
  client.on('message', (data) => frames.push(String(data)));
  const closed = new Promise<number>((done) => client.on('close', (code) => done(code)));
  return new Promise((resolve, reject) => {
    client.on('open', () => resolve({ client, frames, closed }));
    client.on('error', reject);
  });
}
