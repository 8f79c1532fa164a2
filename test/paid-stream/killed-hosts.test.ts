import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Happening, KilledHosts } from './killed-hosts.ts';

const PAID = 30;

/** Plays what happens, until all that is gone is found; holds it to the law of credits. */
function play(happenings: readonly Happening[], paid = PAID): KilledHosts {
  const hosts = new KilledHosts(paid);
  for (const next of happenings) hosts.happen(next);
  hosts.end();
  const { credited, used } = hosts.record.meter;
  const said = JSON.stringify(happenings);
  expect(credited, said).toBeGreaterThanOrEqual(hosts.broken.size);
  expect(credited, said).toBeLessThanOrEqual(new Set([...hosts.broken, ...hosts.doubtful]).size);
  expect(credited, said).toBeLessThanOrEqual(used);
  return hosts;
}

/** All ways in which some sequences come one between the other, each in its own order. */
function mergesOf(sequences: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const open = sequences.filter((sequence) => sequence.length > 0);
  if (open.length === 0) return [[]];
  return open.flatMap(([first = '', ...rest]) => {
    const others = open.filter((sequence) => sequence[0] !== first);
    return mergesOf([...others, rest]).map((merged) => [first, ...merged]);
  });
}

const happeningOf = (word: string): Happening => {
  const [kind = '', rest = ''] = word.split(' ');
  if (kind === 'pass') return { kind, seconds: Number(rest) };
  return kind === 'pay' ? { kind, minutes: Number(rest) } : ({ kind, host: rest } as Happening);
};

describe('hosts that are killed while they serve a stream', () => {
  it('its next minute begins elsewhere before it is missed: credited', () => {
    const words = ['open a', 'pass 40', 'kill a', 'open b', 'pass 40'];
    expect(play(words.map(happeningOf)).record.meter).toMatchObject({ used: 2, credited: 1 });
  });

  it('the rest is served elsewhere, and that host is killed too: once', () => {
    const words = [
      'open a',
      'pass 20',
      'kill a',
      'open b',
      'pass 20',
      'kill b',
      'start a',
      'open a',
      'pass 90',
    ];
    expect(play(words.map(happeningOf)).record.meter.credited).toBe(1);
  });

  it('one that serves a minute of another is killed: credited', () => {
    const words = ['open a', 'pass 20', 'leave a', 'open b', 'pass 20', 'kill b', 'open a', 'pass 40'];
    expect(play(words.map(happeningOf)).record.meter).toMatchObject({ credited: 1 });
  });

  it('one that hangs for less than its lease: nothing is credited', () => {
    const happenings: Happening[] = [
      { kind: 'open', host: 'a' },
      { kind: 'pass', seconds: 40 },
      { kind: 'hang', host: 'a', seconds: 25 },
      { kind: 'open', host: 'b' },
      { kind: 'pass', seconds: 120 },
    ];
    expect(play(happenings).record.meter.credited).toBe(0);
  });

  it('killed in the grace, paid after it: the owed minute is credited', () => {
    const words = ['open a', 'pass 305', 'kill a', 'open b', 'pass 12', 'pay 2', 'pass 70'];
    expect(play(words.map(happeningOf), 5).record.meter).toMatchObject({ paid: 7, used: 7, credited: 1 });
  });

  it('killed once a minute was stopped by silence: nothing is credited', () => {
    const silence = ['silence a', 'silence b', 'pass 20', 'kill b', 'pass 10'];
    const words = ['open a', 'open b', 'pass 20', ...silence];
    expect(play(words.map(happeningOf)).record.meter.credited).toBe(0);
  });

  it('killed, then the minute stops by silence: credited, its rest is none', () => {
    const words = ['open a', 'open b', 'pass 20', 'kill b', 'silence a', 'pass 50'];
    expect(play(words.map(happeningOf)).record.meter).toMatchObject({ used: 1, credited: 1, restMs: 0 });
  });

  it('read at both hosts for long: no former minute is kept', () => {
    const words = ['open a', 'open b', 'pass 600'];
    expect(play(words.map(happeningOf)).record.former?.length).toBeLessThanOrEqual(2);
  });

  it('a record of a build that kept one server alone: credited as ever', () => {
    const hosts = new KilledHosts(PAID);
    hosts.happen({ kind: 'open', host: 'a' });
    hosts.forgetServers();
    hosts.happen({ kind: 'pass', seconds: 20 });
    hosts.happen({ kind: 'kill', host: 'a' });
    hosts.end();
    expect(hosts.record.meter).toMatchObject({ used: 1, credited: 1 });
  });

  it('every order of kills, take-overs and returns: each once', () => {
    const orders = mergesOf([
      ['kill a', 'start a', 'open a'],
      ['open b', 'kill b'],
      ['pass 35', 'pass 30'],
    ]);
    expect(orders).toHaveLength(210);
    for (const order of orders) play(['open a', 'pass 10', ...order].map(happeningOf));
  });

  it('whatever happens: what was broken off is credited, once', () => {
    const host = fc.constantFrom('a' as const, 'b' as const);
    const atHost = fc.constantFrom(
      'open' as const,
      'leave' as const,
      'kill' as const,
      'start' as const,
      'silence' as const,
    );
    const happening = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: atHost, host }) },
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('pass' as const),
          seconds: fc.integer({ min: 1, max: 70 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('pay' as const), minutes: fc.integer({ min: 1, max: 3 }) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('hang' as const), host, seconds: fc.constantFrom(20, 50) }),
      },
    );
    const paid = fc.constantFrom(3, 6, PAID);
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 25 }), paid, (happenings, bought) => {
        play(happenings, bought);
      }),
      { numRuns: 300 },
    );
  });
});
