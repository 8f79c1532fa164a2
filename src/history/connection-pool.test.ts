import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionPool } from './connection-pool.ts';

/** Nothing is sent: the work of these tests asks no server. */
const clients = (count: number): ClickHouseClient[] =>
  Array.from({ length: count }, () => createClient({ url: 'http://127.0.0.1:1' }));
const makePool = (cutAfterMs?: number) =>
  new ConnectionPool({ read: clients(2), write: clients(1), maintain: clients(1), control: [] }, cutAfterMs);

/** Work that ends on command. */
function held() {
  let end = (): void => {};
  const ended = new Promise<string>((resolve) => {
    end = () => resolve('done');
  });
  return { work: () => ended, end };
}
const UNANSWERED = { ok: false, fault: { kind: 'unavailable', message: 'the store does not answer' } };
const ANSWERED = { ok: true, value: 'done' };
const quick = () => Promise.resolve('done');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('connection pool', () => {
  it('a read over six seconds: times out, and later ones fail at once', async () => {
    const pool = makePool();
    const stuck = [held(), held()];
    const first = stuck.map(({ work }) => pool.use('read', work));
    const inLine = pool.use('read', quick);
    await vi.advanceTimersByTimeAsync(6000);
    expect(await Promise.all([...first, inLine])).toEqual([UNANSWERED, UNANSWERED, UNANSWERED]);
    expect(await pool.use('read', quick)).toEqual(UNANSWERED);
    expect(await pool.use('write', quick)).toEqual(ANSWERED);
    stuck[0]?.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(await pool.use('read', quick)).toEqual(ANSWERED);
    stuck[1]?.end();
    await pool.close();
  });

  it('removes a waiter that timed out and serves the others', async () => {
    const pool = makePool();
    const slow = [held(), held()];
    const first = slow.map(({ work }) => pool.use('read', work));
    await vi.advanceTimersByTimeAsync(3000);
    const early = pool.use('read', quick);
    const late = pool.use('read', quick);
    slow[0]?.end();
    expect(await early).toEqual(ANSWERED);
    expect(await late).toEqual(ANSWERED);
    await vi.advanceTimersByTimeAsync(3000);
    slow[1]?.end();
    expect(await Promise.all(first)).toEqual([ANSWERED, UNANSWERED]);
    await pool.close();
  });

  it('waits for writes without a timeout, also when it closes', async () => {
    const pool = makePool();
    const slow = held();
    const written = pool.use('write', slow.work);
    const closed = vi.fn();
    const closing = pool.close().then(closed);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(closed).not.toHaveBeenCalled();
    slow.end();
    await closing;
    expect(await written).toEqual(ANSWERED);
    expect(await pool.use('read', quick)).toMatchObject({ ok: false, fault: { kind: 'unavailable' } });
  });
});
