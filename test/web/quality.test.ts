import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  DataQualityAccuracyAnswer,
  DataQualityCoverageAnswer,
  DataQualityGapsAnswer,
  DataQualityLatencyAnswer,
  DataQualitySummaryAnswer,
  DataQualityUnitsAnswer,
} from '../../packages/client/src/routes.ts';
import { asMs } from '../../src/domain/units.ts';
import { Incidents } from '../../src/modules/audit/incidents/incidents.ts';
import { exampleAudit } from '../api/example-audit.ts';
import { EXAMPLE_NOW } from '../api/example-market.ts';
import { examplePorts } from '../api/example-ports.ts';
import { memoryIncidentStore } from '../audit/memory-incidents.ts';
import { hasChromium } from './browser.ts';
import { type PageServers, servePage } from './page-servers.ts';
import {
  expectSound,
  expectSoundInTheDark,
  openVisits,
  tableTexts,
  untilPlace,
  type Visits,
} from './visit.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const HOUR = 3_600_000;

/** The example audit's counts, with an incident that lasts and a later one that is over. */
function auditWithIncidents() {
  const incidents = new Incidents(memoryIncidentStore());
  const whole = { rule: 'stale', venue: 'binance', field: 'all', evidence: HOSTILE };
  incidents.open(whole, asMs(EXAMPLE_NOW - 3 * HOUR));
  incidents.annotate(1, 'the venue is asked', asMs(EXAMPLE_NOW - HOUR));
  const jump = { rule: 'jump', venue: 'okx', field: 'mark', contract: 'BTC-USDT-SWAP', evidence: '1 -> 2' };
  incidents.close(incidents.open(jump, asMs(EXAMPLE_NOW - 2 * HOUR)), asMs(EXAMPLE_NOW - HOUR));
  return { ...exampleAudit(), incidents };
}

const share = (value: number | null | undefined): string => value?.toFixed(1) ?? '–';
const rough = (value: number): string => String(Number(value.toPrecision(3)));
const relative = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${rough(value * 100)} %`;

describe.skipIf(!hasChromium)('the quality of the data in Chromium (skipped where there is none)', () => {
  let servers: PageServers;
  let visits: Visits;
  const read = async <Body>(route: string): Promise<Body> =>
    (await fetch(`${servers.public}/v1/data-quality/${route}`)).json() as Promise<Body>;
  const open = (query: string) => visits.open(`${servers.public}/#/quality${query}`);
  const rowsOf = async (page: Page, caption: string) => (await tableTexts(page, caption)).slice(1);

  beforeAll(async () => {
    servers = await servePage({ readPort: examplePorts({ audit: auditWithIncidents() }) });
    visits = await openVisits();
  });
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });

  it('the grade of each venue with reasons, and the rule', async () => {
    const { rule, venues } = await read<DataQualitySummaryAnswer>('summary');
    const made = await visits.open(`${servers.public}/#/venues`);
    const { page } = made;
    const [binance] = venues;
    await page
      .getByRole('row', { name: /^binance / })
      .getByRole('link', { name: binance?.grade ?? '' })
      .click();
    await untilPlace(page, (hash) => hash === '#/quality?venue=binance');
    await page.getByRole('combobox').selectOption('');
    await page.getByRole('rowheader', { name: 'okx', exact: true }).waitFor();
    await page.getByText(rule).waitFor();
    expect(binance).toMatchObject({ open_incidents: 1, predictions_compared: 1200 });
    expect(await rowsOf(page, 'Grades')).toEqual(
      venues.map((row) => [
        ...[row.venue, row.grade ?? '–', row.reasons.join('; ') || '–', row.status],
        ...[row.open_incidents, row.contracts, row.suspect].map(String),
        ...[share(row.marks_pct), share(row.rates_pct)],
        row.predictions_compared.toLocaleString('en-US'),
        share(row.predictions_met_pct),
      ]),
    );
    await expectSound(made);
  });

  it('a service that makes no grades: venues without that column', async () => {
    const { page } = await visits.openAlone(`${servers.public}/#/venues`, async (made) => {
      await made.route('**/v1/health', async (route) => {
        const response = await route.fetch();
        const { grades, ...json } = await response.json();
        await route.fulfill({ response, json });
      });
    });
    await page.getByRole('columnheader', { name: 'Status' }).waitFor();
    await page.getByRole('columnheader', { name: 'Grade' }).waitFor({ state: 'detached' });
    const [head = []] = await tableTexts(page, 'Health of each venue');
    expect(head.slice(0, 3)).toEqual(['Venue', 'Status', 'Since']);
    await visits.closeAlone();
  });

  it('open incidents first, evidence as text, the same as a file', async () => {
    const made = await open('?section=incidents');
    const { page } = made;
    const [first = [], second = []] = await rowsOf(page, 'Incidents');
    expect(first.slice(0, 4)).toEqual(['stale', 'binance', 'whole venue', 'all']);
    expect(first.slice(5, 7)).toEqual(['open', HOSTILE]);
    expect(first[7]).toContain('the venue is asked');
    expect(second.slice(0, 4)).toEqual(['jump', 'okx', 'BTC-USDT-SWAP', 'mark']);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const [head, row] = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(head).toBe('rule,venue,venue_symbol,field,start,end,evidence,annotations,id');
    const since = new Date(EXAMPLE_NOW - 3 * HOUR).toISOString();
    expect(row).toContain(`stale,binance,,all,${since},,${HOSTILE},`);
    await expectSound(made);
  });

  it('has coverage by day, and the gaps', async () => {
    const made = await open('?section=coverage');
    const { coverage } = await read<DataQualityCoverageAnswer>('coverage');
    const of = (metric: string) => share(coverage.find((row) => row.metric === metric)?.sampled_pct);
    const metrics = ['mark_price', 'funding_rate', 'index_price', 'open_interest', 'volume_24h'];
    expect(new Set(metrics.map(of)).size).toBeGreaterThan(1);
    expect(await rowsOf(made.page, 'Coverage')).toEqual([
      [
        ...['binance', coverage[0]?.day, String(coverage[0]?.contracts)],
        ...[...metrics, 'funding_interval', 'next_funding_time'].map(of),
      ],
    ]);
    const { gaps } = await read<DataQualityGapsAnswer>('gaps');
    const shown = await rowsOf(made.page, 'Gaps');
    expect(shown.map((row) => [row[0], row[3], row[4]])).toEqual(
      gaps.map(({ venue, minutes, reason }) => [venue, String(minutes), reason.replaceAll('_', ' ')]),
    );
    await expectSound(made);
  });

  it('the age of values by keyboard, the same by the address', async () => {
    const { page } = await open('?venue=binance');
    await page.getByRole('button', { name: 'latency' }).press('Enter');
    await untilPlace(page, (hash) => hash === '#/quality?venue=binance&section=latency');
    const { ages } = await read<DataQualityLatencyAnswer>('latency?venue=binance');
    expect(ages.length).toBeGreaterThan(0);
    const expected = ages.map((row) => [
      ...[row.venue, row.field],
      ...[row.p50_seconds, row.p90_seconds, row.p99_seconds, row.values].map(rough),
    ]);
    expect(await rowsOf(page, 'Latency')).toEqual(expected);
    await page.reload();
    expect(await rowsOf(page, 'Latency')).toEqual(expected);
    expect(await page.getByRole('combobox').inputValue()).toBe('binance');
  });

  it('takes a choice that is made before the view is painted', async () => {
    const { page } = await visits.openAlone(`${servers.public}/#/quality?venue=binance`, async (made) => {
      // An observer of mutations runs before the next frame.
      await made.addInitScript(`
        const appeared = new MutationObserver(() => {
          const latency = [...document.querySelectorAll('button')].find((one) => one.textContent === 'latency');
          if (latency === undefined) return;
          appeared.disconnect();
          latency.click();
        });
        appeared.observe(document, { childList: true, subtree: true });
      `);
    });
    await untilPlace(page, (hash) => hash === '#/quality?venue=binance&section=latency');
    expect((await rowsOf(page, 'Latency')).length).toBeGreaterThan(0);
    await visits.closeAlone();
  });

  it('comparisons: the worst values, payments, missing ways', async () => {
    const made = await open('?section=accuracy&venue=binance');
    const answer = await read<DataQualityAccuracyAnswer>('accuracy?venue=binance');
    const fields = await rowsOf(made.page, 'Second reading');
    expect(fields.map((row) => row.slice(0, 4))).toEqual(
      answer.fields.map((row) => ['binance', row.field, String(row.compared), String(row.agreed)]),
    );
    const mark = answer.fields.find(({ worst }) => worst !== null);
    expect(fields.find((row) => row[1] === mark?.field)?.slice(4)).toEqual([
      ...[relative(mark?.median_difference), relative(mark?.p99_difference), '–'],
    ]);
    const worst = await rowsOf(made.page, 'Worst of each');
    expect(worst).toHaveLength(answer.fields.filter((row) => row.worst !== null).length);
    expect(worst.find((row) => row[1] === mark?.field)?.slice(2, 8)).toEqual([
      ...[relative(mark?.worst?.difference), relative(mark?.worst?.tolerance), mark?.worst?.venue_symbol],
      ...[String(mark?.worst?.shown), String(mark?.worst?.second), mark?.worst?.way],
    ]);
    expect(fields[0]?.[6]).toBe(answer.fields[0]?.no_second_way);
    const [paid] = answer.settled_against_shown;
    const [head = [], shown = []] = await tableTexts(made.page, 'Settled against shown');
    expect(head.indexOf('Paid')).toBe(10);
    expect(shown[10]).toBe(String(paid?.worst?.second));
    expect(shown.slice(0, 4)).toEqual([
      'binance',
      paid?.before,
      String(paid?.payments),
      String(paid?.agreed),
    ]);
    expect(shown[6]).toBe(`${rough((paid?.worst?.difference ?? 0) * 1e4)} bps`);
    const [ways] = answer.venues;
    expect(await rowsOf(made.page, 'Second ways')).toEqual([
      ['binance', ways?.ways.join(', '), ways?.missing],
    ]);
    await expectSound(made);
  });

  it('has the units of a venue, each with its evidence', async () => {
    const made = await open('?section=units&venue=binance');
    const { units } = await read<DataQualityUnitsAnswer>('units?venue=binance');
    expect(await rowsOf(made.page, 'Units')).toEqual(
      units.map((row) => [
        ...[row.venue, row.field, row.unit, row.sides ?? '–', row.confidence, row.date],
        ...[row.source, row.evidence],
      ]),
    );
    await expectSound(made);
  });

  it('nothing found, a venue unknown, the service gone: said', async () => {
    const { page, context } = await open('?section=incidents&venue=bybit');
    await page.getByText('No incident in the last seven days.').waitFor();
    await open('?venue=nosuch');
    await page.getByRole('alert').filter({ hasText: 'nosuch' }).waitFor();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'units' }).click();
    await page.getByText('No connection to the service').waitFor();
    await context.setOffline(false);
  });

  it('has no finding in the dark and in a narrow window', async () => {
    const sections = ['grades', 'incidents', 'accuracy'];
    await expectSoundInTheDark(
      visits,
      sections.map((section) => `${servers.public}/#/quality?section=${section}`),
    );
  });
});
