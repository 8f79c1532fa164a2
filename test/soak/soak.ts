import { callsOf, type VenueAdapter } from '../../src/venues/adapter.ts';
import { mutate, nonsenseProblems } from '../venues/mutate.ts';
import { type SoakCase, soakCases } from './cases.ts';

export interface SoakOptions {
  readonly seed: number;
  /** Mutations of one payload at most. */
  readonly limit: number;
  /** Only this venue. */
  readonly venue?: string | undefined;
  /** Only payloads whose name contains this. */
  readonly only?: string | undefined;
}

/** Results of one venue's payloads. */
export interface VenueSoak {
  readonly venue: string;
  readonly simulated: number;
  readonly recorded: number;
  /** Calls of the adapter that some payload was decoded with, and all of them. */
  readonly calls: string;
  readonly mutations: number;
  readonly problems: readonly string[];
}

/** Damages every payload of every venue, field by field; says how often and what went wrong. */
export function soakAll(options: SoakOptions): readonly VenueSoak[] {
  const { venue, only } = options;
  const byAdapter = new Map<VenueAdapter, SoakCase[]>();
  for (const one of soakCases()) {
    if (venue !== undefined && one.adapter.id !== venue) continue;
    if (only !== undefined && !one.name.includes(only)) continue;
    byAdapter.set(one.adapter, [...(byAdapter.get(one.adapter) ?? []), one]);
  }
  return [...byAdapter].map(([adapter, cases]) => soakVenue(adapter, cases, options));
}

function soakVenue(adapter: VenueAdapter, cases: readonly SoakCase[], options: SoakOptions): VenueSoak {
  const { seed, limit } = options;
  const calls = callsOf(adapter);
  const decoders = new Set(cases.map(({ decode }) => decode));
  const problems = nonsenseProblems(adapter);
  let mutations = 0;
  for (const test of cases) {
    const result = mutate(test, { seed, limit: Math.ceil(limit * test.weight) });
    mutations += result.tried;
    problems.push(...result.problems);
  }
  const count = (origin: SoakCase['origin']) => cases.filter((example) => example.origin === origin).length;
  return {
    venue: adapter.id,
    simulated: count('simulated'),
    recorded: count('recorded'),
    calls: `${calls.filter(({ decode }) => decoders.has(decode)).length}/${calls.length}`,
    mutations,
    problems,
  };
}
