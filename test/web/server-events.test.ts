import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventReader } from '../../web/data/server-events.ts';

const STREAM = [
  'retry: 2000\n\n: heartbeat\n\n',
  'id: run-1\nevent: snapshot\ndata: {"rows":[1]}\n\n',
  'id: run-2\r\nevent: change\r\ndata: two\r\ndata: lines\r\n\r\n',
  'data:without a space or a name\n\n',
].join('');

it('events are the same however their text is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length)), (places) => {
      const cuts = [0, ...places.toSorted((a, b) => a - b), STREAM.length];
      const reader = new EventReader();
      const events = cuts.flatMap((cut, at) => [...reader.take(STREAM.slice(cuts[at - 1] ?? 0, cut))]);
      expect(events).toEqual([
        { name: 'snapshot', data: '{"rows":[1]}' },
        { name: 'change', data: 'two\nlines' },
        { name: 'message', data: 'without a space or a name' },
      ]);
      expect([reader.lastId, reader.retryMs]).toEqual(['run-2', 2000]);
    }),
  );
});

it('an event that the end of its connection cut short is forgotten', () => {
  const reader = new EventReader();
  expect([...reader.take('event: change\ndata: half')]).toEqual([]);
  reader.cut();
  expect([...reader.take('data: whole\n\n')]).toEqual([{ name: 'message', data: 'whole' }]);
});

it.each([
  ['after its id', 'id: run-2\n'],
  ['in its data', 'id: run-2\nevent: change\ndata: {"rows":'],
  ['before the empty line', 'id: run-2\nevent: change\ndata: two\n'],
])('an event that is cut %s: asked for again by the last id', (_, piece) => {
  const reader = new EventReader();
  const whole = [...reader.take('id: run-1\ndata: one\n\n'), ...reader.take(piece)];
  expect(whole).toEqual([{ name: 'message', data: 'one' }]);
  expect(reader.lastId).toBe('run-1');
  reader.cut();
  // Nor does it become that of an event that has none.
  expect([...reader.take('data: whole\n\n')]).toEqual([{ name: 'message', data: 'whole' }]);
  expect(reader.lastId).toBe('run-1');
});
