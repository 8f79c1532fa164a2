/**
 * Other people's tests and clients against this service: one table (suite, version, cases, passed, why not) and one summary
 * line; exits 1 on a failure. Installs what it needs from the pins of foreign/package-lock.json. docs/foreign.md says what
 * each suite means.
 */
import { parseArgs } from 'node:util';
import { clientsBuy } from './foreign/clients.ts';
import { generators } from './foreign/generators.ts';
import { mcpConformance } from './foreign/mcp.ts';
import { mcpBundle } from './foreign/mcp-bundle.ts';
import { metrics } from './foreign/metrics.ts';
import { installPackages } from './foreign/packages.ts';
import { proxies } from './foreign/proxies.ts';
import { reading } from './foreign/reading.ts';
import { isSound, type Row, tableOf } from './foreign/row.ts';
import { runtimes } from './foreign/runtimes.ts';
import { vectors } from './foreign/vectors.ts';
import { answerHelp } from './usage.ts';

type Suite = (say: (done: string) => void) => Promise<readonly Row[]>;

const SUITES: Readonly<Record<string, Suite>> = {
  mcp: mcpConformance,
  mcpb: mcpBundle,
  reading,
  generators,
  vectors,
  proxies,
  clients: clientsBuy,
  runtimes,
  metrics,
};

const options = { only: { type: 'string', default: Object.keys(SUITES).join(',') } } as const;
answerHelp(options);
const { values } = parseArgs({ options });

/** A suite that breaks has failed, and the others go on. */
async function rowsOf(name: string): Promise<readonly Row[]> {
  const broken = (why: string): readonly Row[] => [
    { suite: name, version: '', cases: 0, passed: 0, notes: [], faults: [why] },
  ];
  const suite = SUITES[name];
  if (suite === undefined) return broken(`there are ${Object.keys(SUITES).join(', ')}`);
  const began = performance.now();
  const say = (what: string) =>
    process.stderr.write(
      `${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${name}: ${what}\n`,
    );
  return suite(say).catch((cause: unknown) => broken(cause instanceof Error ? cause.message : String(cause)));
}

process.stderr.write('    0 s  install\n');
installPackages();
const rows: Row[] = [];
for (const name of values.only.split(',')) rows.push(...(await rowsOf(name)));
process.stdout.write(tableOf(rows));
for (const { suite, faults } of rows)
  for (const fault of faults) process.stdout.write(`${suite}: ${fault}\n`);
const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
const failed = rows.filter((row) => !isSound(row)).length;
process.stdout.write(
  `check foreign: ${rows.length} suites, ${sum(({ cases }) => cases)} cases, ${sum(({ passed }) => passed)} passed, ${failed} suites failed\n`,
);
process.exit(failed === 0 ? 0 : 1);
