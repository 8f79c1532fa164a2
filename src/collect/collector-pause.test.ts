import { expect, it } from 'vitest';
import { type CollectorRig, eachWithRig } from '../../test/collect/collector-rig.ts';

let rig: CollectorRig;
eachWithRig((made) => {
  rig = made;
});

const askedOf = (venue: string): number => rig.hits.filter((path) => path.startsWith(`/${venue}/`)).length;

it('a paused venue: asked nothing, its contracts listed, resumed once', async () => {
  const made = rig.collect([rig.venueAt('v'), rig.venueAt('w')]);
  await made.start();
  await rig.run(2000, 'v');
  expect(made.pauseVenue('v')).toBe(true);
  expect(made.pauseVenue('v')).toBe(false);
  expect(made.health.of('v')).toMatchObject({ paused: true, lastError: 'paused by the operator' });
  const before = askedOf('v');
  const others = askedOf('w');
  await rig.run(30_000, 'w');
  expect(askedOf('v')).toBe(before);
  expect(askedOf('w')).toBeGreaterThan(others);
  expect(made.health.of('v')?.status).toBe('stale');
  expect(rig.sink.events).not.toContain('instruments v ');
  expect(await Promise.all([made.resumeVenue('v'), made.resumeVenue('v')])).toEqual([true, false]);
  await rig.until(() => expect(made.health.of('v')?.status).toBe('live'));
  expect(askedOf('v')).toBeGreaterThan(before);
  expect(made.health.of('v')).not.toHaveProperty('paused');
  expect(made.health.of('v')?.lastError).toBeUndefined();
});

it('an unknown venue: neither paused nor resumed', async () => {
  const made = rig.collect([rig.venueAt('v')]);
  expect(made.pauseVenue('x')).toBe(false);
  expect(await made.resumeVenue('v')).toBe(false);
});

it('a paused venue that is removed: not resumed, its contracts delisted', async () => {
  const made = rig.collect([rig.venueAt('v')]);
  await made.start();
  await rig.run(2000, 'v');
  made.pauseVenue('v');
  made.removeVenue('v', 'gone');
  expect(rig.sink.events).toContain('instruments v ');
  expect(await made.resumeVenue('v')).toBe(false);
  expect(made.health.all()).toEqual([]);
});

it('a stopped collector: a paused venue is not collected again', async () => {
  const made = rig.collect([rig.venueAt('v')]);
  await made.start();
  await rig.run(2000, 'v');
  made.pauseVenue('v');
  await made.stop();
  await made.resumeVenue('v');
  const before = askedOf('v');
  await rig.time.advance(10_000);
  expect(askedOf('v')).toBe(before);
});
