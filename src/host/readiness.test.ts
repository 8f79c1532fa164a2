import { describe, expect, it } from 'vitest';
import { calmHealth } from '../../test/api/fake-market.ts';
import { asMs } from '../domain/units.ts';
import { makeTracked } from '../products/asset-fixture.ts';
import type { Host, Module } from './module.ts';
import { OpenModules, reading } from './open-modules.ts';
import { unreadyOf } from './readiness.ts';

const host = { settings: reading({}) } as unknown as Host;
const module = (id: string, reason: string | undefined): Module => ({
  id,
  open: async () => ({ unready: () => reason }),
});

const health = (...statuses: readonly ('live' | 'down')[]) =>
  calmHealth(
    statuses.map((status) => ({ ...makeTracked(), status })),
    asMs(0),
  );
const parts = async (...reasons: readonly (string | undefined)[]) => ({
  isStopping: () => false,
  health: health('down', 'live'),
  modules: await OpenModules.open(
    reasons.map((reason, i) => module(`m${i}`, reason)),
    host,
  ),
});

describe('readiness of a service', () => {
  it('a venue is live and no module objects: ready', async () => {
    expect(unreadyOf(await parts())).toBeUndefined();
    expect(unreadyOf(await parts(undefined))).toBeUndefined();
  });

  it('a module objects: not ready, for the first reason', async () => {
    expect(unreadyOf(await parts(undefined, 'its store is read', 'another'))).toBe('its store is read');
  });

  it('no venue is live, or it stops: said before what modules say', async () => {
    const given = await parts('its store is read');
    expect(unreadyOf({ ...given, health: health('down') })).toBe('no venue is live yet');
    expect(unreadyOf({ ...given, isStopping: () => true })).toBe('the service is about to end');
  });
});
