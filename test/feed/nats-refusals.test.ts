import { afterEach, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { systemClock } from '../../src/domain/clock.ts';
import type { Feed } from '../../src/feed/ports.ts';
import { openNatsFeed } from '../../src/modules/cluster/nats/nats-feed.ts';
import { until } from '../until.ts';
import { BareNatsServer } from './bare-nats-server.ts';
import { selling } from './feed-hosts.ts';

let server: BareNatsServer;
let feed: Feed;
/** Logged warnings. */
let said: string[];

async function follow(maxPayload?: number): Promise<void> {
  said = [];
  const logger = { ...silentLogger, warn: (...line: unknown[]) => void said.push(JSON.stringify(line)) };
  server = await BareNatsServer.start(maxPayload);
  feed = await openNatsFeed({ url: server.url, clock: systemClock, logger });
  selling(systemClock, (into) => feed.follow(into));
}

afterEach(async () => {
  await feed.close();
  await server.stop();
});

it('connects again by itself where its account was refused several times', async () => {
  await follow();
  server.isRefusing = true;
  server.disconnect();
  await until(() => expect(server.refusals).toBeGreaterThan(3));
  expect(feed.state().ok).toBe(false);
  server.isRefusing = false;
  await until(() => expect(feed.state().ok).toBe(true));
  expect(said).toEqual([expect.stringContaining('refuses the account')]);
});

it('goes on where what is due cannot be sent, and says why', async () => {
  await follow(1);
  await until(() => expect(said).toEqual([expect.stringContaining('max_payload')]));
  expect(feed.state().ok).toBe(true);
});
