import { afterEach, describe, expect, it } from 'vitest';
import { StreamStore } from '../../src/modules/paid-stream/stream-store.ts';
import { UnknownIds } from '../../src/modules/tables/unknown-ids.ts';
import { ends, farHosts, pass, sell, settle } from './far-server.ts';

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const NOT_READY = { ok: false, error: { code: 'not_ready' } };
const NO_DATA = { ok: false, error: { code: 'no_data' } };

describe('a stream that is read as soon as it is bought', () => {
  it('the server has not stored it yet: 503, then it is there', async () => {
    const far = farHosts();
    const a = await far.host('a');
    const b = await far.host('b');
    for (const { tables } of [a, b]) tables.silentMs = 500;
    const { id, secret, pay } = await sell(far, a, 1);
    for (const { desk } of [a, b]) {
      expect(desk.read(id, secret)).toMatchObject({ ...NOT_READY, error: { retryAfterSeconds: 1 } });
      expect(desk.unknown(id)).toMatchObject({ code: 'not_ready' });
    }
    await pay();
    b.store.refresh();
    for (const { desk } of [a, b]) expect(desk.read(id, secret)).toMatchObject({ ok: true });
    expect(a.desk.read(id, 'another')).toMatchObject(NO_DATA);
  });

  it('an id that is never stored: 404 after some seconds', async () => {
    const far = farHosts();
    const a = await far.host('a');
    a.tables.silentMs = 500;
    const { id, secret } = await sell(far, a, 1);
    expect(a.desk.read(id, secret)).toMatchObject(NOT_READY);
    far.market.pass(5000);
    expect(a.desk.read(id, secret)).toMatchObject(NO_DATA);
    expect(a.desk.read(`s${'0'.repeat(24)}`, secret)).toMatchObject(NO_DATA);
  });

  it('a store in a folder: 404 at once', async () => {
    const far = farHosts();
    const a = await far.host('a');
    const { id, secret } = await sell(far, a, 1);
    expect(a.desk.read(id, secret)).toMatchObject(NO_DATA);
  });

  it('the copy is old, or was never filled: 503 of whatever id', async () => {
    const far = farHosts();
    const a = await far.host('a');
    a.tables.silentMs = 6000;
    expect(a.desk.read('another', 'secret')).toMatchObject(NOT_READY);
    const ids = new UnknownIds({ mark: '', silentMs: 500, isOwn: () => false }, far.market.clock, 'It');
    expect([ids.unread?.code, ids.refusal('another')?.code]).toEqual(['not_ready', 'not_ready']);
    expect(new StreamStore(a.tables).silentMs).toBe(6000);
  });
});

describe('the silence of another host', () => {
  it('while the server is silent: counts from when it answers again', async () => {
    const far = farHosts();
    const a = await far.host('a');
    const b = await far.host('b');
    const { id, pay } = await sell(far, a, 1);
    await pay();
    await a.read(id);
    await settle();
    await pass(far, [b], 11);
    b.tables.silentMs = 20_000;
    await pass(far, [b], 20);
    b.tables.silentMs = 500;
    await pass(far, [b], 15);
    expect(b.record(id).meter.credited).toBe(0);
    await pass(far, [b], 40);
    expect(b.record(id).meter.credited).toBe(1);
  });
});
