import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWire, readText } from '../../src/domain/read.ts';
import { firstLine, startChild } from '../../src/host/process/child.ts';
import { NODE_24, packageFile, run, versionOf } from './packages.ts';
import { type Case, type Row, rowOf } from './row.ts';

/** Scenarios of what the server does not offer, and says so in its capabilities. */
const NOT_SERVED: readonly (readonly [RegExp, string])[] = [
  [/^completion-/, 'no completion'],
  [/^(logging-|tools-call-with-logging)/, 'no logging to clients (deprecated since 2026-07-28)'],
  [
    /^(tools-call-(sampling|elicitation)|elicitation-|input-required-result-)/,
    'no tool asks its client for anything',
  ],
  [/^resources-(un)?subscribe/, 'no subscriptions'],
  [/^server-(sse-polling|sse-multiple-streams|session-lifecycle)/, 'no sessions, no streams kept open'],
  [/^tasks-/, 'no tasks (extension)'],
  [/^sep-2640-skills/, 'no skills (extension)'],
  [/^http-custom-header/, 'no tool has x-mcp-header'],
];

/** Each revision that is served, by the suite that fixes what it requires; and the older suite whole. */
const RUNS = [
  {
    name: 'MCP 2026-07-28',
    folder: '@modelcontextprotocol/conformance',
    args: ['--requirements', '2026-07-28'],
  },
  {
    name: 'MCP 2025-11-25',
    folder: '@modelcontextprotocol/conformance',
    args: ['--requirements', '2025-11-25'],
  },
  { name: 'MCP, older suite', folder: 'mcp-conformance-0.1', args: ['--suite', 'all'] },
] as const;

/** `server-tools-list-2026-11-22T17-04-38-597Z` holds what came of `tools-list`. */
const SCENARIO = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** The checks of a scenario that failed; a warning is of what should be, not must. */
function failuresIn(folder: string): readonly string[] {
  const file = join(folder, 'checks.json');
  const checks = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown[]) : [];
  if (checks.length === 0) return ['nothing was checked'];
  return checks
    .filter(isWire)
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, errorMessage }) => `${readText(id)} ${readText(errorMessage) ?? ''}`.slice(0, 200));
}

async function judge(url: string, { name, folder, args }: (typeof RUNS)[number]): Promise<Row> {
  const results = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  try {
    const program = packageFile(`${folder}/dist/index.js`);
    await run(NODE_24, [program, 'server', '--url', `${url}/mcp`, ...args, '-o', results]);
    const cases: Case[] = [];
    const left = new Map<string, number>();
    for (const entry of readdirSync(results)) {
      const scenario = SCENARIO.exec(entry)?.[1] ?? entry;
      const why = NOT_SERVED.find(([pattern]) => pattern.test(scenario))?.[1];
      if (why !== undefined) left.set(why, (left.get(why) ?? 0) + 1);
      else cases.push({ name: scenario, fault: failuresIn(join(results, entry))[0] });
    }
    const notes = [...left].map(([why, count]) => `${count} not served: ${why}`);
    return rowOf(name, versionOf(folder), cases, notes);
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

/** The official conformance suites against the real endpoint, with their fixtures mounted beside our tools. */
export async function mcpConformance(say: (done: string) => void): Promise<readonly Row[]> {
  const script = new URL('../../test/mcp/conformance-server.ts', import.meta.url);
  const child = startChild('conformance server', script, []);
  try {
    const line = await firstLine(child);
    const url = isWire(line) ? String(line.url) : '';
    const rows: Row[] = [];
    for (const one of RUNS) {
      say(one.name);
      rows.push(await judge(url, one));
    }
    return rows;
  } finally {
    await child.stop(2000);
  }
}
