import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { KNOWN_VENUES } from '../../src/venues/registry.ts';
import { streamsOf } from './keep-alive.ts';

const VENUES = fileURLToPath(new URL('../../src/venues', import.meta.url));
const STREAMING = KNOWN_VENUES.filter((venue) => streamsOf(venue).length > 0);

/** The tests in a venue's folder. */
const testsOf = (folder: string): string =>
  readdirSync(`${VENUES}/${folder}`)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(`${VENUES}/${folder}/${name}`, 'utf8'))
    .join('\n');

describe.each(STREAMING)('$id', (venue) => {
  const { id, parent, heartbeat } = venue;

  it('states what keeps a connection alive, and who says so', () => {
    expect(heartbeat?.source).toMatch(/\w{4}/);
  });

  it.each(streamsOf(venue))('pings on $name within the bounds that it states', ({ keepAlive }) => {
    const { atLeast = 1000, atMost } = heartbeat?.pingMs ?? {};
    expect(keepAlive === undefined).toBe(atMost === undefined);
    if (keepAlive === undefined || atMost === undefined) return;
    expect(keepAlive.everyMs).toBeGreaterThanOrEqual(atLeast);
    expect(keepAlive.everyMs).toBeLessThanOrEqual(atMost);
  });

  it('has its frames held to the documents by a test of its own', () => {
    expect(testsOf(parent ?? id)).toContain(`describeKeepAlive(${parent ?? id}, `);
  });
});

it('states a heartbeat of no venue that streams nothing', () => {
  const stated = KNOWN_VENUES.filter(({ heartbeat }) => heartbeat !== undefined);
  expect(stated.map(({ id }) => id)).toEqual(STREAMING.map(({ id }) => id));
});
