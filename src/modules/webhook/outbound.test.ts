import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Loopback, serve } from '../../../test/collect/loopback.ts';
import { ManualTime } from '../../../test/collect/manual-time.ts';
import { DEADLINE_MS, Outbound, type OutboundOptions, type Posted } from './outbound.ts';
import { type Receiver, readReceiver } from './receiver.ts';

const MESSAGE = { headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
const NEVER = new AbortController().signal;
const post = (receiver: Receiver, options: OutboundOptions = {}): Promise<Posted> =>
  new Outbound(options).post(receiver, MESSAGE, NEVER);

/** A server of bare connections on loopback. */
async function listen(host: string, taken: (socket: Socket) => void, port = 0): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    taken(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};
const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** A receiver as {@link readReceiver} would have it of a name, but over http. */
const named = (host: string, port: number): Receiver => ({
  url: `http://${host}:${port}/hook`,
  origin: `http://${host}:${port}`,
  path: '/hook',
  host,
  isLoopback: false,
});

describe('attempts to reach what is not public', () => {
  let servers: readonly Server[];
  let port: number;
  let connections = 0;
  beforeAll(async () => {
    const count = (socket: Socket): void => {
      connections += 1;
      socket.destroy();
    };
    const first = await listen('127.0.0.1', count);
    port = portOf(first);
    const second = await listen('::1', count, port).catch(() => undefined);
    servers = second === undefined ? [first] : [first, second];
  });
  afterAll(async () => {
    expect(connections).toBe(0);
    await Promise.all(servers.map(closed));
  });

  it.each([
    'http://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/',
    'https://127.1:PORT/',
    'https://127.0.1:PORT/',
    'https://2130706433:PORT/',
    'https://0x7f000001:PORT/',
    'https://0x7f.0.0.1:PORT/',
    'https://0x7f.1:PORT/',
    'https://0177.0.0.1:PORT/',
    'https://017700000001:PORT/',
    'https://0177.0x0.0.01:PORT/',
    'https://127.0.0.1.:PORT/',
    'https://①②⑦.⓪.⓪.①:PORT/',
    'https://127。0。0。1:PORT/',
    'https://%31%32%37.0.0.1:PORT/',
    'https://0:PORT/',
    'https://0.0.0.0:PORT/',
    'https://[::1]:PORT/',
    'https://[0:0:0:0:0:0:0:1]:PORT/',
    'https://[::]:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
    'https://[::ffff:7f00:1]:PORT/',
    'https://[::127.0.0.1]:PORT/',
    'https://[64:ff9b::127.0.0.1]:PORT/',
    'https://[2002:7f00:1::]:PORT/',
    'https://[2001:0:7f00:1::]:PORT/',
    'https://[fe80::1%25lo]:PORT/',
    'https://[fe80::1%lo]:PORT/',
    'https://[fd00:ec2::254]:PORT/',
    'https://169.254.169.254:PORT/latest/meta-data/',
    'https://0xa9fea9fe:PORT/',
    'https://2852039166:PORT/',
    'https://100.100.100.200:PORT/',
    'https://192.0.0.192:PORT/',
    'https://168.63.129.16:PORT/',
    'https://10.0.0.1:PORT/',
    'https://172.16.0.1:PORT/',
    'https://192.168.0.1:PORT/',
    'https://255.255.255.255:PORT/',
    'https://224.0.0.1:PORT/',
    'https://localhost:PORT/',
    'https://LOCALHOST:PORT/',
    'https://localhost.:PORT/',
    'https://ｌocalhost:PORT/',
    'https://hooks.localhost:PORT/',
    'https://localhost.localdomain:PORT/',
    'https://ip6-localhost:PORT/',
    'https://metadata.google.internal:PORT/',
    'https://printer.local:PORT/',
    'https://router.lan:PORT/',
    'https://db.home.arpa:PORT/',
    'https://db:PORT/',
    'https://hooks.example.com.:PORT/',
    'https://hooks..example.com:PORT/',
    'https://user:pass@hooks.example.com:PORT/',
    'https://127.0.0.1@hooks.example.com:PORT/',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:6379/',
    'https://hooks.example.com/',
    'http://hooks.example.com:PORT/',
    'ftp://127.0.0.1:PORT/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:PORT/_',
    'data:text/plain,a',
    '//127.0.0.1:PORT/',
    '/hook',
    '',
    `https://hooks.example.com:PORT/${'a'.repeat(2048)}`,
  ])('%s: refused as it is bought', (text) => {
    const rules = { allowLoopback: false, ports: new Set([port]) };
    const read = readReceiver(text.replace('PORT', String(port)), rules);
    expect(read.ok ? read.receiver.host : read.reason).toMatch(/^must /);
  });

  it.each([
    [['127.0.0.1']],
    [['127.0.0.53']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['::ffff:7f00:1']],
    [['0.0.0.0']],
    [['::']],
    [['10.1.2.3']],
    [['172.17.0.1']],
    [['192.168.178.1']],
    [['169.254.169.254']],
    [['100.100.100.200']],
    [['100.64.0.1']],
    [['192.0.0.192']],
    [['168.63.129.16']],
    [['fd00:ec2::254']],
    [['fe80::1']],
    [['fe80::1%lo']],
    [['64:ff9b::7f00:1']],
    [['2002:7f00:1::1']],
    [['2001:0:7f00:1::']],
    [['1.1.1.1', '127.0.0.1']],
    [['127.0.0.1', '1.1.1.1']],
    [['2606:4700:4700::1111', '::1']],
    [['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4', '1.1.1.5', '127.0.0.1']],
    [['localhost']],
    [['2130706433']],
  ])('a name with the addresses %s: no connection', async (addresses) => {
    const receiver = named('hooks.example.com', port);
    const posted = await post(receiver, { resolve: async () => addresses });
    expect(posted).toMatchObject({ ok: false, kind: 'forbidden' });
  });

  it("a name with the service's own address: no connection", async () => {
    const options = { resolve: async () => ['1.1.1.1'], own: () => ['1.1.1.1'] };
    const posted = await post(named('hooks.example.com', port), options);
    expect(posted).toMatchObject({ ok: false, kind: 'forbidden', reason: expect.stringContaining('own') });
  });

  it.each([
    [async () => [], 'the name of the receiver has no address'],
    [async () => Promise.reject(new Error('SERVFAIL')), 'the name of the receiver cannot be resolved'],
  ])('a name without addresses: unresolved', async (resolve, reason) => {
    const posted = await post(named('hooks.example.com', port), { resolve });
    expect(posted).toEqual({ ok: false, kind: 'unresolved', reason });
  });

  it('a name that has another address at each look-up: looked up once', async () => {
    const heard: (string | undefined)[] = [];
    const allowed = await serve((request, response) => {
      heard.push(request.headers.host);
      response.end();
    });
    const at = Number(new URL(allowed.url).port);
    const inner = await listen('::1', () => heard.push('the other address'), at).catch(() => undefined);
    const answers = [['127.0.0.1'], ['::1']];
    let asked = 0;
    const options: OutboundOptions = {
      resolve: async () => answers[asked++] ?? [],
      judge: (address) => (address === '127.0.0.1' ? undefined : 'loopback'),
      own: () => [],
    };
    try {
      const posted = await post(named('hooks.example.com', at), options);
      expect(posted).toMatchObject({ ok: true, status: 200 });
      expect(asked).toBe(1);
      expect(heard).toEqual([`hooks.example.com:${at}`]);
    } finally {
      await Promise.all([allowed.close(), inner && closed(inner)]);
    }
  });
});

describe('loopback by the explicit setting', () => {
  const rules = { allowLoopback: true };

  it.each([
    ['http://127.0.0.1:9000/hook', true],
    ['http://localhost:9000/', true],
    ['https://[::1]:9000/', true],
    ['http://2130706433:9000/', true],
    ['http://10.0.0.1:9000/', false],
    ['http://[::ffff:127.0.0.1]:9000/', false],
    ['http://hooks.example.com/', false],
    ['http://user@127.0.0.1:9000/', false],
    ['ftp://127.0.0.1/', false],
  ])('%s: allowed is %s', (text, allowed) => {
    expect(readReceiver(text, rules).ok).toBe(allowed);
  });

  it('a name that resolves to loopback: forbidden all the same', async () => {
    const read = readReceiver('https://hooks.example.com/', rules);
    if (!read.ok) throw new Error(read.reason);
    const posted = await post(read.receiver, { resolve: async () => ['127.0.0.1'] });
    expect(posted).toMatchObject({ ok: false, kind: 'forbidden' });
  });
});

describe('receivers that misbehave', () => {
  let server: Server;
  let loopback: Loopback | undefined;
  const sockets = new Set<Socket>();
  let taken: (socket: Socket) => void = () => {};
  beforeEach(async () => {
    server = await listen('127.0.0.1', (socket) => {
      sockets.add(socket);
      socket.once('data', () => taken(socket));
    });
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await Promise.all([closed(server), loopback?.close()]);
    loopback = undefined;
  });
  const receiver = (): Receiver => {
    const read = readReceiver(`http://127.0.0.1:${portOf(server)}/hook`, { allowLoopback: true });
    if (!read.ok) throw new Error(read.reason);
    return read.receiver;
  };

  it('a redirect: not followed', async () => {
    let followed = 0;
    loopback = await serve((_, response) => {
      followed += 1;
      response.end();
    });
    const { url } = loopback;
    taken = (socket) => socket.end(`HTTP/1.1 302 Found\r\nlocation: ${url}/\r\ncontent-length: 0\r\n\r\n`);
    expect(await post(receiver())).toMatchObject({ ok: true, status: 302 });
    expect(followed).toBe(0);
  });

  it('an endless body: cut off, the status counts', async () => {
    taken = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = (): void => {
        while (socket.writable && socket.write('a'.repeat(1024)));
        if (socket.writable) socket.once('drain', more);
      };
      more();
    };
    const posted = await post(receiver());
    expect(posted).toMatchObject({ ok: true, status: 200 });
    expect(posted.ok && posted.body.length).toBeLessThanOrEqual(4096);
  });

  it.each([
    ['a flood of 1xx', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
    ['a head that is too long', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(9000)}\r\n\r\n`],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  ])('%s: a failure', async (_, bytes) => {
    taken = (socket) => socket.write(bytes);
    expect(await post(receiver())).toMatchObject({ ok: false, kind: 'reset' });
  });

  it('a connection that is closed without an answer: a failure', async () => {
    taken = (socket) => socket.destroy();
    expect(await post(receiver())).toMatchObject({ ok: false, kind: 'reset' });
  });

  it('a port where nobody listens: a failure', async () => {
    const gone = receiver();
    await closed(server);
    expect(await post(gone)).toMatchObject({ ok: false, kind: 'refused' });
    server = await listen('127.0.0.1', () => {});
  });

  it.each([
    ['never answers', ''],
    ['sends its head in drops', 'HTTP/1.1 200 O'],
    ['stays in 1xx', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ])('a receiver that %s: ends at the deadline', async (_, bytes) => {
    const time = new ManualTime();
    const reached = new Promise<void>((resolve) => {
      taken = (socket) => {
        socket.write(bytes);
        resolve();
      };
    });
    const posting = post(receiver(), { timer: time.timer });
    await reached;
    await time.advance(DEADLINE_MS);
    expect(await posting).toMatchObject({ ok: false, kind: 'timeout' });
    expect(time.pending).toBe(0);
  });

  it('a resolver that hangs: ends at the deadline', async () => {
    const time = new ManualTime();
    const resolve = (): Promise<readonly string[]> => new Promise(() => {});
    const posting = post(named('hooks.example.com', 443), { timer: time.timer, resolve });
    await time.advance(DEADLINE_MS);
    expect(await posting).toMatchObject({ ok: false, kind: 'timeout' });
  });

  it('the service stops: nothing is known of the attempt', async () => {
    const stop = new AbortController();
    taken = () => stop.abort();
    const posted = await new Outbound().post(receiver(), MESSAGE, stop.signal);
    expect(posted).toMatchObject({ ok: false, kind: 'aborted' });
  });
});
