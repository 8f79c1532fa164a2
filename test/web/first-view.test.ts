import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from './browser.ts';
import { type PageServers, servePage } from './page-servers.ts';
import { openVisits, type Visits } from './visit.ts';

/** The document, its code and what the view reads, as they are sent. */
const MOST_BYTES = 60 * 1024;

interface Taken {
  readonly name: string;
  readonly encodedBodySize: number;
}

/** The document and all that it has asked for until now, with their sizes on the wire. */
const TAKEN = `JSON.stringify([...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(({ name, encodedBodySize }) => ({ name, encodedBodySize })))`;

describe.skipIf(!hasChromium)('the first view in Chromium (skipped where there is none)', () => {
  let servers: PageServers;
  let visits: Visits;

  beforeAll(async () => {
    servers = await servePage();
    visits = await openVisits();
  });
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });

  it.each(['', 'matrix'])('#/%s, nothing kept: at most 60 KB in all', async (place) => {
    const { page } = await visits.openAlone(`${servers.public}/#/${place}`, async () => {});
    await page.locator('main h1').waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    const taken = JSON.parse(await page.evaluate<string>(TAKEN)) as readonly Taken[];
    const kinds = [/\/web\/.*\.js$/, /\/web\/.*\.css$/, /\/v1\//];
    for (const kind of kinds)
      expect(taken.filter(({ name }) => kind.test(new URL(name).pathname))).not.toEqual([]);
    const bytes = taken.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    expect(bytes, JSON.stringify(taken)).toBeGreaterThan(10_000);
    expect(bytes, JSON.stringify(taken)).toBeLessThanOrEqual(MOST_BYTES);
  });
});
