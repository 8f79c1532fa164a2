import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { HOUR_MS } from '../../../src/runtime/duration.ts';
import { add, ask, faulted, pass, server, T0, useServer } from '../../../test/sim/faulty-server.ts';
import { until } from '../../../test/until.ts';

useServer();

describe('faults of streams', () => {
  const open: WebSocket[] = [];
  afterEach(() => {
    for (const client of open.splice(0)) client.terminate();
  });

  function connect() {
    const client = new WebSocket(`${server.url.replace('http', 'ws')}/toy/ws`);
    open.push(client);
    const frames: string[] = [];
    client.on('message', (data) => frames.push(String(data)));
    const closed = new Promise<number>((done) => client.on('close', (code) => done(code)));
    const opened = new Promise<string>((done) => {
      client.on('open', () => done('open'));
      client.on('error', (error) => done(error.message));
    });
    return { client, frames, opened, closed };
  }

  async function subscribed() {
    const stream = connect();
    expect(await stream.opened).toBe('open');
    stream.client.send('x');
    await until(() => expect(stream.frames.length).toBe(1));
    return stream;
  }

  it('silence: stays open and says nothing; REST goes on', async () => {
    const { frames } = await subscribed();
    const { cancel } = add({ kind: 'silence' });
    server.tick();
    expect((await ask().outcome).status).toBe(200);
    cancel();
    pass(1000);
    server.tick();
    await until(() => expect(frames.length).toBe(2));
    expect(frames[1]).toBe(`{"now":${T0 + 1000}}`);
  });

  it('stale: ticks with the frozen time', async () => {
    const { frames } = await subscribed();
    add({ kind: 'stale' });
    pass(5000);
    server.tick();
    await until(() => expect(frames[1]).toBe(`{"now":${T0}}`));
  });

  it('truncated and garbage: frames that are no JSON', async () => {
    const { frames } = await subscribed();
    for (const [i, kind] of (['truncated', 'garbage'] as const).entries()) {
      const { cancel } = add({ kind });
      server.tick();
      await until(() => expect(frames.length).toBe(2 + i));
      expect(() => JSON.parse(frames[1 + i] ?? '')).toThrow();
      cancel();
    }
  });

  it('reset: drops open connections and refuses new ones', async () => {
    const { closed } = await subscribed();
    add({ kind: 'reset' });
    server.tick();
    expect(await closed).toBe(1006);
    expect(await connect().opened).not.toBe('open');
  });

  it('status: refuses the upgrade', async () => {
    add({ kind: 'status', status: 503, retryAfter: { seconds: 1 } }, { on: 'stream' });
    expect(await connect().opened).toContain('503');
    expect((await ask().outcome).status).toBe(200);
  });

  it('hang and delay: the upgrade waits until the rule is cancelled', async () => {
    const hang = add({ kind: 'hang' }, { on: 'stream' });
    const hung = connect();
    await faulted();
    hang.cancel();
    expect(await hung.opened).not.toBe('open');
    const delay = add({ kind: 'delay', ms: HOUR_MS }, { on: 'stream' });
    const late = connect();
    await until(() => expect(server.log.of('toy').faulted).toBe(2));
    delay.cancel();
    expect(await late.opened).toBe('open');
  });
});
