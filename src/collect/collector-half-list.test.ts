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

const lastList = () => {
  const last = rig.sink.events.findLast((event) => event.startsWith('instruments v ')) ?? '';
  return last.slice('instruments v '.length).split(',').sort().join();
};

it('a part empty after rows: a named fault, the list stands, others grow', async () => {
  let first = listOf('A', 'B');
  let second = listOf('C', 'D');
  let asked = 0;
  rig.answers['/v/instruments?part=one'] = (res) => res.end(first);
  rig.answers['/v/instruments?part=two'] = (res) => {
    asked += 1;
    res.end(second);
  };
  const made = rig.collect([venueOfTwoParts()]);
  await made.start();
  await rig.until(() => expect(lastList()).toBe('A,B,C,D'));
  first = listOf('A', 'B', 'E');
  second = '[]';
  const before = asked;
  await rig.until(() => expect(asked).toBeGreaterThan(before + 2), 1000);
  expect(made.health.of('v')?.lastError).toMatch(/part=two: list of contracts: no row after 2/);
  expect(made.health.of('v')?.errorRate5m).toBeGreaterThan(0);
  expect(lastList()).toBe('A,B,C,D,E');
  second = listOf('C');
  await rig.until(() => expect(lastList()).toBe('A,B,C,E'), 1000);
  expect(made.health.of('v')?.lastError).toBeUndefined();
});

it('a part empty in the first answer: the list waits and is asked for soon', async () => {
  let second = '[]';
  rig.answers['/v/instruments?part=one'] = (res) => res.end(listOf('A', 'B'));
  rig.answers['/v/instruments?part=two'] = (res) => res.end(second);
  const made = rig.collect([venueOfTwoParts()]);
  await made.start();
  await rig.until(() => expect(made.health.of('v')?.lastError).toMatch(/part=two: .*no row under/));
  expect(lastList()).toBe('');
  second = listOf('C', 'D');
  const at = rig.time.now;
  await rig.until(() => expect(lastList()).toBe('A,B,C,D'));
  expect(rig.time.now - at).toBeLessThan(5000);
});

it('a part empty for good: the others begin without it after some rounds', async () => {
  rig.answers['/v/instruments?part=one'] = (res) => res.end(listOf('A', 'B'));
  rig.answers['/v/instruments?part=two'] = (res) => res.end('[]');
  const made = rig.collect([venueOfTwoParts()]);
  await made.start();
  await rig.until(() => expect(lastList()).toBe('A,B'), 1000);
  expect(made.health.of('v')?.lastError).toMatch(/part=two: .*no row under/);
});

it('quotes empty in the first answer: a fault, unless declared', async () => {
  rig.answers['/v/instruments'] = (res) => res.end(JSON.stringify([{ symbol: 'A', list: true }]));
  rig.answers['/v/marks'] = (res) => res.end('[]');
  rig.answers['/w/instruments'] = (res) => res.end(JSON.stringify([{ symbol: 'A', list: true }]));
  rig.answers['/w/marks'] = (res) => res.end('[]');
  const list = tinyPoll('w', 'instruments', { kind: 'instruments', everyMs: 60_000 });
  const polls = [list, tinyPoll('w', 'marks', { mayBeEmpty: 'made up' })];
  const made = rig.collect([
    tinyVenue('v', `${rig.server.url}/v`),
    tinyVenue('w', `${rig.server.url}/w`, { polls }),
  ]);
  await made.start();
  await rig.until(() => expect(made.health.of('v')?.lastError).toMatch(/marks: no row under/), 1000);
  await rig.until(() => expect(made.stats().venues.w?.polls.marks?.goodRounds).toBeGreaterThan(1), 1000);
  expect(made.health.of('w')?.lastError).toBeUndefined();
});

it('calls of one contract each: empty is a fault of an old, open contract', async () => {
  const now = rig.time.now;
  rig.answers['/v/instruments'] = (res) =>
    res.end(
      JSON.stringify([
        { symbol: 'OLD', list: true },
        { symbol: 'NEW', list: true, listed: now - 1000 },
        { symbol: 'SHUT', list: true, open: false },
      ]),
    );
  for (const symbol of ['OLD', 'NEW', 'SHUT']) rig.answers[`/v/each?${symbol}`] = (res) => res.end('[]');
  const requests = ({ instruments }: PlanContext) =>
    instruments.map(({ symbol }) => ({ method: 'GET' as const, path: `/each?${symbol}`, symbol }));
  const list = tinyPoll('v', 'instruments', { kind: 'instruments', everyMs: 60_000 });
  const each = tinyPoll('v', 'each', { requests, spread: true });
  const made = rig.collect([tinyVenue('v', `${rig.server.url}/v`, { polls: [list, each] })]);
  await made.start();
  const rounds = () => made.stats().venues.v?.polls.each?.rounds ?? 0;
  await rig.until(() => expect(rounds()).toBeGreaterThan(1), 500);
  expect(made.health.of('v')?.lastError).toBe('each OLD: no row of a contract that is open');
  rig.answers['/v/each?OLD'] = (res) => res.end(JSON.stringify([{ symbol: 'OLD', mark: 1 }]));
  await rig.until(() => expect(made.health.of('v')?.lastError).toBeUndefined(), 500);
});

it('quotes empty under a success code after some: a failed call', async () => {
  rig.answers['/v/instruments'] = (res) => res.end(listOf('A'));
  let marks = JSON.stringify([{ symbol: 'A', mark: 1 }]);
  rig.answers['/v/marks'] = (res) => res.end(marks);
  const made = rig.collect([tinyVenue('v', `${rig.server.url}/v`)]);
  await made.start();
  await rig.until(() => expect(rig.sink.count('v')).toBeGreaterThan(1), 1000);
  marks = '[]';
  await rig.until(() => expect(made.health.of('v')?.lastError).toMatch(/no row after 1/), 1000);
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
  await rig.until(() => expect(made.health.of('v')?.lastError).toMatch(/no row after 1/), 1000);
});
