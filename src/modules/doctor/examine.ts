import { setMaxListeners } from 'node:events';
import { BudgetRegistry } from '../../collect/budget.ts';
import type { BaseOverrides } from '../../collect/collector.ts';
import { HttpClient, type Transport } from '../../collect/http-client.ts';
import { type Clock, systemClock } from '../../domain/clock.ts';
import { createRegistry } from '../../market/registry/lookup.ts';
import { systemTimer, type Timer } from '../../runtime/timer.ts';
import type { VenueAdapter } from '../../venues/adapter.ts';
import { checkAge, checkClocks, dateOffset, HERE } from './check-age.ts';
import { checkCalls } from './check-calls.ts';
import { checkFee, type FeeSeen, feeOf, unknownContracts } from './check-contracts.ts';
import { compareVenues } from './compare-venues.ts';
import type { Finding } from './finding.ts';
import { probeVenue } from './probe-venue.ts';
import type { KeyReport } from './read-keys.ts';
import { type SidesVerdict, sidesOf } from './sides.ts';
import type { CallRecord, Sample, VenueProbe } from './venue-probe.ts';

export interface ExamineOptions {
  readonly venues: readonly VenueAdapter[];
  /** Addresses in place of the adapters' own; sub-venues inherit their parent's. */
  readonly bases?: BaseOverrides;
  /** Ends everything; what was learned by then is reported. */
  readonly signal: AbortSignal;
  /** Time between the two looks at the quotes, ms; 0 = one look. */
  readonly gapMs: number;
  /** The time that a stream may take to its first data, ms. */
  readonly streamMs: number;
  /** Keep a redacted payload of every call. */
  readonly keepPayloads?: boolean;
  readonly clock?: Clock;
  readonly timer?: Timer;
  /** Makes the calls; closed at the end. */
  readonly http?: Transport;
  /** Called for every venue that is done. */
  readonly done?: (probe: VenueProbe, left: number) => void;
}

/** One call or stream in the report. */
export interface CallReport extends KeyReport {
  readonly name: string;
  readonly kind: CallRecord['kind'];
  readonly asked: number;
  readonly answered: number;
  readonly rows: number;
  /** Rows rightly left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  readonly sample: Sample | undefined;
}

export interface VenueReport {
  readonly venue: string;
  /** Hosts that were asked; the rest of an address may be the operator's secret. */
  readonly hosts: Readonly<Record<string, string>>;
  /** Everything was asked before the time was over. */
  readonly isComplete: boolean;
  readonly calls: readonly CallReport[];
  readonly contracts: number;
  /** Contracts whose asset is in no curated list. */
  readonly unknownAssets: readonly string[];
  readonly clockOffsetMs: number | undefined;
  readonly takerFeeBps: FeeSeen;
  readonly openInterest: SidesVerdict;
  readonly volume: SidesVerdict;
  readonly findings: readonly Finding[];
}

export interface Report {
  readonly venues: readonly VenueReport[];
  /** Findings about the operator's own machine. */
  readonly here: readonly Finding[];
  readonly isComplete: boolean;
  /** Nothing is wrong; oddities may stand. */
  readonly isWell: boolean;
}

/** Asks venues for everything once within their budgets and judges what came. Never rejects. */
export async function examineVenues(options: ExamineOptions): Promise<Report> {
  // Every wait of every venue listens to it.
  setMaxListeners(0, options.signal);
  const { http = new HttpClient() } = options;
  try {
    return judge(await visitAll(options, http));
  } finally {
    await http.close();
  }
}

async function visitAll(options: ExamineOptions, http: Transport): Promise<readonly VenueProbe[]> {
  const { venues, bases = {}, signal, gapMs, streamMs, keepPayloads = false, done } = options;
  const { clock = systemClock, timer = systemTimer } = options;
  const budgets = new BudgetRegistry({ clock, timer });
  const known = new Set(venues.map(({ id }) => id));
  const visits: VenueProbe[] = [];
  let left = 0;
  const go = async (adapter: VenueAdapter): Promise<void> => {
    left++;
    const further: Promise<void>[] = [];
    const probe = await probeVenue({
      adapter,
      http,
      clock,
      timer,
      signal,
      gapMs,
      streamMs,
      keepPayloads,
      bases: { ...adapter.bases, ...bases[adapter.parent ?? ''], ...bases[adapter.id] },
      budget: budgets.of(adapter.budget),
      discovered: (adapters) => {
        const fresh = adapters.filter(({ id }) => !known.has(id));
        for (const { id } of fresh) known.add(id);
        further.push(...fresh.map(go));
      },
    });
    left--;
    visits.push(probe);
    done?.(probe, left);
    await Promise.all(further);
  };
  await Promise.all(venues.map(go));
  return visits.sort((a, b) => a.adapter.id.localeCompare(b.adapter.id));
}

function judge(visits: readonly VenueProbe[]): Report {
  const registry = createRegistry();
  const clocks = checkClocks(visits);
  const compared = compareVenues(visits, registry);
  const venues = visits.map((probe): VenueReport => {
    const { id } = probe.adapter;
    const ofVenue = ({ venue }: Finding): boolean => venue === id;
    const sides = sidesOf(probe);
    return {
      venue: id,
      hosts: hostsOf(probe),
      isComplete: probe.isComplete,
      calls: [...probe.calls.values()].map(reportOf),
      contracts: probe.instruments.size,
      unknownAssets: unknownContracts(probe, registry),
      clockOffsetMs: dateOffset(probe)?.offsetMs,
      takerFeeBps: feeOf(probe),
      ...sides,
      findings: [
        ...checkCalls(probe),
        ...checkAge(probe),
        ...clocks.filter(ofVenue),
        ...checkFee(probe),
        ...compared.filter(ofVenue),
        ...contradicted(id, sides),
      ],
    };
  });
  const here = clocks.filter(({ venue }) => venue === HERE);
  const findings = [...here, ...venues.flatMap((venue) => venue.findings)];
  return {
    venues,
    here,
    isComplete: visits.every(({ isComplete }) => isComplete),
    isWell: !findings.some(({ severity }) => severity === 'wrong'),
  };
}

function hostsOf({ bases }: VenueProbe): Readonly<Record<string, string>> {
  const hosts = Object.entries(bases).map(([name, base]) => [
    name,
    URL.canParse(base) ? new URL(base).host : '',
  ]);
  return Object.fromEntries(hosts);
}

function contradicted(venue: string, sides: ReturnType<typeof sidesOf>): readonly Finding[] {
  return (['openInterest', 'volume'] as const).flatMap((figure) => {
    const { verdict, declared, shown, why } = sides[figure];
    if (verdict !== 'contradicts') return [];
    const at = figure === 'volume' ? '24 h volume' : 'open interest';
    const text = `declared ${declared}-sided, the numbers show ${shown}: ${why}`;
    return [{ venue, check: 'sides', severity: 'wrong', at, text }];
  });
}

function reportOf({ name, kind, asked, answered, rows, outOfScope, keys, sample }: CallRecord): CallReport {
  const leftOut = Object.fromEntries(outOfScope);
  return { name, kind, asked, answered, rows, leftOut, ...keys.report(), sample };
}
