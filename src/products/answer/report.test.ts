import { expect, it } from 'vitest';
import { iso } from '../../domain/clock.ts';
import { FIXTURE_NOW } from '../../market/row-fixture.ts';
import type { Ports } from '../define-product.ts';
import { findReport } from './report.ts';

const windowOf = (to?: string) => {
  const ports = { clock: { now: () => FIXTURE_NOW } } as unknown as Ports;
  const found = findReport({ format: 'json', time: 'iso', ...(to !== undefined && { to }) }, ports);
  return found.ok ? [iso(found.value.from), iso(found.value.to)] : found.error;
};

it('a report without a start covers the seven days before its end', () => {
  expect(windowOf('2026-11-10T12:30:00Z')).toEqual(['2026-11-03T12:00:00.000Z', '2026-11-10T12:00:00.000Z']);
  expect(windowOf()).toEqual(['2026-11-13T21:00:00.000Z', '2026-11-20T22:00:00.000Z']);
});
