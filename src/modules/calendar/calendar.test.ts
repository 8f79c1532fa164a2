import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHours, asMs } from '../../domain/units.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import { Calendar } from './calendar.ts';
import { listTime, makeFacts, makeList } from './calendar-fixture.ts';
import { openCalendarStore } from './calendar-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => new Calendar(openCalendarStore(join(folder, 'calendar')));
const BTC = makeFacts('BTC');
const ETH = makeFacts('ETH');

describe('a calendar in its folder', () => {
  it('a restart between two lists that show a change: one event', async () => {
    const lists = [makeList(0, [BTC, ETH]), makeList(1, [BTC]), makeList(2, [BTC]), makeList(3, [BTC])];
    for (const list of lists) {
      const calendar = open();
      calendar.take(list);
      await calendar.stop();
    }
    const calendar = open();
    expect(calendar.events).toMatchObject([
      { id: 1, kind: 'delisted', symbol: 'ETHUSDT', seenAt: listTime(1), unseenAt: listTime(0) },
    ]);
    expect(calendar.watched('binance')).toEqual({ since: listTime(0), listAt: listTime(3) });
    await calendar.stop();
  });

  it('a disk that takes nothing: the next list makes the event', async () => {
    const store = openCalendarStore(join(folder, 'calendar'));
    let isFull = false;
    const calendar = new Calendar({
      ...store,
      save: (changes) => {
        if (isFull) throw new Error('disk full');
        store.save(changes);
      },
    });
    calendar.take(makeList(0, [BTC, ETH]));
    calendar.take(makeList(1, [BTC]));
    isFull = true;
    expect(() => calendar.take(makeList(2, [BTC]))).toThrow('disk full');
    expect(calendar.events).toEqual([]);
    isFull = false;
    calendar.take(makeList(3, [BTC]));
    expect(calendar.events).toMatchObject([{ id: 1, kind: 'delisted', seenAt: listTime(1) }]);
    await calendar.stop();
  });

  it('events of more than 400 days ago: dropped, also from the folder', async () => {
    const first = open();
    first.take(makeList(0, [makeFacts('OLD', { listedAt: asMs(listTime(0) - 399 * DAY_MS) }), BTC]));
    expect(first.events).toHaveLength(1);
    first.take({ ...makeList(0, [BTC]), at: asMs(listTime(0) + 2 * DAY_MS) });
    expect(first.events).toEqual([]);
    await first.stop();
    const again = open();
    expect(again.events).toEqual([]);
    await again.stop();
  });

  it('more events than are kept: the earliest go', async () => {
    const store = openCalendarStore(join(folder, 'calendar'));
    const calendar = new Calendar(store, 3);
    const shorter = [BTC, ETH].map((facts) => ({ ...facts, intervalHours: asHours(4) }));
    for (const [index, list] of [[BTC, ETH], shorter, shorter, [BTC, ETH], [BTC, ETH]].entries())
      calendar.take(makeList(index, list));
    expect(calendar.events.map(({ id }) => id)).toEqual([2, 3, 4]);
    await calendar.stop();
    const again = open();
    expect(again.events.map(({ id }) => id)).toEqual([2, 3, 4]);
    await again.stop();
  });
});
