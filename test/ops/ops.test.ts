import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  metricsIn,
  metricTypes,
  opsText,
  panelQueries,
  readAlerts,
  readCases,
  readDashboards,
} from '../../scripts/ops-kit.ts';
import { ACCOUNTING_DOCUMENTS } from '../../src/modules/accounting/documents.ts';
import { DOCUMENTS } from '../../src/modules/operator/documents.ts';
import { modulePages } from '../module-pages.ts';
import { type OpsService, startOpsService } from './ops-service.ts';

/** The page of metrics, and pages in the folders of modules, which may have those of their module. */
const METRICS = [new URL('../../docs/metrics.md', import.meta.url), ...modulePages()]
  .map((page) => readFileSync(page, 'utf8'))
  .join('\n');
const ALERTS = readFileSync(new URL('../../docs/alerts.md', import.meta.url), 'utf8');
const alerts = readAlerts(opsText('prometheus/rules.yml'));
let running: OpsService;
let text = '';
let types: ReadonlyMap<string, string> = new Map();
let histograms: ReadonlySet<string> = new Set();

beforeAll(async () => {
  running = await startOpsService();
  for (const path of ['/v1/health', '/v1/perp/basis?ticker=BTC', '/v1/nothing']) {
    await (await fetch(running.base + path)).arrayBuffer();
  }
  text = await running.metrics();
  types = metricTypes(text);
  histograms = new Set([...types].filter(([, type]) => type === 'histogram').map(([name]) => name));
});
afterAll(() => running.stop());

/** A schema whose objects may have no other members: it finds those that it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([name, part]) => [name, closed(part)] as const);
  const isNamed = parts.some(([name]) => name === 'properties');
  return Object.fromEntries(isNamed ? [...parts, ['additionalProperties', false]] : parts);
}

it.each([...DOCUMENTS, ...ACCOUNTING_DOCUMENTS])(
  '$path of a running service: as its schema says',
  async ({ path, schema }) => {
    const errors = Compile(closed(schema) as TSchema).Errors(await running.operator(path));
    expect(errors.map(({ instancePath, message }) => `${instancePath} ${message}`)).toEqual([]);
  },
);

describe('metrics of a running service', () => {
  it('are at least sixty, each with a help text and its unit', () => {
    const own = [...types.keys()].filter((name) => name.startsWith('perpmeter_'));
    expect(own.length).toBeGreaterThanOrEqual(60);
    for (const name of own) expect(text).toMatch(new RegExp(`^# HELP ${name} \\S.{8,}$`, 'm'));
    const counters = [...types].filter(([, type]) => type === 'counter').map(([name]) => name);
    expect(counters.filter((name) => !name.endsWith('_total'))).toEqual([]);
    const others = [...types].filter(([, type]) => type !== 'counter').map(([name]) => name);
    expect(others.filter((name) => name.endsWith('_total'))).toEqual([]);
    expect(
      [...types.keys()].filter((name) => /_(ms|millis|minutes|hours|mb|kb|percent)(?=_|$)/.test(name)),
    ).toEqual([]);
  });

  it('an answer: counted by route and status, challenges too', () => {
    for (const line of [
      'perpmeter_http_requests_total{route="health",status="200"} 1',
      'perpmeter_http_requests_total{route="perp-basis",status="402"} 1',
      'perpmeter_http_requests_total{route="none",status="404"} 1',
      'perpmeter_http_request_duration_seconds_count{route="perp-basis"} 1',
      'perpmeter_http_request_duration_seconds_bucket{le="+Inf",route="health"} 1',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
  });

  it('are exactly those of the manual, but for those of a ledger on a server', () => {
    const lines = METRICS.split('\n').filter((line) => !line.includes('only with `LEDGER_URL`'));
    const told = new Set([...lines.join('\n').matchAll(/`(perpmeter_[a-z0-9_]+)/g)].map(([, name]) => name));
    const own = [...types.keys()].filter((name) => name.startsWith('perpmeter_'));
    expect([...told].sort()).toEqual(own.sort());
  });
});

describe('alerts', () => {
  it('name only metrics that the service has', () => {
    const unknown = alerts.flatMap(({ alert, expr }) =>
      metricsIn(expr, histograms)
        .filter((name) => !types.has(name))
        .map((name) => `${alert}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('have a case in which they fire and one in which they do not', () => {
    const cases = readCases(opsText('prometheus/rules.test.yml'));
    const has = (alert: string, fires: boolean): boolean =>
      cases.some((example) => example.alert === alert && example.fires === fires);
    expect(alerts.length).toBeGreaterThanOrEqual(8);
    expect(alerts.filter(({ alert }) => !has(alert, true) || !has(alert, false))).toEqual([]);
  });

  it('have a section in the manual that says what to do', () => {
    expect(alerts.filter(({ alert }) => !ALERTS.includes(`\n### ${alert}\n`))).toEqual([]);
  });
});

describe('dashboards', () => {
  it('have panels with one query or more, and ids of their own', () => {
    const dashboards = readDashboards();
    expect(dashboards.length).toBeGreaterThan(0);
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
    for (const { panels } of dashboards) {
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      expect(panels.filter(({ targets }) => targets.length === 0)).toEqual([]);
    }
  });

  it('name only metrics that the service has', () => {
    const unknown = panelQueries().flatMap(({ panel, expr }) => {
      const names = metricsIn(expr, histograms);
      return names.length === 0 ? [`${panel}: no metric`] : names.filter((name) => !types.has(name));
    });
    expect(unknown).toEqual([]);
  });
});

describe('the readers of the kit', () => {
  it('refuse a rule without a summary, and a case that asserts nothing', () => {
    expect(() => readAlerts('groups:\n      - alert: Odd\n        expr: up == 0\n')).toThrow('lacks');
    expect(() => readAlerts('        record: x\n')).toThrow('not understood');
    expect(() => readCases('tests:\n  - name: Odd fires\n    interval: 1m\n')).toThrow('does not assert');
  });
});
