import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Outcome } from '../../../collect/transport-failure.ts';
import type { Answer } from '../../../collect/venue-caller.ts';
import { asMs } from '../../../domain/units.ts';
import { VENUES } from '../../../venues/registry.ts';
import type { FromCcxt, ToCcxt } from './second-messages.ts';
import { SecondProcess } from './second-process.ts';

const REQUEST = { path: '/x', weight: 1 } as unknown as Extract<FromCcxt, { kind: 'send' }>['request'];

/** A process whose messages the test makes. */
class Fake extends EventEmitter {
  readonly told: ToCcxt[] = [];
  send(message: ToCcxt): boolean {
    this.told.push(message);
    return true;
  }
  kill(): boolean {
    return true;
  }
  say(message: FromCcxt): void {
    this.emit('message', message);
  }
  get received(): readonly ToCcxt[] {
    return this.told.filter(({ kind }) => kind === 'received');
  }
}

/** A process that has been asked, and whose requests are answered when the test says so. */
function scene() {
  const [adapter] = VENUES;
  if (adapter === undefined) throw new Error('no venue');
  const children: Fake[] = [];
  const answers: ((outcome: Outcome<Answer>) => void)[] = [];
  const second = new SecondProcess({
    start: () => {
      const child = new Fake();
      children.push(child);
      return child as unknown as ChildProcess;
    },
    onEnd: () => {},
  });
  const ask = () => second.open(adapter, () => new Promise((resolve) => answers.push(resolve)));
  const childAt = (index: number): Fake => {
    const child = children[index];
    if (child === undefined) throw new Error('not started');
    return child;
  };
  const sends: FromCcxt = { kind: 'send', id: 1, venue: adapter.id, request: REQUEST };
  return { ask, answers, childAt, sends };
}

const answer = (payload: string): Outcome<Answer> => ({ ok: true, value: { payload, receivedAt: asMs(5) } });

it('an answer for an ended process: not taken for the next request', async () => {
  const { ask, answers, childAt, sends } = scene();
  void ask();
  childAt(0).say(sends);
  childAt(0).emit('exit', 1, null);
  void ask();
  childAt(1).say(sends);
  answers[0]?.(answer('for the first'));
  await turn();
  expect(childAt(1).received).toEqual([]);
  answers[1]?.(answer('for the second'));
  await turn();
  expect(childAt(1).received).toEqual([{ kind: 'received', id: 1, outcome: answer('for the second') }]);
  expect(childAt(0).received).toEqual([]);
});

it('a request of an ended process that arrives late: not sent', async () => {
  const { ask, answers, childAt, sends } = scene();
  void ask();
  childAt(0).emit('exit', 1, null);
  childAt(0).say(sends);
  void ask();
  childAt(0).say(sends);
  await turn();
  expect(answers).toEqual([]);
});
