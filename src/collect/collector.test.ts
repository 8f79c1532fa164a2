import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type CollectorRig, eachWithRig, marks, rows } from '../../test/collect/collector-rig.ts';
import { tinyCall, tinyPoll } from '../../test/collect/tiny-venue.ts';
import { until } from '../../test/until.ts';
import { isWire } from '../domain/read.ts';

let rig: CollectorRig;
eachWithRig((made) => {
  rig = made;
});

describe('Collector', () => {
  it('announces a venue, then its contracts, then its quotes', async () => {
    await rig.collect([rig.venueAt('v')]).start();
    await rig.until(() => expect(rig.sink.count('v')).toBeGreaterThan(0));
    expect(rig.sink.events.slice(0, 3)).toEqual(['venue v', 'instruments v A,B', 'quotes v A,B']);
    expect(rig.collector?.health.of('v')).toMatchObject({
      status: 'live',
      errorRate5m: 0,
      lastError: undefined,
    });
  });

  it('sends nothing before start, and start returns before any answer', async () => {
    rig.answers['/v/instruments'] = () => {};
    const made = rig.collect([rig.venueAt('v')]);
    await rig.time.advance(5000);
    expect(rig.hits).toEqual([]);
    await made.start();
    await rig.until(() => expect(rig.hits).toEqual(['/v/instruments']));
  });

  it('asks again at each cadence: quotes often, contracts seldom', async () => {
    await rig.collect([rig.venueAt('v')]).start();
    await rig.run(10_000, 'v');
    expect(rig.hits.filter((path) => path === '/v/instruments')).toHaveLength(1);
    expect(rig.hits.filter((path) => path === '/v/marks').length).toBeGreaterThanOrEqual(10);
    rig.answers['/v/instruments'] = rows('A', 'C');
    await rig.until(() => expect(rig.sink.events).toContain('instruments v A,C'), 5000);
  });

  it('asks on at its cadence where the clock is set back during a round', async () => {
    await rig.collect([rig.venueAt('v')]).start();
    await rig.run(1000, 'v');
    const asked = (): number => rig.hits.filter((path) => path === '/v/marks').length;
    const before = asked();
    rig.answers['/v/marks'] = (res, req) => {
      if (asked() === before + 1) rig.time.setBack(3_600_000);
      marks('A', 'B')(res, req);
    };
    await rig.run(5000, 'v');
    expect(asked() - before).toBeGreaterThanOrEqual(4);
  });

  it('a list that fails, is empty or cut: the last one stays for now', async () => {
    await rig.collect([rig.venueAt('v')]).start();
    await rig.until(() => expect(rig.sink.events).toContain('instruments v A,B'));
    for (const bad of [
      (res: ServerResponse) => res.writeHead(500).end(),
      (res: ServerResponse) => res.end('[]'),
      (res: ServerResponse) => res.end('{"code":-1}'),
    ]) {
      rig.answers['/v/instruments'] = bad;
      const before = rig.hits.filter((path) => path === '/v/instruments').length;
      await rig.until(
        () => expect(rig.hits.filter((path) => path === '/v/instruments').length).toBeGreaterThan(before + 1),
        2000,
      );
    }
    expect(rig.collector?.health.of('v')?.lastError).toMatch(/^instruments: /);
    expect(rig.sink.events.filter((event) => event.startsWith('instruments'))).toEqual(['instruments v A,B']);
    rig.answers['/v/instruments'] = rows('A', 'B', 'C');
    await rig.until(() => expect(rig.sink.events).toContain('instruments v A,B,C'), 1000);
    expect(rig.collector?.stats().venues.v?.contracts).toBe(3);
  });

  it('holds quotes back until there are contracts', async () => {
    rig.answers['/v/instruments'] = (res) => res.writeHead(503).end();
    await rig.collect([rig.venueAt('v')]).start();
    await rig.until(() => expect(rig.hits.length).toBeGreaterThan(3), 1000);
    expect(rig.hits).not.toContain('/v/marks');
    delete rig.answers['/v/instruments'];
    await rig.until(() => expect(rig.sink.count('v')).toBeGreaterThan(0), 1000);
  });

  it('waits for the answers of a poll as long as the poll says', async () => {
    rig.answers['/v/instruments'] = (res, req) => void setTimeout(() => rows('A')(res, req), 150);
    const at = (deadlineMs?: number) => {
      const patient = deadlineMs === undefined ? {} : { deadlineMs };
      return rig.venueAt('v', { polls: [tinyPoll('v', 'instruments', { kind: 'instruments', ...patient })] });
    };
    const http = { deadlineMs: 30 };
    const hasty = rig.collect([at()], { options: { http } });
    await hasty.start();
    await rig.until(() => expect(hasty.health.of('v')?.lastError).toMatch(/within 30 ms/));
    await hasty.stop();
    expect(rig.sink.events).not.toContain('instruments v A');
    await rig.collect([at(5000)], { options: { http } }).start();
    await rig.until(() => expect(rig.sink.events).toContain('instruments v A'));
  });

  it('a page that failed: no list of contracts is published', async () => {
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
    rig.answers['/v/instruments?page=2'] = (res) => res.writeHead(500).end();
    const polls = [tinyPoll('v', 'instruments', pages), tinyPoll('v', 'marks')];
    await rig.collect([rig.venueAt('v', { polls })]).start();
    await rig.until(() => expect(rig.hits).toContain('/v/instruments?page=2'));
    rig.answers['/v/instruments?page=2'] = rows('C');
    await rig.until(() => expect(rig.sink.events).toContain('instruments v A,B,C'));
    expect(rig.sink.events.filter((event) => event.startsWith('instruments v'))).toEqual([
      'instruments v A,B,C',
    ]);
  });

  it('per-contract calls: most traded first, spread over the period', async () => {
    const perContract = tinyPoll('v', 'oi', {
      everyMs: 1000,
      spread: true,
      requests: (plan) => plan.instruments.map((i) => ({ method: 'GET', path: `/oi?s=${i.symbol}` })),
    });
    rig.answers['/v/instruments'] = (res) => {
      const list = ['A', 'B', 'C', 'D'].map((symbol, i) => ({ symbol, list: true, volume: String(i) }));
      res.end(JSON.stringify(list));
    };
    const instruments = tinyPoll('v', 'instruments', { kind: 'instruments', everyMs: 60_000 });
    await rig.collect([rig.venueAt('v', { polls: [instruments, perContract] })]).start();
    await rig.until(() => expect(rig.hits.filter((p) => p.startsWith('/v/oi')).length).toBeGreaterThan(4));
    await rig.time.advance(60_000);
    rig.hits.length = 0;
    await rig.until(
      () => expect(rig.hits.filter((p) => p.startsWith('/v/oi')).length).toBeGreaterThan(12),
      50,
    );
    expect(rig.hits.join(' ')).toContain('/v/oi?s=D /v/oi?s=C /v/oi?s=B /v/oi?s=A');
  });

  it('sends the headers of the venue with each of its calls', async () => {
    const sent: unknown[] = [];
    rig.answers['/v/marks'] = (res) => {
      sent.push([res.req.headers['x-size-decimal'], res.req.headers['user-agent']]);
      res.end('[]');
    };
    await rig.collect([rig.venueAt('v', { headers: { 'x-size-decimal': '1' } })]).start();
    await rig.until(() => expect(sent[0]).toEqual(['1', 'perpmeter']), 1000);
  });

  it('never overlaps a poll with itself', async () => {
    let open = 0;
    let most = 0;
    rig.answers['/v/marks'] = (res) => {
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
    await rig.collect([rig.venueAt('v', { polls })]).start();
    await rig.until(() => expect(rig.sink.count('v')).toBeGreaterThan(20), 50);
    expect(most).toBe(1);
  });

  it('counts what it does, as plain data', async () => {
    await rig.collect([rig.venueAt('v')]).start();
    await rig.run(2000, 'v');
    const stats = rig.collector?.stats();
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
    const made = rig.collect([rig.venueAt('v')]);
    rig.answers['/v/candles'] = (res) => res.end('[1]');
    const outcome = await made.request('v', { method: 'GET', path: '/candles', weight: 7 });
    expect(outcome).toEqual({ ok: true, value: { payload: [1], receivedAt: rig.time.now } });
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
    rig.sink.quotes = bomb;
    await rig.collect([rig.venueAt('v', { polls, streams: [] }), rig.venueAt('w')]).start();
    await rig.until(() => expect(rig.collector?.stats().venues.w?.polls.marks?.rounds).toBeGreaterThan(3));
    expect(rig.collector?.health.of('w')?.status).toBe('live');
    expect(rig.collector?.health.of('v')?.lastError).toMatch(/adapter|decoder failed/);
  });
});

describe('Collector.stop', () => {
  it('ends at once, whatever hangs or waits', async () => {
    rig.answers['/hang/marks'] = () => {};
    rig.answers['/slow/instruments'] = (res) => res.writeHead(429, { 'retry-after': '1000' }).end();
    const made = rig.collect([rig.venueAt('hang'), rig.venueAt('slow'), rig.venueAt('fine')]);
    await made.start();
    await rig.until(() =>
      expect(rig.hits).toEqual(expect.arrayContaining(['/hang/marks', '/slow/instruments', '/fine/marks'])),
    );
    await made.stop();
    expect(rig.time.pending).toBe(0);
    const sent = rig.hits.length;
    await rig.time.advance(60_000);
    expect(rig.hits).toHaveLength(sent);
    await until(() => {
      rig.server.server.getConnections((_error, count) => expect(count).toBe(0));
    });
    expect(await made.request('fine', { method: 'GET', path: '/x' })).toMatchObject({
      failure: { kind: 'aborted' },
    });
  });
});
