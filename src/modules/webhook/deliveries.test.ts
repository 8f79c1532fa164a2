import { describe, expect, it } from 'vitest';
import { settled } from '../../../test/collect/manual-time.ts';
import { until } from '../../../test/until.ts';
import { answered, Disk, type Request, rigOf, watchOf, welcome } from '../../../test/watch/delivery-rig.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { Posted } from './outbound.ts';

const refusing = (request: Request): Posted =>
  request.body.event === 'challenge' ? welcome(request) : answered(500);

/** Answers when the test says so. */
function held() {
  const waiting: { readonly request: Request; readonly release: (posted?: Posted) => void }[] = [];
  const answer = (request: Request): Promise<Posted> =>
    new Promise((resolve) => {
      waiting.push({ request, release: (posted = welcome(request)) => resolve(posted) });
      request.stop.addEventListener('abort', () =>
        resolve({ ok: false, kind: 'aborted', reason: 'the service stopped' }),
      );
    });
  return { waiting, answer };
}

describe('the challenge', () => {
  it('a new receiver: challenged once, before the first firing', async () => {
    const { deliveries, requests, fire } = rigOf();
    deliveries.add(watchOf('w1'));
    fire('w1');
    fire('w1');
    await settled();
    expect(requests.map(({ body }) => body.event ?? body.sequence)).toEqual(['challenge', 1, 2]);
    expect(deliveries.state('w1')).toMatchObject({ state: 'ready', delivered: 2, waiting: 0 });
  });

  it.each([
    [answered(200, { challenge: 'another' }), /not \{"challenge"/],
    [answered(200, 'challenge'), /not \{"challenge"/],
    [{ ...answered(200), body: Buffer.from('<html>') } as Posted, /not \{"challenge"/],
    [answered(404), /HTTP 404/],
    [answered(302), /redirects are not followed/],
    [{ ok: false, kind: 'timeout', reason: 'no answer within 10 s' } as Posted, /no answer within/],
  ])('a receiver that fails it (%#): nothing is delivered', async (posted, reason) => {
    const { deliveries, requests, fire, time } = rigOf({ answer: () => posted });
    deliveries.add(watchOf('w1'));
    fire('w1');
    await time.advance(HOUR_MS);
    expect(requests.map(({ body }) => body.event)).toEqual(Array(4).fill('challenge'));
    const state = deliveries.state('w1');
    expect(state).toMatchObject({ state: 'unproven', waiting: 1, delivered: 0 });
    expect(state?.lastError).toMatch(reason);
  });

  it('a receiver that fails it once: asked again in ten seconds', async () => {
    const { deliveries, requests, fire, time } = rigOf({
      answer: (request) => (requests.length === 1 ? answered(404) : welcome(request)),
    });
    deliveries.add(watchOf('w1'));
    fire('w1');
    await time.advance(10 * SECOND_MS);
    expect(requests.map(({ body }) => body.event ?? body.sequence)).toEqual(['challenge', 'challenge', 1]);
  });

  it.each(['renewed', 'asked'])('a receiver that failed it, %s: challenged again', async (how) => {
    let isBroken = true;
    const { deliveries, sequences, fire, time } = rigOf({
      answer: (request) => (isBroken ? answered(503) : welcome(request)),
    });
    deliveries.add(watchOf('w1'));
    fire('w1');
    await time.advance(HOUR_MS);
    isBroken = false;
    if (how === 'renewed') deliveries.add(watchOf('w1'));
    else deliveries.prove('w1');
    await settled();
    expect(sequences()).toEqual([1]);
  });

  it('an owner who asks again and again: one challenge a minute', async () => {
    const { deliveries, requests, time } = rigOf({ answer: () => answered(404) });
    deliveries.add(watchOf('w1'));
    await time.advance(HOUR_MS);
    for (let asked = 0; asked < 20; asked++) {
      deliveries.prove('w1');
      await time.advance(SECOND_MS);
    }
    expect(requests).toHaveLength(5);
  });

  it('an owner who asks for days: two dozen challenges a day', async () => {
    const { deliveries, requests, time } = rigOf({ answer: () => answered(404) });
    deliveries.add(watchOf('w1'));
    for (let minutes = 0; minutes < 48 * 60; minutes += 2) {
      deliveries.prove('w1');
      await time.advance(2 * MINUTE_MS);
    }
    deliveries.add(watchOf('w1'));
    await settled();
    expect(requests.length).toBeGreaterThan(2 * 24 - 1);
    expect(requests.length).toBeLessThanOrEqual(3 * 24);
  });

  it('a renewal while a firing is on its way: it is not sent twice', async () => {
    const { waiting, answer } = held();
    const { deliveries, fire, sequences, disk } = rigOf({ answer });
    deliveries.add(watchOf('w1'));
    await settled();
    waiting[0]?.release();
    fire('w1');
    await settled();
    deliveries.add(watchOf('w1'));
    waiting[1]?.release();
    await settled();
    expect(sequences()).toEqual([1]);
    expect(disk.acknowledged('w1')).toBe(1);
  });

  it('a restart: a receiver that passed it is not asked again', async () => {
    const first = rigOf();
    first.deliveries.add(watchOf('w1'));
    await settled();
    await first.deliveries.stop();
    const { deliveries, requests, fire } = rigOf({ disk: first.disk });
    deliveries.add(watchOf('w1'));
    fire('w1');
    await settled();
    expect(requests.map(({ body }) => body.event ?? body.sequence)).toEqual([1]);
  });

  it('another address: challenged anew, and the position stays', async () => {
    const { deliveries, requests, fire } = rigOf();
    deliveries.add(watchOf('w1'));
    fire('w1');
    await settled();
    deliveries.add(watchOf('w1', { webhook: 'https://other.example.com/' }));
    fire('w1');
    await settled();
    const heard = requests.map(({ host, body }) => [host, body.event ?? body.sequence]);
    expect(heard.slice(2)).toEqual([
      ['other.example.com', 'challenge'],
      ['other.example.com', 2],
    ]);
  });
});

describe('retries', () => {
  it('a receiver that fails: longer and longer waits, one id, an hour', async () => {
    const { deliveries, requests, fire, time, disk } = rigOf({ answer: refusing });
    deliveries.add(watchOf('w1'));
    fire('w1');
    await settled();
    const began = time.now;
    const at: number[] = [0];
    for (let seen = 2; time.nextAt !== undefined; seen = requests.length) {
      await time.advance(time.nextAt - time.now);
      if (requests.length > seen) at.push((time.now - began) / SECOND_MS);
    }
    expect(at).toEqual([0, 5, 15, 35, 75, 155, 315, 635, 1235, 1835, 2435, 3035, 3600]);
    const ids = requests.slice(1).map(({ message }) => message.headers['perpmeter-delivery']);
    expect(new Set(ids)).toEqual(new Set(['w1.1']));
    expect(deliveries.state('w1')).toMatchObject({ state: 'failed', failed: 1, lastError: 'HTTP 500' });
    expect(disk.record('w1')?.givenUp).toMatchObject([{ seq: 1, reason: 'HTTP 500' }]);
    expect(disk.acknowledged('w1')).toBe(1);
  });

  it('a backlog longer than is counted at once: all of it is delivered', async () => {
    const { deliveries, disk, sequences } = rigOf();
    for (let count = 0; count < 1003; count++) disk.fire('w1');
    deliveries.add(watchOf('w1'));
    await until(() => expect(sequences().at(-1)).toBe(1003));
    expect(disk.acknowledged('w1')).toBe(1003);
  });

  it('a firing that was given up: later ones are delivered', async () => {
    let isBroken = true;
    const { deliveries, fire, time, sequences, disk } = rigOf({
      answer: (request) => (isBroken ? refusing(request) : welcome(request)),
    });
    deliveries.add(watchOf('w1'));
    fire('w1');
    fire('w1');
    await time.advance(HOUR_MS + MINUTE_MS);
    expect(disk.record('w1')).toMatchObject({ settled: 1, failed: 1 });
    isBroken = false;
    await time.advance(HOUR_MS);
    expect(sequences().at(-1)).toBe(2);
    expect(deliveries.state('w1')).toMatchObject({ state: 'ready', delivered: 1, failed: 1, waiting: 0 });
  });

  it.each([
    ['60', MINUTE_MS],
    ['2', 5 * SECOND_MS],
    ['86400', 15 * MINUTE_MS],
    ['-5', 5 * SECOND_MS],
    ['soon', 5 * SECOND_MS],
  ])('Retry-After %s: the next attempt after %s ms', async (asked, wait) => {
    const { deliveries, fire, time } = rigOf({
      answer: (request) =>
        request.body.event === 'challenge' ? welcome(request) : answered(429, {}, { 'retry-after': asked }),
    });
    deliveries.add(watchOf('w1'));
    fire('w1');
    await settled();
    expect(time.nextAt).toBe(time.now + wait);
    expect(deliveries.view('w1')).toMatchObject({ host: 'w1.example.com', nextTryAt: time.now + wait });
  });

  it('a forbidden address: counted, told, tried again', async () => {
    const { deliveries, fire } = rigOf({
      answer: (request) =>
        request.body.event === 'challenge'
          ? welcome(request)
          : { ok: false, kind: 'forbidden', reason: 'the receiver has an address that is private' },
    });
    deliveries.add(watchOf('w1'));
    fire('w1');
    await settled();
    expect(deliveries.counts).toMatchObject({ refused: 1, waiting: 1 });
    expect(deliveries.state('w1')).toMatchObject({ state: 'retrying', lastError: /private/ });
  });

  it('a disk that takes no record: reported, and delivered again', async () => {
    const disk = new Disk();
    let isFull = false;
    const records = disk.records(() => {
      if (isFull) throw new Error('ENOSPC');
      return true;
    });
    const { deliveries, fire, time, faults, sequences } = rigOf({ disk, records });
    deliveries.add(watchOf('w1'));
    await settled();
    isFull = true;
    fire('w1');
    await settled();
    expect(faults).toMatchObject([{ message: 'ENOSPC' }]);
    isFull = false;
    await time.advance(MINUTE_MS);
    expect(sequences()).toEqual([1, 1]);
    expect(disk.acknowledged('w1')).toBe(1);
  });
});

describe('receivers beside each other', () => {
  it('a host that hangs: others go on, its own watches wait', async () => {
    const { waiting, answer } = held();
    const { deliveries, requests } = rigOf({ answer });
    const hook = 'https://slow.example.com/';
    deliveries.add(watchOf('w1', { webhook: `${hook}1` }));
    deliveries.add(watchOf('w2', { webhook: `${hook}2` }));
    deliveries.add(watchOf('w3'));
    await settled();
    expect(requests.map(({ body }) => body.watch_id)).toEqual(['w1', 'w3']);
    waiting[0]?.release();
    await settled();
    expect(requests.map(({ body }) => body.watch_id)).toEqual(['w1', 'w3', 'w2']);
  });

  it('many new hosts that hang: proven receivers still have places', async () => {
    const { answer } = held();
    const { deliveries, requests, fire } = rigOf({
      answer: (request) => (request.host.startsWith('bad') ? answer(request) : welcome(request)),
      places: { all: 4, untried: 2, doubtful: 2 },
    });
    deliveries.add(watchOf('good'));
    await settled();
    for (let at = 0; at < 10; at++) deliveries.add(watchOf(`bad${at}`));
    fire('good');
    await settled();
    expect(requests.map(({ host }) => host.split('.')[0])).toEqual(['good', 'bad0', 'bad1', 'good']);
  });

  it('hosts that failed hang again: new ones have places of their own', async () => {
    const { answer } = held();
    let isBroken = true;
    const { deliveries, requests, time } = rigOf({
      answer: (request) => (isBroken ? answered(500) : answer(request)),
      places: { all: 8, untried: 2, doubtful: 2 },
    });
    for (let at = 0; at < 4; at++) deliveries.add(watchOf(`bad${at}`));
    await settled();
    isBroken = false;
    await time.advance(10 * SECOND_MS);
    expect(requests).toHaveLength(6);
    deliveries.add(watchOf('new'));
    await settled();
    expect(requests.at(-1)?.host).toBe('new.example.com');
  });

  it('hosts that take long over a yes: they share the places of the doubtful', async () => {
    const { waiting, answer } = held();
    const { deliveries, requests, fire, time } = rigOf({
      answer,
      places: { all: 8, untried: 8, doubtful: 1 },
    });
    const hosts = ['w1', 'w2', 'w3'];
    for (const host of hosts) deliveries.add(watchOf(host));
    await settled();
    await time.advance(5 * SECOND_MS);
    for (const { release } of waiting) release();
    await settled();
    for (const host of hosts) fire(host);
    await settled();
    expect(requests.slice(3).map(({ body }) => body.watch_id)).toEqual(['w1']);
  });

  it('a watch that is let go: nothing more of it is sent', async () => {
    const { waiting, answer } = held();
    const { deliveries, requests, fire, disk } = rigOf({ answer });
    deliveries.add(watchOf('w1'));
    fire('w1');
    await settled();
    deliveries.remove('w1');
    waiting[0]?.release();
    await settled();
    expect(requests).toHaveLength(1);
    expect(disk.acknowledged('w1')).toBe(0);
  });

  it('a stop: ends what hangs, and the next start delivers it', async () => {
    const { waiting, answer } = held();
    const { deliveries, fire, disk, time } = rigOf({ answer });
    deliveries.add(watchOf('w1'));
    await settled();
    waiting[0]?.release();
    fire('w1');
    await settled();
    await deliveries.stop();
    expect(time.pending).toBe(0);
    const next = rigOf({ disk });
    next.deliveries.add(watchOf('w1'));
    await settled();
    expect(next.sequences()).toEqual([1]);
  });

  it('a position of another process: what it delivered is not sent again', async () => {
    const { deliveries, disk, sequences } = rigOf();
    for (let count = 0; count < 3; count++) disk.fire('w1');
    disk.acknowledge('w1', 2);
    deliveries.add(watchOf('w1'));
    await settled();
    expect(sequences()).toEqual([3]);
  });

  it('an address that the rules of now refuse: told, and nothing is sent', async () => {
    const { deliveries, requests } = rigOf();
    deliveries.add(watchOf('w1', { webhook: 'http://127.0.0.1:9000/' }));
    await settled();
    expect(requests).toEqual([]);
    expect(deliveries.state('w1')).toMatchObject({ state: 'failed', lastError: /^must begin with https/ });
    expect(deliveries.fault('https://hooks.example.com/')).toBeUndefined();
  });
});

describe('chat services', () => {
  it.each([
    ['text', { text: 'w1 &lt;1&gt;' }],
    ['content', { content: 'w1 <1>', allowed_mentions: { parse: [] } }],
  ] as const)('%s: words alone, unsigned, without a challenge', async (format, body) => {
    const { deliveries, requests, fire } = rigOf();
    deliveries.add(watchOf('w1', { isOperators: true, format }));
    fire('w1');
    await settled();
    expect(requests.map((request) => request.body)).toEqual([body]);
    expect(Object.keys(requests[0]?.message.headers ?? {})).toEqual(['content-type', 'user-agent']);
  });
});
