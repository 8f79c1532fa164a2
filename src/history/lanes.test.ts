import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LendingDesk } from './lanes.ts';

/** Nothing is sent: the work of these tests asks no server. */
const clients = (count: number): ClickHouseClient[] =>
  Array.from({ length: count }, () => createClient({ url: 'http://127.0.0.1:1' }));
const makeDesk = (cutAfterMs?: number) =>
  new LendingDesk({ read: clients(2), write: clients(1), maintain: clients(1) }, cutAfterMs);

/** Work that ends when it is told to. */
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

describe('lending desk', () => {
  it('holds no reader up for longer than six seconds, and those after it not at all, until the store answers', async () => {
    const desk = makeDesk();
    const stuck = [held(), held()];
    const first = stuck.map(({ work }) => desk.use('read', work));
    const inLine = desk.use('read', quick);
    await vi.advanceTimersByTimeAsync(6000);
    expect(await Promise.all([...first, inLine])).toEqual([UNANSWERED, UNANSWERED, UNANSWERED]);
    expect(await desk.use('read', quick)).toEqual(UNANSWERED);
    expect(await desk.use('write', quick)).toEqual(ANSWERED);
    stuck[0]?.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(await desk.use('read', quick)).toEqual(ANSWERED);
    stuck[1]?.end();
    await desk.close();
  });

  it('takes who has waited too long out of the line, and serves the others', async () => {
    const desk = makeDesk();
    const slow = [held(), held()];
    const first = slow.map(({ work }) => desk.use('read', work));
    await vi.advanceTimersByTimeAsync(3000);
    const [early, late] = [desk.use('read', quick), desk.use('read', quick)];
    slow[0]?.end();
    expect(await early).toEqual(ANSWERED);
    expect(await late).toEqual(ANSWERED);
    await vi.advanceTimersByTimeAsync(3000);
    slow[1]?.end();
    expect(await Promise.all(first)).toEqual([ANSWERED, UNANSWERED]);
    await desk.close();
  });

  it('waits for writes for as long as they take, also when it is closed', async () => {
    const desk = makeDesk();
    const slow = held();
    const written = desk.use('write', slow.work);
    const closed = vi.fn();
    const closing = desk.close().then(closed);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(closed).not.toHaveBeenCalled();
    slow.end();
    await closing;
    expect(await written).toEqual(ANSWERED);
    expect(await desk.use('read', quick)).toMatchObject({ ok: false, fault: { kind: 'unavailable' } });
  });
});
