import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Loopback, serve } from '../../test/collect/loopback.ts';
import { ManualTime } from '../../test/collect/manual-time.ts';
import { RecordingSink, tinyCall, tinyPoll, tinyVenue } from '../../test/collect/tiny-venue.ts';
import { type Peer, serveWs, type WsLoopback } from '../../test/collect/ws-loopback.ts';
import { isWire } from '../domain/read.ts';
import type { VenueAdapter } from '../venues/adapter.ts';
import { type Collector, type CollectorOptions, createCollector } from './collector.ts';

/** Polls of a condition are quick, patience is long: the machine may be busy. */
const WAIT = { interval: 2, timeout: 30_000 };

type Answer = (res: ServerResponse, req: IncomingMessage) => void;

let time: ManualTime;
let server: Loopback;
let sink: RecordingSink;
let collector: Collector | undefined;
/** Answers by path; `{"list":…}` rows otherwise. */
let answers: Record<string, Answer>;
let hits: string[];
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => {
  unhandled.push(reason);
};

const rows = (...symbols: string[]): Answer => {
  return (res) => res.end(JSON.stringify(symbols.map((symbol) => ({ symbol, list: true }))));
};
const marks = (...symbols: string[]): Answer => {
  return (res) => res.end(JSON.stringify(symbols.map((symbol) => ({ symbol, mark: '5' }))));
};

beforeEach(async () => {
  time = new ManualTime();
  sink = new RecordingSink();
  answers = {};
  hits = [];
  unhandled.length = 0;
  process.on('unhandledRejection', onUnhandled);
  server = await serve((req, res) => {
    const path = req.url ?? '';
    hits.push(path);
    const answer = answers[path] ?? (path.endsWith('/instruments') ? rows('A', 'B') : marks('A', 'B'));
    answer(res, req);
  });
});

afterEach(async () => {
  await collector?.stop();
  await server.close();
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
  expect(time.pending).toBe(0);
});

function collect(venues: readonly VenueAdapter[], more: Partial<CollectorOptions> = {}): Collector {
  const { options, ...rest } = more;
  collector = createCollector({
    venues,
    sink,
    clock: time.clock,
    options: {
      timer: time.timer,
      random: () => 0.5,
      http: { deadlineMs: 5000 },
      circuit: { restMs: 1, longestRestMs: 1, retries: 0 },
      ...options,
    },
    ...rest,
  });
  return collector;
}

const venueAt = (id: string, more: Partial<VenueAdapter> = {}) => tinyVenue(id, `${server.url}/${id}`, more);

async function until(condition: () => void, stepMs = 100): Promise<void> {
  await vi.waitFor(async () => {
    await time.advance(stepMs);
    condition();
  }, WAIT);
}

/** Moves on in steps of 200 ms; before each, what these venues were asked has been answered. */
async function run(ms: number, ...venues: string[]): Promise<void> {
  const pending = (venue: string): number =>
    Object.values(collector?.stats().venues[venue]?.polls ?? {}).reduce(
      (sum, poll) => sum + poll.requests - poll.rounds,
      0,
    );
  for (let t = 0; t < ms; t += 200) {
    await time.advance(200);
    await vi.waitFor(() => expect(venues.map(pending)).toEqual(venues.map(() => 0)), WAIT);
  }
}

describe('Collector', () => {
  it('announces a venue, then its contracts, then its quotes', async () => {
    await collect([venueAt('v')]).start();
    await until(() => expect(sink.count('v')).toBeGreaterThan(0));
    expect(sink.events.slice(0, 3)).toEqual(['venue v', 'instruments v A,B', 'quotes v A,B']);
    expect(collector?.health.of('v')).toMatchObject({ status: 'live', errorRate5m: 0, lastError: undefined });
  });

  it('sends nothing before start, and start returns before any answer', async () => {
    answers['/v/instruments'] = () => {};
    const made = collect([venueAt('v')]);
    await time.advance(5000);
    expect(hits).toEqual([]);
    await made.start();
    await until(() => expect(hits).toEqual(['/v/instruments']));
  });

  it('asks again at each cadence: quotes often, contracts seldom', async () => {
    await collect([venueAt('v')]).start();
    await run(10_000, 'v');
    expect(hits.filter((path) => path === '/v/instruments')).toHaveLength(1);
    expect(hits.filter((path) => path === '/v/marks').length).toBeGreaterThanOrEqual(10);
    answers['/v/instruments'] = rows('A', 'C');
    await until(() => expect(sink.events).toContain('instruments v A,C'), 5000);
  });

  it('keeps the last list when the next one fails, is empty or is cut, and asks again soon', async () => {
    await collect([venueAt('v')]).start();
    await until(() => expect(sink.events).toContain('instruments v A,B'));
    for (const bad of [
      (res: ServerResponse) => res.writeHead(500).end(),
      (res: ServerResponse) => res.end('[]'),
      (res: ServerResponse) => res.end('{"code":-1}'),
    ]) {
      answers['/v/instruments'] = bad;
      const before = hits.filter((path) => path === '/v/instruments').length;
      await until(
        () => expect(hits.filter((path) => path === '/v/instruments').length).toBeGreaterThan(before + 1),
        2000,
      );
    }
    expect(collector?.health.of('v')?.lastError).toMatch(/^instruments: /);
    expect(sink.events.filter((event) => event.startsWith('instruments'))).toEqual(['instruments v A,B']);
    answers['/v/instruments'] = rows('A', 'B', 'C');
    await until(() => expect(sink.events).toContain('instruments v A,B,C'), 1000);
    expect(collector?.stats().venues.v?.contracts).toBe(3);
  });

  it('holds quotes back until there are contracts', async () => {
    answers['/v/instruments'] = (res) => res.writeHead(503).end();
    await collect([venueAt('v')]).start();
    await until(() => expect(hits.length).toBeGreaterThan(3), 1000);
    expect(hits).not.toContain('/v/marks');
    delete answers['/v/instruments'];
    await until(() => expect(sink.count('v')).toBeGreaterThan(0), 1000);
  });

  it('follows pages, and publishes no list of contracts of which a page failed', async () => {
    const pages = {
      nextPage: (payload: unknown) => {
        const last = Array.isArray(payload) ? payload.at(-1) : undefined;
        return isWire(last) && last.symbol === 'B'
          ? ({ method: 'GET', path: '/instruments?page=2' } as const)
          : undefined;
      },
      kind: 'instruments',
      everyMs: 3000,
    } as const;
    answers['/v/instruments?page=2'] = (res) => res.writeHead(500).end();
    const polls = [tinyPoll('v', 'instruments', pages), tinyPoll('v', 'marks')];
    await collect([venueAt('v', { polls })]).start();
    await until(() => expect(hits).toContain('/v/instruments?page=2'));
    answers['/v/instruments?page=2'] = rows('C');
    await until(() => expect(sink.events).toContain('instruments v A,B,C'));
    expect(sink.events.filter((event) => event.startsWith('instruments v'))).toEqual(['instruments v A,B,C']);
  });

  it('plans per-contract calls by volume, most traded first, spread over the period', async () => {
    const perContract = tinyPoll('v', 'oi', {
      everyMs: 1000,
      spread: true,
      requests: (plan) => plan.instruments.map((i) => ({ method: 'GET', path: `/oi?s=${i.symbol}` })),
    });
    answers['/v/instruments'] = (res) => {
      const list = ['A', 'B', 'C', 'D'].map((symbol, i) => ({ symbol, list: true, volume: String(i) }));
      res.end(JSON.stringify(list));
    };
    const instruments = tinyPoll('v', 'instruments', { kind: 'instruments', everyMs: 60_000 });
    await collect([venueAt('v', { polls: [instruments, perContract] })]).start();
    await until(() => expect(hits.filter((p) => p.startsWith('/v/oi')).length).toBeGreaterThan(4));
    await time.advance(60_000);
    hits.length = 0;
    await until(() => expect(hits.filter((p) => p.startsWith('/v/oi')).length).toBeGreaterThan(12), 50);
    expect(hits.join(' ')).toContain('/v/oi?s=D /v/oi?s=C /v/oi?s=B /v/oi?s=A');
  });

  it('never overlaps a poll with itself', async () => {
    let open = 0;
    let most = 0;
    answers['/v/marks'] = (res) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        marks('A')(res, new Proxy({} as IncomingMessage, {}));
      });
    };
    const polls = [
      tinyPoll('v', 'instruments', { kind: 'instruments' }),
      tinyPoll('v', 'marks', { everyMs: 10 }),
    ];
    await collect([venueAt('v', { polls })]).start();
    await until(() => expect(sink.count('v')).toBeGreaterThan(20), 50);
    expect(most).toBe(1);
  });

  it('counts what it does, as plain data', async () => {
    await collect([venueAt('v')]).start();
    await run(2000, 'v');
    const stats = collector?.stats();
    expect(JSON.parse(JSON.stringify(stats))).toMatchObject({
      venues: {
        v: {
          contracts: 2,
          polls: {
            instruments: { kind: 'instruments', requests: 1, weight: 1, rounds: 1, goodRounds: 1 },
            marks: { kind: 'quotes', failures: { timeout: 0 }, unreadable: 0, rejects: 0 },
          },
        },
      },
      budgets: { v: { pools: { default: { limit: 1000, waiting: 0 } } } },
    });
    const poll = stats?.venues.v?.polls.marks;
    expect(poll?.bytes).toBe(
      (poll?.requests ?? 0) *
        JSON.stringify([
          { symbol: 'A', mark: '5' },
          { symbol: 'B', mark: '5' },
        ]).length,
    );
    expect(poll?.lastDurationMs).toBeGreaterThan(0);
    expect(poll?.decodeMs).toBeGreaterThan(0);
  });

  it('calls a venue on behalf of others, within its budget', async () => {
    const made = collect([venueAt('v')]);
    answers['/v/candles'] = (res) => res.end('[1]');
    const outcome = await made.request('v', { method: 'GET', path: '/candles', weight: 7 });
    expect(outcome).toEqual({ ok: true, value: { payload: [1], receivedAt: time.now } });
    expect(made.stats().budgets.v?.pools.default?.weight).toBe(7);
    expect(await made.request('w', { method: 'GET', path: '/x' })).toMatchObject({ ok: false });
    expect(await made.request('v', { method: 'GET', path: '/x', base: 'nope' })).toMatchObject({ ok: false });
    expect(await made.request('v', { method: 'GET', path: '@evil.example/' })).toMatchObject({ ok: false });
  });

  it('survives adapters and sinks that throw', async () => {
    const bomb = () => {
      throw new Error('adapter');
    };
    const polls = [
      tinyPoll('v', 'instruments', { kind: 'instruments' }),
      tinyPoll('v', 'plan', { requests: bomb }),
      tinyPoll('v', 'pages', { nextPage: bomb }),
      tinyPoll('v', 'decode', { call: { ...tinyCall('v', 'decode'), decode: bomb } }),
    ];
    sink.quotes = bomb;
    await collect([venueAt('v', { polls, streams: [] }), venueAt('w')]).start();
    await until(() => expect(collector?.stats().venues.w?.polls.marks?.rounds).toBeGreaterThan(3));
    expect(collector?.health.of('w')?.status).toBe('live');
    expect(collector?.health.of('v')?.lastError).toMatch(/adapter|decoder failed/);
  });
});

describe('Collector stops', () => {
  it('at once, whatever hangs or waits', async () => {
    answers['/hang/marks'] = () => {};
    answers['/slow/instruments'] = (res) => res.writeHead(429, { 'retry-after': '1000' }).end();
    const made = collect([venueAt('hang'), venueAt('slow'), venueAt('fine')]);
    await made.start();
    await until(() =>
      expect(hits).toEqual(expect.arrayContaining(['/hang/marks', '/slow/instruments', '/fine/marks'])),
    );
    await made.stop();
    expect(time.pending).toBe(0);
    const sent = hits.length;
    await time.advance(60_000);
    expect(hits).toHaveLength(sent);
    await vi.waitFor(() => {
      server.server.getConnections((_error, count) => expect(count).toBe(0));
    });
    expect(await made.request('fine', { method: 'GET', path: '/x' })).toMatchObject({
      failure: { kind: 'aborted' },
    });
  });
});

describe('Collector isolates venues', () => {
  const faults: readonly (readonly [string, Answer, RegExp])[] = [
    ['hangs', () => {}, /timeout/],
    ['drops connections', (res) => res.destroy(), /reset/],
    ['answers with a page', (res) => res.end('<html>maintenance</html>'), /HTML instead of JSON/],
    ['answers half JSON', (res) => res.end('[{"symbol":"A","ma'), /unreadable JSON/],
    ['answers too much', (res) => res.end(JSON.stringify('x'.repeat(20_000))), /too_large/],
    ['answers an error body', (res) => res.end('{"code":1}'), /nothing readable \(error_body\)/],
    ['fails', (res) => res.writeHead(502).end(), /HTTP 502/],
    [
      'refuses for seconds',
      (res) => res.writeHead(429, { 'retry-after': '2' }).end(),
      /HTTP 429, pausing for 2 s/,
    ],
    [
      'refuses for milliseconds',
      (res) => res.writeHead(429, { 'retry-after-ms': '1500' }).end(),
      /pausing for 2 s/,
    ],
    [
      'refuses until a date',
      (res) => res.writeHead(429, { 'retry-after': new Date(time.now + 3000).toUTCString() }).end(),
      /pausing for [23] s/,
    ],
  ];

  it.each(faults)(
    'one that %s: stale, then down with the reason, back by itself; the others unmoved',
    async (_name, fault, reason) => {
      const http = { deadlineMs: 1000, maxBodyBytes: 10_000 };
      const made = collect([venueAt('bad'), venueAt('good'), venueAt('fine')], {
        options: {
          http,
          timer: time.timer,
          random: () => 0.5,
          circuit: { restMs: 1, longestRestMs: 1, retries: 0 },
        },
      });
      await made.start();
      await run(2000, 'bad', 'good', 'fine');
      expect(made.health.of('bad')?.status).toBe('live');

      answers['/bad/marks'] = fault;
      const statuses = new Set<string | undefined>();
      for (let t = 0; t < 8; t++) {
        await run(1000, 'good', 'fine');
        statuses.add(made.health.of('bad')?.status);
        expect(made.health.of('good')).toMatchObject({
          status: 'live',
          lastError: undefined,
          errorRate5m: 0,
        });
        expect(made.health.of('fine')).toMatchObject({
          status: 'live',
          lastError: undefined,
          errorRate5m: 0,
        });
      }
      expect([...statuses]).toEqual(['live', 'stale']);
      await vi.waitFor(() => expect(made.health.of('bad')?.lastError).toMatch(reason), WAIT);
      expect(made.health.of('bad')?.errorRate5m).toBeGreaterThan(0);

      time.jump(15 * 60_000);
      expect(made.health.of('bad')?.status).toBe('down');
      delete answers['/bad/marks'];
      await until(
        () => expect(made.health.of('bad')).toMatchObject({ status: 'live', lastError: undefined }),
        1000,
      );
    },
  );
});

describe('Collector finds sub-venues', () => {
  const parentOf = (sub: (id: string) => VenueAdapter): Partial<VenueAdapter> => ({
    discovery: {
      everyMs: 10_000,
      weight: 1,
      request: { method: 'GET', path: '/subs' },
      adapters: (payload) => (Array.isArray(payload) ? payload.map((id) => sub(String(id))) : []),
    },
  });
  const listSubs = (...ids: string[]): void => {
    answers['/p/subs'] = (res) => res.end(JSON.stringify(ids));
  };

  it('adds them with the addresses of their parent, and ends those that vanish', async () => {
    const sub = (id: string) => tinyVenue(`p-${id}`, 'http://unused.invalid', { parent: 'p' });
    listSubs('x', 'y');
    const parent = tinyVenue('p', 'http://unused.invalid', parentOf(sub));
    const made = collect([parent], { bases: { p: { rest: `${server.url}/p` } } });
    await made.start();
    await until(() => expect(Math.min(sink.count('p-x'), sink.count('p-y'))).toBeGreaterThan(0));
    expect(sink.events).toContain('venue p-x');
    expect(made.health.all().map((h) => [h.venue, h.status])).toEqual([
      ['p', 'live'],
      ['p-x', 'live'],
      ['p-y', 'live'],
    ]);

    listSubs('y', 'z');
    await until(() => expect(sink.count('p-z')).toBeGreaterThan(0), 1000);
    expect(made.health.of('p-x')).toMatchObject({
      status: 'down',
      lastError: expect.stringMatching(/no longer listed/),
    });
    expect(sink.events).toContain('instruments p-x ');
    expect(Object.keys(made.stats().venues)).toEqual(['p', 'p-y', 'p-z']);
    const count = sink.count('p-x');

    listSubs('x', 'y', 'z');
    await until(() => expect(sink.count('p-x')).toBeGreaterThan(count), 1000);
    expect(made.health.of('p-x')?.status).toBe('live');
  });

  it('does not believe a first answer without any, nor one that fails', async () => {
    const sub = (id: string) => venueAt(`p-${id}`, { parent: 'p' });
    listSubs('x');
    const made = collect([venueAt('p', parentOf(sub))]);
    await made.start();
    await until(() => expect(sink.count('p-x')).toBeGreaterThan(0));
    const seen = (): number => hits.filter((path) => path === '/p/subs').length;
    answers['/p/subs'] = (res) => res.writeHead(500).end('null');
    await until(() => expect(seen()).toBe(2), 1000);
    listSubs();
    await until(() => expect(seen()).toBe(3), 1000);
    expect(Object.keys(made.stats().venues)).toEqual(['p', 'p-x']);
    await until(() => expect(Object.keys(made.stats().venues)).toEqual(['p']), 1000);
    expect(seen()).toBe(4);
  });

  it('never takes over a venue that is not its own', async () => {
    const sub = (id: string) => venueAt(id);
    listSubs('v', 'x');
    const made = collect([venueAt('p', parentOf(sub)), venueAt('v')]);
    await made.start();
    await until(() => expect(sink.count('x')).toBeGreaterThan(0));
    listSubs('z');
    await until(() => expect(sink.count('z')).toBeGreaterThan(0), 1000);
    expect(Object.keys(made.stats().venues).sort()).toEqual(['p', 'v', 'z']);
  });
});

describe('Collector streams', () => {
  let sockets: WsLoopback;
  beforeEach(async () => {
    sockets = await serveWs();
  });
  afterEach(() => sockets.close());

  const stream = {
    name: 'marks',
    base: 'ws',
    path: '/ws',
    call: tinyCall('v', 'marks'),
    topics: (plan: { readonly instruments: readonly { readonly symbol: string }[] }) =>
      plan.instruments.map((i) => i.symbol),
    subscribe: (topics: readonly string[]) => [topics.join(',')],
    topicsPerConnection: 10,
    topicsPerFrame: 10,
    framesPerSecond: 100,
    maxConnections: 1,
    compression: 'none',
    silenceMs: 10_000,
  } as const;
  const firstPeer = async (): Promise<Peer> => {
    await until(() => expect(sockets.peers[0]?.received).toHaveLength(1));
    const [peer] = sockets.peers;
    if (peer === undefined) throw new Error('no peer');
    return peer;
  };

  it('follow the contracts and feed the sink like polls', async () => {
    const polls = [tinyPoll('v', 'instruments', { kind: 'instruments', everyMs: 5000 })];
    const bases = { rest: `${server.url}/v`, ws: sockets.url };
    const made = collect([venueAt('v', { polls, bases, streams: [stream] })]);
    await made.start();
    const peer = await firstPeer();
    expect(peer.path).toBe('/ws');
    expect(peer.received).toEqual(['A,B']);
    peer.send([{ symbol: 'A', mark: '7' }]);
    await until(() => expect(sink.events).toContain('quotes v A'), 0);
    expect(made.health.of('v')?.status).toBe('live');
    expect(made.stats().venues.v?.streams['stream marks']).toMatchObject({
      dataFrames: 1,
      quotes: 1,
      topics: 2,
    });
    peer.send({ error: 'bad topic' });
    await until(() => expect(made.health.of('v')?.lastError).toMatch(/stream marks: nothing readable/), 0);
    peer.send([{ symbol: 'A', mark: '7' }]);
    await until(() => expect(made.health.of('v')?.lastError).toBeUndefined(), 0);
    answers['/v/instruments'] = rows('A', 'B', 'C');
    await until(() => expect(peer.received).toEqual(['A,B', 'C']), 500);
  });

  it('go where their handshake says, but not outside the venue', async () => {
    const handshake = {
      request: { method: 'POST', path: '/bullet', weight: 10 },
      address: (payload: unknown) =>
        isWire(payload) && typeof payload.at === 'string' ? payload.at : undefined,
    } as const;
    answers['/v/bullet'] = (res) => res.end(JSON.stringify({ at: 'wss://evil.example/x' }));
    const polls = [tinyPoll('v', 'instruments', { kind: 'instruments' })];
    const made = collect([venueAt('v', { polls, streams: [{ ...stream, handshake }] })]);
    await made.start();
    await until(() => expect(made.health.of('v')?.lastError).toMatch(/stream marks: handshake refused/));
    answers['/v/bullet'] = (res) => res.end(JSON.stringify({ at: `${sockets.url}/t?token=1` }));
    await until(() => expect(sockets.peers).toHaveLength(1), 1000);
    expect(sockets.peers[0]?.path).toBe('/t?token=1');
    expect(made.stats().venues.v?.requests.weight).toBeGreaterThanOrEqual(20);
  });
});
