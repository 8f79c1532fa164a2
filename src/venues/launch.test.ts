import { expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { beforeLaunch } from './launch.ts';

const NOW = asMs(1_790_000_000_000);
const reject = (raw: unknown, isAnnounced = false, now: typeof NOW | undefined = NOW) =>
  beforeLaunch('NEW', { field: 'opens', raw, scale: 1000 }, isAnnounced, now);

it.each([0, '0', '', null, undefined])('a launch of %j states none: the status alone decides', (raw) => {
  expect(reject(raw)).toBeUndefined();
  expect(reject(raw, true)).toEqual({ symbol: 'NEW', reason: 'prelisting' });
});

it.each([
  ['soon', 'malformed'],
  [{}, 'malformed'],
  [-1, 'out_of_range'],
  [NOW, 'out_of_range'],
])('a contract called open whose launch of %j cannot be read is a fault', (raw, reason) => {
  expect(reject(raw)).toEqual({ symbol: 'NEW', reason, detail: 'opens' });
  expect(reject(raw, true)).toEqual({ symbol: 'NEW', reason: 'prelisting' });
});

it('a launch ahead of receipt: rejects; receipt unknown: by status', () => {
  const ahead = { symbol: 'NEW', reason: 'prelisting', detail: 'launch 2026-09-21T14:13:21.000Z' };
  expect(reject(NOW / 1000 + 1)).toEqual(ahead);
  expect(reject(NOW / 1000)).toBeUndefined();
  expect(beforeLaunch('NEW', { field: 'opens', raw: NOW }, false, undefined)).toBeUndefined();
});
