import { request } from 'undici';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import type { Incident } from '../../src/host/incident-board.ts';
import {
  type CoverageGap,
  CoverageTracker,
  type DayCoverage,
  METRICS,
} from '../../src/modules/audit/coverage/coverage.ts';
import { Incidents, MAX_INCIDENTS } from '../../src/modules/audit/incidents/incidents.ts';
import type { AuditView } from '../../src/modules/audit/port.ts';
import { Distribution } from '../../src/modules/second-reader/counts/distribution.ts';
import type { QualityDay, QualityKind } from '../../src/modules/second-reader/counts/quality-day.ts';
import { QualityDays } from '../../src/modules/second-reader/counts/quality-days.ts';
import { AGED_FIELDS } from '../../src/modules/second-reader/minute-look.ts';
import { COMPARED_FIELDS } from '../../src/modules/second-reader/readings/field-rules.ts';
import { BEFORE_PAYMENT } from '../../src/modules/second-reader/readings/settled-against-shown.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/runtime/duration.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { createExampleApi, manualClock } from '../../test/api/example-api.ts';
import { EXAMPLE_NOW, EXAMPLE_VENUES } from '../../test/api/example-market.ts';
import { examplePorts } from '../../test/api/example-ports.ts';
import { calmHealth, createFakeMarket } from '../../test/api/fake-market.ts';
import { memoryCoverageStore, memoryIncidentStore } from '../../test/audit/memory-incidents.ts';
import { memoryQualityStore } from '../../test/second-reader/memory-counts.ts';

const DAYS = 91;
const GAPS_A_DAY = 2;
const CONTRACTS = 300;
/** Buckets that the differences, or the ages, of a day fall into. */
const BUCKETS = 25;

/** Venues with those that one of them discovers. */
const IDS = [
  ...VENUES.map(({ id }) => id),
  ...['xyz', 'para', 'io', 'mkts'].map((dex) => `hyperliquid-${dex}`),
];
const TODAY = asMs(Math.floor(EXAMPLE_NOW / DAY_MS) * DAY_MS);
const dayBefore = (days: number): UnixMs => asMs(TODAY - days * DAY_MS);

function* venueDays(): Generator<readonly [venue: string, day: UnixMs]> {
  for (const venue of IDS) for (let age = DAYS - 1; age >= 0; age--) yield [venue, dayBefore(age)];
}

function coverage(): CoverageTracker {
  const days: DayCoverage[] = [];
  const gaps: CoverageGap[] = [];
  for (const [venue, day] of venueDays()) {
    const counts = METRICS.map((name) => [name, { served: CONTRACTS, samples: CONTRACTS * 1430 }]);
    const metrics = Object.fromEntries(counts) as DayCoverage['metrics'];
    days.push({ venue, day, from: day, to: asMs(day + DAY_MS), contracts: CONTRACTS, metrics });
    for (let i = 0; i < GAPS_A_DAY; i++) {
      const from = asMs(day + (i + 1) * 5 * HOUR_MS);
      gaps.push({ venue, from, to: asMs(from + 6e5), reason: 'venue_stale' });
    }
  }
  return new CoverageTracker({ ...memoryCoverageStore(), load: () => ({ days, gaps }) });
}

function quality(): QualityDays {
  const fields: readonly (readonly [QualityKind, readonly string[]])[] = [
    ['second', COMPARED_FIELDS],
    ['paid', BEFORE_PAYMENT.map((before) => `shown_${before}_before`)],
    ['age', AGED_FIELDS],
  ];
  const days: QualityDay[] = [];
  for (const [venue, day] of venueDays()) {
    for (const [kind, names] of fields) {
      for (const field of names) {
        const values = new Distribution(
          Array.from({ length: BUCKETS }, (_, i) => [i - 40, 1 + (i % 7)] as const),
        );
        const one = { symbol: 'BTCUSDT', way: 'ticker', at: day, shown: 1.2345, second: 1.2346 };
        const worst = { ...one, difference: 1e-4, tolerance: 2e-3 };
        days.push({ kind, venue, field, day, values, agreed: values.count - 1, worst });
      }
    }
  }
  return new QualityDays(memoryQualityStore(days));
}

/** As many as are kept, all within the window. */
function incidents(): Incidents {
  const store = memoryIncidentStore();
  for (let id = 1; id <= MAX_INCIDENTS; id++) {
    const openedAt = asMs(dayBefore(DAYS - 2) + (id * (DAYS - 2) * DAY_MS) / MAX_INCIDENTS);
    const incident: Incident = {
      id,
      rule: 'jump',
      venue: IDS[id % IDS.length] ?? '',
      field: 'open_interest',
      openedAt,
      contract: `T${id % CONTRACTS}USDT`,
      closedAt: asMs(openedAt + 9e5),
      annotations: [],
      evidence: `${12345.67 + id} -> ${24691.34 + 2 * id}, x2 within 10 s`,
    };
    store.kept.set(id, incident);
  }
  return new Incidents(store);
}

/** Time from a request to its last byte, ms. */
export interface ReportSpeed {
  readonly request: string;
  readonly kB: number;
  /** Of the first request of all: texts are made once. */
  readonly first: number;
  readonly p50: number;
  readonly p99: number;
}

/** Requests of each report before those that count. */
const WARM_UP = 3;
const REPORTS = ['summary', 'coverage', 'gaps', 'incidents', 'latency', 'accuracy', 'units'];

/** Memory in use, MB; NaN without --expose-gc. */
function usedMb(): number {
  globalThis.gc?.();
  return globalThis.gc === undefined ? Number.NaN : process.memoryUsage().heapUsed / 1e6;
}

export interface ReportBench {
  readonly speeds: readonly ReportSpeed[];
  /** Of all incidents that are kept, MB, and of their texts once they were asked for. */
  readonly incidentsMb: number;
  readonly textsMb: number;
}

/** Ninety days also of the last request's clock. */
function windowFor(rounds: number): string {
  const askedMs = 2 * REPORTS.length * (WARM_UP + rounds) * SECOND_MS;
  return `from=${new Date(EXAMPLE_NOW + askedMs - 90 * DAY_MS).toISOString()}`;
}

const requestsIn = (window: string): readonly string[] =>
  REPORTS.flatMap((name) => {
    const page = name === 'incidents' ? 'limit=2000&offset=10000&' : '';
    const asked = /summary|units/.test(name) ? '' : `${window}&${page}`;
    return [`/v1/data-quality/${name}?${asked}format=json`, `/v1/data-quality/${name}?${asked}format=csv`];
  });

/** Size of the last answer, bytes; time of the first of all, and of those that count, ms. */
async function speedOf(url: string, rounds: number, advance: () => void) {
  const times: number[] = [];
  let size = 0;
  let first = 0;
  for (let round = -WARM_UP; round < rounds; round++) {
    advance();
    const startedAt = performance.now();
    const { statusCode, body } = await request(url, { headers: { 'accept-encoding': 'gzip' } });
    size = (await body.arrayBuffer()).byteLength;
    if (statusCode !== 200) throw new Error(`${url}: HTTP ${statusCode}`);
    const ms = performance.now() - startedAt;
    if (round >= 0) times.push(ms);
    else first ||= ms;
  }
  times.sort((a, b) => a - b);
  const at = (q: number): number => times[Math.ceil(q * times.length) - 1] ?? Number.NaN;
  return { size, first, p50: at(0.5), p99: at(0.99) };
}

/** Asks all reports for ninety days of all venues, a second of the service's clock apart, so that none is answered again. */
export async function reportSpeeds(rounds: number): Promise<ReportBench> {
  const [model] = EXAMPLE_VENUES;
  if (model === undefined) throw new Error('no venue to go by');
  const venues = IDS.map((id) => ({ ...model, info: { ...model.info, id, displayName: id } }));
  const clock = manualClock();
  const beforeMb = usedMb();
  const kept = incidents();
  const incidentsMb = usedMb() - beforeMb;
  let textsMb = 0;
  const audit: AuditView = {
    incidents: kept,
    coverage: coverage(),
    suspects: () => 1,
    predictions: () => ({ compared: 1000, elsewhere: 3 }),
  };
  const market = createFakeMarket(venues, []);
  const { api, start } = createExampleApi({
    mode: 'off',
    readPort: examplePorts({ audit, measured: { counts: quality(), ccxtWays: () => [] } }),
    clock,
    market,
    health: calmHealth(venues, EXAMPLE_NOW),
  });
  const base = await start();
  const window = windowFor(rounds);
  const speeds: ReportSpeed[] = [];
  for (const path of requestsIn(window)) {
    const isOfIncidents = path.includes('/incidents?');
    const heldMb = isOfIncidents ? usedMb() : 0;
    const { size, ...ms } = await speedOf(base + path, rounds, () => clock.advance(SECOND_MS));
    if (isOfIncidents) textsMb += usedMb() - heldMb;
    speeds.push({ request: path.replace(`${window}&`, ''), kB: size / 1000, ...ms });
  }
  await api.close();
  return { speeds, incidentsMb, textsMb };
}
