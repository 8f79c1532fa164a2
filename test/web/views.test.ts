import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIRST_SHOTS, pageViews, SECTIONS } from '../../scripts/page-views.ts';
import { hasChromium } from './browser.ts';
import { type PageServers, servePage } from './page-servers.ts';
import { openVisits, type Visits } from './visit.ts';

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));
const views = await pageViews();
const shots = [...FIRST_SHOTS, ...views.flatMap((view) => view.shots)];

describe('views in their list', () => {
  it.each(views)('$name: pictures of its own, which name and open it', ({ name, shots: own }) => {
    expect(own).not.toEqual([]);
    for (const shot of own) {
      expect(shot.name).toMatch(new RegExp(`^${name}(-|$)`));
      expect(shot.place).toMatch(new RegExp(`^#/${name}(\\?|$)`));
    }
  });

  it('kept pictures: each is there and shown by a page, and no other is', () => {
    const kept = shots.flatMap(({ name, kept: look }) =>
      look === undefined ? [] : [`${name}-wide-${look}.webp`],
    );
    const pages = readdirSync(DOCS).filter((page) => page.endsWith('.md'));
    const text = pages.map((page) => readFileSync(`${DOCS}/${page}`, 'utf8')).join('\n');
    expect(kept.filter((name) => !existsSync(`${DOCS}/screens/${name}`))).toEqual([]);
    expect(kept.filter((name) => !text.includes(`](screens/${name})`))).toEqual([]);
    expect(readdirSync(`${DOCS}/screens`).sort()).toEqual(kept.sort());
  });
});

describe.skipIf(!hasChromium)('views of the page in Chromium (skipped where there is none)', () => {
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

  it.each(['public', 'operator'] as const)(
    'the %s port: links to its views in the order of the list',
    async (port) => {
      const { page } = await visits.open(servers[port]);
      const nav = page.getByRole('navigation', { name: 'Views' });
      await nav.waitFor();
      const own = views.filter(({ isOperators }) => isOperators !== true || port === 'operator');
      expect(await nav.getByRole('link').allTextContents()).toEqual([
        'Home',
        ...own.map(({ title }) => title),
      ]);
    },
  );

  it('the view of data quality: sections of modules, then the units', async () => {
    const { page } = await visits.open(`${servers.public}/#/quality`);
    const choices = page.getByRole('group', { name: 'Section' }).getByRole('button');
    await choices.first().waitFor();
    const names = SECTIONS.quality.map(({ name }) => name);
    expect(names.at(-1)).toBe('units');
    expect(await choices.allTextContents()).toEqual(names);
  });

  it.each(views)('$name: its piece of the page loads', async ({ name, isOperators }) => {
    const { page } = await visits.open(`${servers[isOperators === true ? 'operator' : 'public']}/#/${name}`);
    await page.locator(`nav a[aria-current="page"][href^="#/${name}"]`).waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    expect(await page.getByText('This view did not load').count()).toBe(0);
  });
});
