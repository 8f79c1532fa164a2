import { expect } from 'vitest';
import { openStore } from '../../src/history/open-store.ts';
import { valueIn } from '../history/load.ts';
import { runCli } from './run-cli.ts';

type Env = Readonly<Record<string, string>>;

const lines = (output: string): Record<string, unknown>[] =>
  output
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** The output of a command that must succeed. */
export async function must(args: readonly string[], env: Env = {}): Promise<string> {
  const run = await runCli(args, { env });
  expect(run, run.stderr).toMatchObject({ code: 0 });
  return run.stdout;
}

/** All that is stored of payments, identities and history, as the commands tell it. */
export async function allOf(dataDir: string, env: Env = {}) {
  const at = ['--data-dir', dataDir];
  const ledger = await must(['ledger', 'list', '--json', '--limit', '1000', ...at], env);
  const identities = lines(await must(['identity', 'list', '--all', '--json', ...at], env));
  const log = lines(await must(['identity', 'log', '--json', ...at], env));
  const check = await must(['history', 'check', '--json', ...at], env);
  return { payments: lines(ledger), identities, log, days: JSON.parse(check).days as unknown[] };
}

/** A minute of the history. */
export interface Minute {
  /** Unix seconds. */
  readonly at: number;
  readonly rows: number;
  readonly contracts: number;
}

export interface Sampled {
  readonly minutes: readonly Minute[];
  /** Minutes between the first and the last that have no sample and are in no gap that is noted. */
  readonly lost: readonly number[];
}

/** The minutes that a ClickHouse server has. */
export async function sampledAt(url: string): Promise<Sampled> {
  const store = valueIn(await openStore({ engine: 'server', urls: [url] }));
  const ask = async (sql: string): Promise<readonly number[][]> =>
    valueIn(await store.select({ sql, params: {} })).map((cells) => cells.map(Number));
  const found = await ask(
    'SELECT toUnixTimestamp(ts), count(), uniqExact(canonical_id, venue, symbol, listed_at) FROM samples ' +
      "WHERE origin = 'sampled' GROUP BY ts ORDER BY ts",
  );
  const gaps = await ask("SELECT toUnixTimestamp(ts), toUnixTimestamp(until) FROM gaps WHERE venue = '*'");
  await store.close();
  const minutes = found.map(([at = 0, rows = 0, contracts = 0]) => ({ at, rows, contracts }));
  const held = new Set(minutes.map(({ at }) => at));
  const lost: number[] = [];
  for (let at = minutes[0]?.at ?? 0; at < (minutes.at(-1)?.at ?? 0); at += 60) {
    const isNoted = gaps.some(([from = 0, until = 0]) => from <= at && at < until);
    if (!held.has(at) && !isNoted) lost.push(at);
  }
  return { minutes, lost };
}
