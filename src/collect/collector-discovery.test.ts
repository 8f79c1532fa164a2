import { describe, expect, it } from 'vitest';
import { type CollectorRig, eachWithRig } from '../../test/collect/collector-rig.ts';
import { tinyVenue } from '../../test/collect/tiny-venue.ts';
import type { VenueAdapter } from '../venues/adapter.ts';

let rig: CollectorRig;
eachWithRig((made) => {
  rig = made;
});

describe('Collector finds sub-venues', () => {
  const parentOf = (sub: (id: string) => VenueAdapter): Partial<VenueAdapter> => ({
    discovery: {
      everyMs: 10_000,
      weight: 1,
      request: { method: 'GET', path: '/subs' },
      adapters: (payload) => (Array.isArray(payload) ? payload.map((id) => sub(String(id))) : []),
    },
  });
  const listSubs = (...ids: string[]): void => {
    rig.answers['/p/subs'] = (res) => res.end(JSON.stringify(ids));
  };

  it('found venues: added with the addresses of their parent, or ended', async () => {
    const sub = (id: string) => tinyVenue(`p-${id}`, 'http://unused.invalid', { parent: 'p' });
    listSubs('x', 'y');
    const parent = tinyVenue('p', 'http://unused.invalid', parentOf(sub));
    const made = rig.collect([parent], { bases: { p: { rest: `${rig.server.url}/p` } } });
    await made.start();
    await rig.until(() => expect(Math.min(rig.sink.count('p-x'), rig.sink.count('p-y'))).toBeGreaterThan(0));
    expect(rig.sink.events).toContain('venue p-x');
    expect(made.health.all().map((h) => [h.venue, h.status])).toEqual([
      ['p', 'live'],
      ['p-x', 'live'],
      ['p-y', 'live'],
    ]);

    listSubs('y', 'z');
    await rig.until(() => expect(rig.sink.count('p-z')).toBeGreaterThan(0), 1000);
    expect(made.health.of('p-x')).toMatchObject({
      status: 'down',
      lastError: expect.stringMatching(/no longer listed/),
    });
    expect(made.health.all().map(({ venue }) => venue)).toEqual(['p', 'p-y', 'p-z']);
    expect(rig.sink.events).toContain('instruments p-x ');
    expect(Object.keys(made.stats().venues)).toEqual(['p', 'p-y', 'p-z']);
    const count = rig.sink.count('p-x');

    listSubs('x', 'y', 'z');
    await rig.until(() => expect(rig.sink.count('p-x')).toBeGreaterThan(count), 1000);
    expect(made.health.of('p-x')?.status).toBe('live');
  });

  it('looks for them on where the clock is set back during a look', async () => {
    const looks = (): number => rig.hits.filter((path) => path === '/p/subs').length;
    rig.answers['/p/subs'] = (res) => {
      if (looks() === 1) rig.time.setBack(3_600_000);
      res.end('[]');
    };
    const made = rig.collect([
      rig.venueAt(
        'p',
        parentOf((id) => rig.venueAt(id)),
      ),
    ]);
    await made.start();
    await rig.until(() => expect(made.stats().venues.p?.discovery?.bytes).toBeGreaterThan(0), 0);
    await rig.time.advance(11_000);
    await rig.until(() => expect(looks()).toBe(2), 0);
  });

  it('keeps room in the budget for the polls of present venues only', async () => {
    const budget = { id: 'shared', pools: [{ name: 'default', limit: 10_000, perMs: 1000 }] };
    const sub = (id: string) => rig.venueAt(`p-${id}`, { parent: 'p', budget });
    listSubs('x', 'y');
    const made = rig.collect([rig.venueAt('p', { ...parentOf(sub), budget })]);
    const reserved = (): number => made.stats().budgets.shared?.pools.default?.reserved ?? 0;
    await made.start();
    await rig.until(() => expect(Math.min(rig.sink.count('p-x'), rig.sink.count('p-y'))).toBeGreaterThan(0));
    const ofThree = reserved();
    expect(ofThree).toBeGreaterThan(0);
    listSubs('y');
    await rig.until(() => expect(Object.keys(made.stats().venues)).toEqual(['p', 'p-y']), 1000);
    await rig.until(() => expect(reserved()).toBeCloseTo((ofThree / 3) * 2, 9));
  });

  it('does not believe a first answer without any, nor one that fails', async () => {
    const sub = (id: string) => rig.venueAt(`p-${id}`, { parent: 'p' });
    listSubs('x');
    const made = rig.collect([rig.venueAt('p', parentOf(sub))]);
    await made.start();
    await rig.until(() => expect(rig.sink.count('p-x')).toBeGreaterThan(0));
    const seen = (): number => rig.hits.filter((path) => path === '/p/subs').length;
    rig.answers['/p/subs'] = (res) => res.writeHead(500).end('null');
    await rig.until(() => expect(seen()).toBe(2), 1000);
    listSubs();
    await rig.until(() => expect(seen()).toBe(3), 1000);
    expect(Object.keys(made.stats().venues)).toEqual(['p', 'p-x']);
    await rig.until(() => expect(Object.keys(made.stats().venues)).toEqual(['p']), 1000);
    expect(seen()).toBe(4);
  });

  it('never takes over a venue that is not its own', async () => {
    const sub = (id: string) => rig.venueAt(id);
    listSubs('v', 'x');
    const made = rig.collect([rig.venueAt('p', parentOf(sub)), rig.venueAt('v')]);
    await made.start();
    await rig.until(() => expect(rig.sink.count('x')).toBeGreaterThan(0));
    listSubs('z');
    await rig.until(() => expect(rig.sink.count('z')).toBeGreaterThan(0), 1000);
    expect(Object.keys(made.stats().venues).sort()).toEqual(['p', 'v', 'z']);
  });
});
