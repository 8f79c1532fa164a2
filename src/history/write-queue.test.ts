import { describe, expect, it } from 'vitest';
import { ManualTime } from '../../test/collect/manual-time.ts';
import { asMs } from '../domain/units.ts';
import type { Batch } from './batch.ts';
import { type HistoryStore, notStored, type Rows, type StoreResult, stored } from './store.ts';
import { type LostSpan, WriteQueue } from './write-queue.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A store whose inserts end on command. */
function heldStore() {
  const inserts: { readonly rows: Rows; readonly end: (result: StoreResult<void>) => void }[] = [];
  const unused = () => Promise.resolve(notStored('refused', 'not asked for here'));
  const store: HistoryStore = {
    engine: 'embedded',
    select: unused,
    run: unused,
    runOnNodes: unused,
    selectOnNodes: unused,
    insert: (rows) => new Promise((end) => inserts.push({ rows, end })),
    deliver: () => Promise.resolve(stored(undefined)),
    close: () => Promise.resolve(),
  };
  return { store, inserts };
}

function makeQueue(maxRows = 100) {
  const time = new ManualTime();
  const { clock, timer } = time;
  const { store, inserts } = heldStore();
  const written: Batch[] = [];
  const onWritten = (batch: Batch) => void written.push(batch);
  const losses: LostSpan[] = [];
  const queue = new WriteQueue({
    store,
    clock,
    timer,
    logger: silent,
    maxRows,
    onWritten,
    onLost: (loss) => void losses.push(loss),
  });
  return { queue, inserts, written, losses, time };
}

const batch = (table: string, line: string, at: number, assets?: readonly string[]): Batch => ({
  table,
  columns: ['a'],
  lines: [line],
  from: asMs(at),
  to: asMs(at),
  ...(assets !== undefined && { assets }),
});

/** Of a minute's sample, and of a note. */
const sample = (line: string, at: number): Batch => ({ ...batch('samples', line, at), whenFull: 'gap' });
const note = (line: string, at: number): Batch => ({ ...batch('gaps', line, at), whenFull: 'wait' });

async function turn(): Promise<void> {
  await new Promise((next) => setImmediate(next));
}

describe('write queue', () => {
  it('queued batches of one table: written together, in asset order', async () => {
    const { queue, inserts, written } = makeQueue();
    queue.offer(batch('samples', 'first', 5));
    for (const [i, asset] of ['x', 'y', 'x'].entries()) {
      queue.offer(batch('samples', `past ${i}`, 30 - i, [asset]));
      queue.offer(batch('settlements', `paid ${i}`, i));
    }
    queue.offer(batch('samples', 'last', 60));
    for (let i = 0; i < 4; i++) {
      await turn();
      inserts[i]?.end(stored(undefined));
    }
    await queue.settled();
    expect(inserts.map(({ rows }) => rows.lines)).toEqual([
      ['first'],
      ['past 0', 'past 1', 'past 2'],
      ['paid 0', 'paid 1', 'paid 2'],
      ['last'],
    ]);
    expect(written[1]).toMatchObject({ assets: ['x', 'y'], from: 28, to: 30 });
    expect(queue.state()).toMatchObject({ mode: 'writing', queuedRows: 0, writtenRows: 8 });
  });

  it('statements: never two of one name, nor by processes of one epoch', async () => {
    const tokens: (string | undefined)[] = [];
    for (const { queue, inserts } of [makeQueue(), makeQueue()]) {
      queue.begin(5);
      for (const table of ['samples', 'gaps']) queue.offer(batch(table, 'row', 1));
      for (let i = 0; i < 2; i++) {
        await turn();
        inserts[i]?.end(stored(undefined));
      }
      await queue.settled();
      tokens.push(...inserts.map(({ rows }) => rows.token));
    }
    expect(new Set(tokens)).toHaveLength(4);
    expect(tokens).not.toContain(undefined);
  });

  it('keeps batches that arrive during a statement', async () => {
    const { queue, inserts } = makeQueue();
    queue.offer(batch('samples', 'one', 1));
    await turn();
    queue.offer(batch('samples', 'two', 2));
    inserts[0]?.end(stored(undefined));
    await turn();
    expect(queue.state().queuedRows).toBe(1);
    inserts[1]?.end(stored(undefined));
    await queue.settled();
    expect(inserts.map(({ rows }) => rows.lines)).toEqual([['one'], ['two']]);
  });

  it('rows that the engine refuses: it continues; large batches are refused', async () => {
    const { queue, inserts } = makeQueue(2);
    queue.offer(batch('samples', 'bad', 1));
    queue.offer(batch('settlements', 'good', 1));
    expect(queue.offer(sample('too much', 2))).toBe(false);
    expect(queue.state()).toMatchObject({
      mode: 'read_only',
      reason: 'more rows came than can wait',
      lostRows: 1,
    });
    await turn();
    inserts[0]?.end(notStored('refused', 'no such column'));
    await turn();
    inserts[1]?.end(stored(undefined));
    await queue.settled();
    expect(queue.state()).toMatchObject({ mode: 'writing', refusedRows: 1, writtenRows: 1 });
  });

  it('says of each batch whether it is on the disk, once that is known', async () => {
    const { queue, inserts } = makeQueue(4);
    const ends: [string, boolean][] = [];
    const offer = (table: string, line: string) =>
      queue.offer(batch(table, line, 1, ['x']), (isWritten) => void ends.push([line, isWritten]));
    offer('samples', 'first');
    for (const line of ['second', 'third']) offer('settlements', line);
    await turn();
    expect(ends).toEqual([]);
    inserts[0]?.end(stored(undefined));
    await turn();
    expect(ends).toEqual([['first', true]]);
    // Together, then each alone.
    for (const i of [1, 2, 3]) {
      inserts[i]?.end(notStored('refused', 'no such column'));
      await turn();
    }
    await queue.settled();
    expect(ends.slice(1)).toEqual([
      ['second', false],
      ['third', false],
    ]);
  });

  it('a batch refused out of a statement: it alone ends so, and is a gap', async () => {
    const { queue, inserts, losses } = makeQueue();
    const ends: [string, boolean][] = [];
    const offer = (line: string, at: number) =>
      queue.offer(sample(line, at), (isWritten) => void ends.push([line, isWritten]));
    for (const [i, line] of ['first', 'good', 'bad'].entries()) offer(line, i);
    await turn();
    inserts[0]?.end(stored(undefined));
    await turn();
    // Both together, then each alone.
    for (const [i, isTaken] of [false, true, false].entries()) {
      inserts[i + 1]?.end(isTaken ? stored(undefined) : notStored('refused', 'no number'));
      await turn();
    }
    await queue.settled();
    expect(ends).toEqual([
      ['first', true],
      ['good', true],
      ['bad', false],
    ]);
    expect(losses).toEqual([{ from: 2, to: 2, rows: 1, reason: 'refused' }]);
    expect(queue.state()).toMatchObject({ writtenRows: 2, refusedRows: 1 });
  });

  it('a loss: noted with the reason the store gave, also a late one', async () => {
    const { queue, inserts, losses, time } = makeQueue(2);
    queue.offer(batch('samples', 'waits', 1));
    queue.offer(batch('samples', 'waits too', 2));
    await turn();
    expect(queue.offer(sample('lost', 3))).toBe(false);
    inserts[0]?.end(notStored('no_space', 'the disk is full'));
    await turn();
    expect(queue.offer(sample('lost too', 4))).toBe(false);
    for (let tried = 1; queue.state().queuedRows > 0; tried++) {
      await time.advance(5000);
      inserts[tried]?.end(stored(undefined));
      await turn();
    }
    expect(losses).toMatchObject([{ rows: 2, reason: 'no_space' }]);
  });

  it('lost samples: only their span is noted, while notes wait', async () => {
    const { queue, inserts, losses } = makeQueue(2);
    queue.offer(sample('first', 100));
    queue.offer(sample('second', 160));
    await turn();
    expect(queue.offer(batch('settlements', 'paid long ago', 1))).toBe(false);
    expect(queue.offer(batch('fees', 'charged', 220))).toBe(false);
    expect(queue.state()).toMatchObject({ mode: 'writing', lostRows: 0 });
    expect(queue.offer(sample('third', 220))).toBe(false);
    expect(queue.offer(note('away', 5))).toBe(true);
    inserts[0]?.end(stored(undefined));
    for (let written = 1; queue.state().queuedRows > 0; written++) {
      await turn();
      inserts[written]?.end(stored(undefined));
    }
    expect(losses).toEqual([{ from: 220, to: 220, rows: 1, reason: 'queue_full' }]);
    expect(queue.state()).toMatchObject({ lostRows: 1, writtenRows: 3 });
  });

  it('a lost span: keeps no smaller sample within it', async () => {
    const { queue, inserts, losses } = makeQueue(2);
    const larger = { ...sample('larger', 160), lines: ['one', 'two'] };
    queue.offer(sample('first', 100));
    expect([queue.offer(larger), queue.offer(sample('smaller', 220))]).toEqual([false, false]);
    await turn();
    inserts[0]?.end(notStored('refused', 'no such column'));
    await queue.settled();
    expect(losses).toMatchObject([
      { from: 100, to: 100, rows: 1, reason: 'refused' },
      { from: 160, to: 220, rows: 3 },
    ]);
    expect(queue.offer(sample('next', 280))).toBe(true);
  });

  it('no room in the store: read-only, and nothing that can wait is lost', async () => {
    const { queue, inserts, time } = makeQueue();
    queue.offer(sample('waits', 1));
    await turn();
    inserts[0]?.end(notStored('no_space', '3 MB left on the disk'));
    await turn();
    expect(queue.state()).toMatchObject({
      mode: 'read_only',
      reason: 'the store has no room',
      queuedRows: 1,
      lostRows: 0,
    });
    await time.advance(5000);
    inserts[1]?.end(stored(undefined));
    await queue.settled();
    expect(queue.state()).toMatchObject({ mode: 'writing', reason: undefined, writtenRows: 1 });
  });
});
