import { expect, it } from 'vitest';
import { type CollectorRig, eachWithRig } from '../../test/collect/collector-rig.ts';
import { tinyPoll, tinyVenue } from '../../test/collect/tiny-venue.ts';
import type { PlanContext } from '../venues/adapter.ts';

let rig: CollectorRig;
eachWithRig((made) => {
  rig = made;
});

const listOf = (...symbols: string[]) =>
  JSON.stringify(symbols.map((symbol) => ({ symbol, list: true, mark: 1 })));

function venueOfTwoParts() {
  const requests = () =>
    ['one', 'two'].map((part) => ({ method: 'GET' as const, path: `/instruments?part=${part}` }));
  const polls = [tinyPoll('v', 'instruments', { kind: 'instruments', everyMs: 60_000, requests })];
  return tinyVenue('v', `${rig.server.url}/v`, { polls });
}

it('a part empty under a success code: the list stands until repeated', async () => {
  let second = listOf('C', 'D');
  let asked = 0;
  rig.answers['/v/instruments?part=one'] = (res) => res.end(listOf('A', 'B'));
  rig.answers['/v/instruments?part=two'] = (res) => {
    asked += 1;
    res.end(second);
  };
  const made = rig.collect([venueOfTwoParts()]);
  await made.start();
  const listed = () => {
    const last = rig.sink.events.findLast((event) => event.startsWith('instruments v ')) ?? '';
    return last.slice('instruments v '.length).split(',').sort().join();
  };
  await rig.until(() => expect(listed()).toBe('A,B,C,D'));
  second = '[]';
  const before = asked;
  await rig.until(() => expect(asked).toBe(before + 1), 1000);
  await rig.until(() =>
    expect(made.health.of('v')?.lastError).toMatch(/part of the list that had 2 rows is empty/),
  );
  expect(listed()).toBe('A,B,C,D');
  await rig.until(() => expect(listed()).toBe('A,B'), 1000);
  expect(asked).toBe(before + 2);
});

it('quotes empty under a success code after some: a failed call', async () => {
  rig.answers['/v/instruments'] = (res) => res.end(listOf('A'));
  let marks = JSON.stringify([{ symbol: 'A', mark: 1 }]);
  rig.answers['/v/marks'] = (res) => res.end(marks);
  const made = rig.collect([tinyVenue('v', `${rig.server.url}/v`)]);
  await made.start();
  await rig.until(() => expect(rig.sink.count('v')).toBeGreaterThan(1), 1000);
  marks = '[]';
  await rig.until(() => expect(made.health.of('v')?.lastError).toMatch(/had 1 rows is empty/), 1000);
});

it('quotes asked for by another address each time: empty, a failed call', async () => {
  rig.answers['/v/instruments'] = (res) => res.end(listOf('A'));
  let marks = JSON.stringify([{ symbol: 'A', mark: 1 }]);
  const requests = ({ now }: PlanContext) => {
    const path = `/marks?_=${now}`;
    rig.answers[`/v${path}`] = (res) => res.end(marks);
    return [{ method: 'GET' as const, path }];
  };
  const list = tinyPoll('v', 'instruments', { kind: 'instruments', everyMs: 60_000 });
  const polls = [list, tinyPoll('v', 'marks', { requests })];
  const made = rig.collect([tinyVenue('v', `${rig.server.url}/v`, { polls })]);
  await made.start();
  await rig.until(() => expect(rig.sink.count('v')).toBeGreaterThan(1), 1000);
  marks = '[]';
  await rig.until(() => expect(made.health.of('v')?.lastError).toMatch(/had 1 rows is empty/), 1000);
});
