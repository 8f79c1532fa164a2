import type { ClickHouseClientConfigOptions } from '@clickhouse/client';
import { createClient } from '@clickhouse/client';
import { uniform } from '@perpmeter/sim/noise';
import { createChdbConnection } from 'chdb/connection';
import type { UnixMs } from '../../src/domain/units.ts';
import { asMs } from '../../src/domain/units.ts';
import type { HourParts } from '../../src/history/hourly-sql.ts';
import { baselineQuery } from '../../src/history/queries/baselines.ts';
import { bucketQuery } from '../../src/history/queries/buckets.ts';
import type { Scope } from '../../src/history/queries/scope.ts';
import type { HistoryReader } from '../../src/history/reader.ts';
import { AS_STORED } from '../../src/history/reading.ts';
import { setStatements } from '../../src/history/settings.ts';
import type { Query } from '../../src/history/store.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import { valueIn } from './load.ts';
import type { Series } from './series.ts';

/** Days of roll-ups that there are at least. */
export const ROLLED_DAYS = 30;

/** One question, asked of the product and as bare SQL. */
export interface Question {
  readonly name: string;
  readonly rounds: number;
  readonly p50BarMs: number | undefined;
  readonly p99BarMs: number | undefined;
  /** Answers, and how many rows. */
  ask(round: number): Promise<number>;
  sql(round: number): Query;
}

/** The largest share of the bare client's time that the product may take. */
export const BARE_BAR = 1.3;

/** Asks the bare client, with the settings that the product's own sessions have. */
export async function bareClient(path: string, database: string) {
  const made: unknown = createChdbConnection({ path });
  const connection = made as NonNullable<ClickHouseClientConfigOptions['connection']>;
  const client = createClient({ connection });
  await client.command({ query: `USE ${database}` });
  await client.command({ query: setStatements('read') });
  return {
    async ask({ sql, params }: Query): Promise<number> {
      const result = await client.query({ query: sql, query_params: { ...params }, format: 'JSONCompact' });
      const { data } = await result.json<unknown>();
      return data.length;
    },
    close: () => client.close(),
  };
}

interface Windowed {
  readonly name: string;
  readonly days: number;
  readonly parts: HourParts;
  readonly oneVenue: boolean;
  /** True for the state of knowledge at the end of the past, which only samples have. */
  readonly asOf?: boolean;
  readonly bars: readonly [p50: number | undefined, p99: number | undefined];
}

const FUNDING: Pick<Windowed, 'parts' | 'oneVenue'> = {
  parts: { measures: ['rate', 'mark'] },
  oneVenue: false,
};
const INTEREST: Pick<Windowed, 'parts' | 'oneVenue'> = {
  parts: { measures: ['interest', 'interestUsd'] },
  oneVenue: true,
};

const WINDOWED: readonly Windowed[] = [
  { ...FUNDING, name: 'funding/historical, one ticker, 3 days to 1 h', days: 3, bars: [15, 80] },
  { ...INTEREST, name: 'oi-history, 7 days to 1 h', days: 7, bars: [15, 80] },
  { ...INTEREST, name: 'oi-history, 30 days to 1 h', days: ROLLED_DAYS, bars: [10, undefined] },
  {
    ...FUNDING,
    name: 'funding/historical, 3 days to 1 h as of a time: samples',
    days: 3,
    asOf: true,
    bars: [undefined, undefined],
  },
];

export interface Asked {
  readonly reader: HistoryReader;
  readonly series: readonly Series[];
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly rounds: number;
}

/** Windows of any contract, ending at any hour that leaves room for them. */
export function questionsOf({ reader, series, from, to, rounds }: Asked): readonly Question[] {
  return WINDOWED.map(({ name, days, parts, oneVenue, asOf = false, bars }, kind) => {
    const known = asOf ? (to - from) / DAY_MS : ROLLED_DAYS;
    const room = Math.max(0, known - days) * 24;
    const scopeOf = (round: number): Scope => {
      const one = series[Math.floor(uniform(kind, round) * series.length)]?.contract;
      const end = to - Math.floor(uniform(kind + 10, round) * room) * HOUR_MS;
      const window = { from: asMs(end - days * DAY_MS), to: asMs(end) };
      return {
        canonicalId: one?.canonicalId ?? '',
        ...window,
        ...(oneVenue && { venues: [one?.venue ?? ''] }),
        ...(asOf && { asOf: asMs(to + DAY_MS) }),
      };
    };
    return {
      name,
      rounds,
      p50BarMs: bars[0],
      p99BarMs: bars[1],
      ask: async (round) => valueIn(await reader.buckets(scopeOf(round), parts, HOUR_MS)).length,
      sql: (round) => bucketQuery(scopeOf(round), parts, HOUR_MS, { samplesFrom: asOf ? asMs(0) : to }),
    };
  });
}

/** The usual volumes of all contracts: worked out once an hour, kept in between. */
export function baselineQuestion(makeReader: () => HistoryReader, to: UnixMs): Question {
  return {
    name: 'volume-anomalies, all contracts',
    rounds: 9,
    p50BarMs: 600,
    p99BarMs: undefined,
    ask: async () => valueIn(await makeReader().baselines()).list.length,
    sql: () => baselineQuery({ from: asMs(to - 7 * DAY_MS), to, minHours: 48, reading: AS_STORED }),
  };
}
