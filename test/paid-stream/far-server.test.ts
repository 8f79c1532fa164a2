import { afterEach, describe, expect, it } from 'vitest';
import { ends, type FarHost, type FarHosts, farHosts, pass, sell, settle } from './far-server.ts';

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A stream that is sold and has a reader. */
async function read(far: FarHosts, host: FarHost, minutes: number) {
  const { id, pay } = await sell(far, host, minutes);
  await pay();
  const { sink } = await host.read(id);
  await settle();
  return { id, sink };
}

const leftMs = ({ record }: FarHost, { market }: FarHosts, id: string): number =>
  (record(id).meter.endsAt ?? 0) - market.clock.now();

describe('a stream on a server', () => {
  it('gone from the store: its readers are paused, and get no more', async () => {
    const far = farHosts();
    const a = await far.host('a');
    const { id, sink } = await read(far, a, 1);
    await pass(far, [a], 5);
    await a.tables.transact(() => a.tables.table('streams').remove(id));
    await pass(far, [a], 1);
    const count = sink.heard.length;
    expect(sink.last).toMatchObject({ event: 'paused', data: { reason: 'unpaid' } });
    await pass(far, [a], 30);
    expect(sink.heard).toHaveLength(count);
  });

  it.each([2, 30, 90])('clocks %i s apart, read at both: a minute lasts a minute', async (ahead) => {
    const far = farHosts();
    const a = await far.host('a');
    const b = await far.host('b', ahead * 1000);
    const { id } = await read(far, a, 100);
    await b.read(id);
    await settle();
    await pass(far, [a, b], 300);
    expect(a.record(id).meter.used).toBeLessThanOrEqual(7);
    expect(a.hall.counts.begun + b.hall.counts.begun).toBe(a.record(id).meter.used);
  });

  it('the other host is at rest: a minute far ahead ends within one', async () => {
    const far = farHosts();
    const a = await far.host('a');
    const b = await far.host('b', 3_600_000);
    const { id } = await read(far, a, 100);
    const other = await b.read(id);
    await settle();
    b.hall.leave(other.reader);
    await pass(far, [a, b], 180);
    expect(a.record(id).meter.used).toBeGreaterThanOrEqual(3);
  });

  it.each([30, 70])('the server answers after %i s: the minute is a whole one', async (seconds) => {
    const far = farHosts();
    const a = await far.host('a');
    const { id, pay } = await sell(far, a, 3);
    await pay();
    const open = a.tables.holdUp();
    const { sink } = await a.read(id);
    await pass(far, [a], seconds);
    expect(sink.heard).toEqual([]);
    open();
    await settle();
    expect([a.record(id).meter.used, leftMs(a, far, id)]).toEqual([1, 60_000]);
  });

  it('the payment waited for the server: the grace is judged by then', async () => {
    const far = farHosts();
    const a = await far.host('a');
    const { id, pay } = await sell(far, a, 3);
    const open = a.tables.holdUp();
    const paid = pay();
    far.market.pass(40_000);
    open();
    await paid;
    expect(a.record(id).paidAt).toBe(far.market.clock.now());
  });
});

describe('an answer of the server that is lost', () => {
  it('of a credit: the reader is told of it, once', async () => {
    const far = farHosts();
    const a = await far.host('a');
    const b = await far.host('b');
    const { id } = await read(far, a, 5);
    await pass(far, [a], 5);
    await a.hall.stop();
    b.tables.toLose = 1;
    const { sink } = await b.read(id);
    await settle();
    await pass(far, [b], 3);
    expect(sink.names).toEqual(['credited', 'snapshot', 'change', 'change', 'change']);
    expect(b.hall.counts.begun).toBe(1);
    expect(b.record(id)).toMatchObject({ untold: 0, meter: { used: 2, credited: 1 } });
  });

  it('of a clock that was set: the minute is moved once', async () => {
    const far = farHosts();
    const a = await far.host('a');
    const { id } = await read(far, a, 5);
    await pass(far, [a], 10);
    for (const ms of [-20_000, 50_000]) {
      const before = leftMs(a, far, id);
      far.market.setClock(ms);
      a.tables.toLose = 1;
      await pass(far, [a], 1);
      expect(leftMs(a, far, id)).toBe(before - 1000);
    }
    expect(a.record(id).meter.used).toBe(1);
  });

  it('a clock that is set: a stream whose minute is over stays as it is', async () => {
    const far = farHosts();
    const a = await far.host('a');
    const over = await read(far, a, 1);
    await pass(far, [a], 70);
    const { id } = await read(far, a, 2);
    const before = a.record(over.id).meter;
    far.market.setClock(500_000);
    await pass(far, [a], 1);
    expect(a.record(over.id).meter).toEqual(before);
    expect(leftMs(a, far, id)).toBe(59_000);
    far.market.setClock(-500_000);
    await pass(far, [a], 1);
    expect(a.record(over.id).meter).toEqual(before);
    expect(leftMs(a, far, id)).toBe(58_000);
  });

  it('held for some seconds: the reader hears of changes as of one', async () => {
    const far = farHosts();
    const a = await far.host('a');
    const { sink } = await read(far, a, 3);
    await pass(far, [a], 58);
    const open = a.tables.holdUp();
    await pass(far, [a], 5);
    open();
    await settle();
    expect(sink.last).toMatchObject({ event: 'conflated', data: { looks: 4 } });
    await pass(far, [a], 1);
    expect(sink.last?.event).toBe('change');
  });
});
