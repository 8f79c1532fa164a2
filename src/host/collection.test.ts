import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { LoadWatch } from '../collect/load-watch.ts';
import { silentLogger } from '../collect/logger.ts';
import { systemClock } from '../domain/clock.ts';
import type { FundingPoint } from '../domain/quote.ts';
import { asMs, asRate } from '../domain/units.ts';
import { embeddedFeed } from '../feed/embedded.ts';
import type { Sinks } from '../tape/tape.ts';
import { derive } from '../venues/derive/index.ts';
import { collectInto, openStores } from './collection.ts';
import type { Host, Module, OpenModule } from './module.ts';
import { OpenModules, reading } from './open-modules.ts';
import type { ServiceOptions } from './options.ts';

const host = { settings: reading({}), logger: silentLogger } as unknown as Host;
const folder = mkdtempSync(join(tmpdir(), 'perpmeter-collection-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([['collects', 'all'] as const, ['follows collectors', 'record'] as const])(
  'a process that %s: keeps requested payments in its history',
  async (_, role) => {
    const roles = role === 'all' ? {} : { roles: new Set([role]) };
    const options = { dataDir: join(folder, role), logger: silentLogger, venues: [], ...roles };
    const given = options as unknown as ServiceOptions;
    const stores = await openStores(given, systemClock);
    if (typeof stores === 'string') throw new Error(stores);
    let followed: Sinks | undefined;
    const feed = embeddedFeed();
    const follow = (into: Sinks) => {
      followed = into;
      return feed.follow(into);
    };
    const load = new LoadWatch(systemClock, silentLogger);
    const made = collectInto({ ...stores, feed: { ...feed, follow } }, given, systemClock, load);
    const kept: FundingPoint[] = [];
    const take = (_venue: string, { funding }: { readonly funding: readonly FundingPoint[] }) =>
      void kept.push(...funding);
    made.listen(await OpenModules.open([], host), { sink: { kinds: ['funding'], take } });
    const paid = { symbol: 'BTC-USDT-SWAP', time: asMs(0), rate: asRate(0.0001) };
    expect(followed).toBeUndefined();
    await made.fill();
    (followed ?? made.tape.sinks).payments('okx', [paid], asMs(1));
    expect(followed !== undefined).toBe(role === 'record');
    expect(kept).toEqual([paid]);
    await made.collector.stop();
    await Promise.all([stores.store.close(), feed.close()]);
  },
);

it('the tape: judges hear first, then feed, history and modules', async () => {
  const given = {
    dataDir: join(folder, 'order'),
    logger: silentLogger,
    venues: [],
  } as unknown as ServiceOptions;
  const stores = await openStores(given, systemClock);
  if (typeof stores === 'string') throw new Error(stores);
  const made = collectInto(stores, given, systemClock, new LoadWatch(systemClock, silentLogger));
  const opening = (id: string, opened: OpenModule): Module => ({ id, open: async () => opened });
  const judge = { listens: {}, flagOf: () => undefined };
  const modules = [opening('a', { listens: {} }), opening('b', { listens: {}, judges: judge })];
  made.listen(await OpenModules.open(modules, host), { sink: { kinds: [], take: () => {} } });
  const told = [...made.tape.faults().keys()];
  expect(told).toEqual(['judge b', 'feed', 'history', 'a', 'b']);
  await Promise.all([stores.store.close(), stores.feed.close()]);
});

it('a venue removed while it runs: retired in the live table', async () => {
  const options = { dataDir: join(folder, 'removed'), logger: silentLogger, venues: [] };
  const given = options as unknown as ServiceOptions;
  const stores = await openStores(given, systemClock);
  if (typeof stores === 'string') throw new Error(stores);
  const feed = embeddedFeed();
  const load = new LoadWatch(systemClock, silentLogger);
  const { market, collector } = collectInto({ ...stores, feed }, given, systemClock, load);
  const isRetired = (): boolean | undefined => {
    market.sweep();
    return market.view.venue('derive')?.isRetired;
  };
  collector.addVenue(derive);
  expect(isRetired()).toBe(false);
  collector.removeVenue('derive', 'no longer listed');
  expect(isRetired()).toBe(true);
  await Promise.all([stores.store.close(), feed.close()]);
});
