import { describe, expect, it } from 'vitest';
import { asMs } from '../../../src/domain/units.ts';
import { HOUR_MS } from '../../../src/runtime/duration.ts';
import { add, ask, faulted, healthy, pass, server, T0, useServer } from '../../../test/sim/faulty-server.ts';
import { until } from '../../../test/until.ts';
import { Faults } from './faults.ts';
import { faultyJson } from './faulty-json.ts';

useServer();

describe('faults of answers', () => {
  it('delay: the answer waits, and comes when the rule is cancelled', async () => {
    const { cancel } = add({ kind: 'delay', ms: HOUR_MS });
    const pending = ask();
    await faulted();
    expect(pending.received()).toBe(0);
    cancel();
    expect(String((await pending.outcome).body)).toBe(await healthy());
  });

  it('delay: the answer comes after its time', async () => {
    add({ kind: 'delay', ms: 5 });
    expect((await ask().outcome).status).toBe(200);
  });

  it('hang: no answer ever; cancelling drops the connection', async () => {
    const { cancel } = add({ kind: 'hang' });
    const pending = ask();
    await faulted();
    cancel();
    const { status, end } = await pending.outcome;
    expect(status).toBe(0);
    expect(end).toBe('ECONNRESET');
  });

  it('reset: the connection drops without an answer', async () => {
    add({ kind: 'reset' });
    const { status, end } = await ask().outcome;
    expect([status, end]).toEqual([0, 'ECONNRESET']);
  });

  it('status: with body and Retry-After as seconds, milliseconds or date', async () => {
    const forms = [
      [{ seconds: 7 }, '7'],
      [{ ms: 1500 }, '1500'],
      [{ dateInMs: 60_000 }, new Date(T0 + 60_000).toUTCString()],
    ] as const;
    for (const [retryAfter, text] of forms) {
      const { cancel } = add({ kind: 'status', status: 503, body: '{"down":1}', retryAfter });
      const { status, headers, body } = await ask().outcome;
      expect([status, headers['retry-after'], String(body)]).toEqual([503, text, '{"down":1}']);
      cancel();
    }
    add({ kind: 'status', status: 451 });
    const plain = await ask().outcome;
    expect([plain.status, plain.headers['retry-after']]).toEqual([451, undefined]);
  });

  it('status: a redirect names where it leads', async () => {
    add({ kind: 'status', status: 301, location: 'https://moved.example/v2' });
    expect((await ask().outcome).headers.location).toBe('https://moved.example/v2');
  });

  it('rename and scale: another field name or unit, at every depth', async () => {
    const { marks } = JSON.parse(await healthy());
    const { cancel } = add({ kind: 'rename', field: 'mark', to: 'markPx' });
    const renamed = JSON.parse(String((await ask().outcome).body));
    expect(renamed.marks[0]).toEqual({ symbol: marks[0].symbol, markPx: marks[0].mark });
    cancel();
    add({ kind: 'scale', field: 'mark', by: 1000 });
    const scaled = JSON.parse(String((await ask().outcome).body));
    expect(scaled.marks[0].mark / marks[0].mark).toBeCloseTo(1000, 9);
    expect(faultyJson('{"a":"0.1","b":"0.1"}', { kind: 'scale', field: 'a', by: 3 })).toBe(
      '{"a":"0.3","b":"0.1"}',
    );
    expect(faultyJson('ping', { kind: 'scale', field: 'a', by: 3 })).toBe('ping');
  });

  it('garbage and HTML: status 200 and no JSON', async () => {
    for (const kind of ['garbage', 'html'] as const) {
      const { cancel } = add({ kind });
      const { status, body, end } = await ask().outcome;
      expect([status, end]).toEqual([200, 'complete']);
      expect(() => JSON.parse(String(body))).toThrow();
      cancel();
    }
  });

  it('truncated: half a body, ended properly', async () => {
    add({ kind: 'truncated' });
    const { body, end } = await ask().outcome;
    const whole = await healthy();
    expect(end).toBe('complete');
    expect(String(body)).toBe(whole.slice(0, Math.floor(whole.length / 2)));
  });

  it('half-reset: half a body, then the connection drops', async () => {
    add({ kind: 'half-reset' });
    const { status, headers, body, end } = await ask().outcome;
    expect(status).toBe(200);
    expect(end).not.toBe('complete');
    expect(body.length).toBeLessThan(Number(headers['content-length']));
  });

  it('stale: the time of the venue stands still, that of others goes on', async () => {
    const { cancel } = add({ kind: 'stale' });
    pass(60_000);
    const time = async (path: string) => JSON.parse(String((await ask(path).outcome).body)).time;
    expect(await time('/toy/marks')).toBe(T0);
    expect(await time('/other/marks')).toBe(T0 + 60_000);
    cancel();
    expect(await time('/toy/marks')).toBe(T0 + 60_000);
  });

  it('oversize: a body of the asked length', async () => {
    add({ kind: 'oversize', bytes: 3_000_000 });
    const { body } = await ask().outcome;
    expect(body.length).toBe(3_000_000);
  });

  it('drip: the body comes in pieces, the rest when the rule is cancelled', async () => {
    const { cancel } = add({ kind: 'drip', bytes: 100, everyMs: HOUR_MS });
    const pending = ask();
    await until(() => expect(pending.received()).toBe(100));
    cancel();
    expect(String((await pending.outcome).body)).toBe(await healthy());
  });

  it('drip: arrives whole in the end', async () => {
    add({ kind: 'drip', bytes: 1000, everyMs: 1 });
    expect(String((await ask().outcome).body)).toBe(await healthy());
  });

  it('does not keep a closing server open, whatever hangs', async () => {
    add({ kind: 'hang' });
    const pending = ask();
    await faulted();
    await server.close();
    expect((await pending.outcome).status).toBe(0);
  });
});

describe('rules', () => {
  it('hit by path, a number of times, or every n-th request', async () => {
    const status = async (path: string) => (await ask(path).outcome).status;
    add({ kind: 'status', status: 500 }, { path: '/marks', times: 2 });
    expect([await status('/toy/echo'), await status('/other/marks')]).toEqual([200, 200]);
    expect([await status('/toy/marks'), await status('/toy/marks'), await status('/toy/marks')]).toEqual([
      500, 500, 200,
    ]);
    server.faults.clear();
    add({ kind: 'status', status: 502 }, { every: 3 });
    const seen: number[] = [];
    for (let i = 0; i < 6; i++) seen.push(await status('/toy/echo'));
    expect(seen).toEqual([200, 200, 502, 200, 200, 502]);
  });

  it('are listed with their hits and cleared by id or venue', () => {
    const faults = new Faults({ now: () => asMs(T0) });
    const first = faults.add({ venue: 'a', fault: { kind: 'hang' } });
    faults.add({ venue: 'b', fault: { kind: 'reset' }, body: 'dex' });
    expect(faults.hit({ venue: 'b', path: '/', body: 'no', on: 'rest' })).toBeUndefined();
    expect(faults.hit({ venue: 'b', path: '/', body: '{"dex":1}', on: 'rest' })?.fault.kind).toBe('reset');
    expect(faults.list().map((rule) => [rule.venue, rule.hits])).toEqual([
      ['b', 1],
      ['a', 0],
    ]);
    expect(faults.clear((rule) => rule.venue === 'b')).toBe(1);
    first.cancel();
    expect(faults.list()).toEqual([]);
  });
});

describe('control over HTTP', () => {
  const post = (body: unknown) =>
    fetch(`${server.url}/__sim/faults`, { method: 'POST', body: JSON.stringify(body) });

  it('adds, lists and clears rules', async () => {
    const added = await post({
      venue: 'toy',
      path: '/marks',
      times: 5,
      every: 1,
      on: 'rest',
      fault: { kind: 'status', status: 429, body: 'slow', retryAfter: { seconds: 3 } },
    });
    expect(added.status).toBe(201);
    const { id } = (await added.json()) as { id: number };
    const hit = await ask().outcome;
    expect([hit.status, hit.headers['retry-after'], String(hit.body)]).toEqual([429, '3', 'slow']);
    const list = await (await fetch(`${server.url}/__sim/faults`)).json();
    expect(list).toMatchObject([{ id, venue: 'toy', hits: 1 }]);
    const cleared = await fetch(`${server.url}/__sim/faults?id=${id}`, { method: 'DELETE' });
    expect(await cleared.json()).toEqual({ cleared: 1 });
    expect((await ask().outcome).status).toBe(200);
  });

  it('takes every kind of fault', async () => {
    const faults = [
      { kind: 'delay', ms: 1 },
      { kind: 'hang' },
      { kind: 'reset' },
      { kind: 'status', status: 500, retryAfter: { dateInMs: 5 } },
      { kind: 'garbage' },
      { kind: 'html', status: 503 },
      { kind: 'truncated' },
      { kind: 'half-reset' },
      { kind: 'stale' },
      { kind: 'silence' },
      { kind: 'rename', field: 'mark', to: 'markPx' },
      { kind: 'scale', field: 'mark', by: 100 },
      { kind: 'status', status: 301, location: 'https://moved.example' },
      { kind: 'oversize', bytes: 10 },
      { kind: 'drip', bytes: 1, everyMs: 1 },
    ];
    for (const fault of faults) {
      expect((await post({ venue: 'toy', fault })).status).toBe(201);
      const [rule] = server.faults.list();
      expect(rule?.fault).toMatchObject(fault);
      server.faults.clear();
    }
  });

  it('refuses what it cannot read', async () => {
    expect((await post({ venue: 'toy' })).status).toBe(400);
    expect((await post({ fault: { kind: 'hang' } })).status).toBe(400);
    expect((await post({ venue: 'toy', fault: { kind: 'sloth' } })).status).toBe(400);
    expect((await post({ venue: 'toy', fault: { kind: 'status', status: 42 } })).status).toBe(400);
    expect((await post({ venue: 'nobody', fault: { kind: 'hang' } })).status).toBe(404);
    expect((await fetch(`${server.url}/__sim/faults`, { method: 'POST', body: '{' })).status).toBe(400);
    expect(server.faults.list()).toEqual([]);
  });
});
