import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { KNOWN_VENUES } from '../../src/venues/registry.ts';
import { missingParts } from './parts.ts';
import { ROOT } from './places.ts';
import { type Step, stepsOf } from './steps.ts';

/** The line of test/summary-reporter.ts. */
const SUMMARY = /^(\d+) passed, \d+ failed, \d+ skipped$/m;
const SHOWN_LINES = 30;

interface Outcome {
  readonly isGood: boolean;
  readonly said: string;
}

/** Runs one command; a run of tests that ran none is no success, since a filter that fits nothing passes. */
function run([program = '', ...args]: readonly string[]): Outcome {
  const env = {
    ...process.env,
    NO_COLOR: '1',
    PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
  };
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  const output = `${stdout}${stderr}`;
  if (status !== 0) return { isGood: false, said: shortened(output) };
  const passed = SUMMARY.exec(output)?.[1];
  if (program === 'vitest' && Number(passed ?? 0) === 0)
    return { isGood: false, said: 'no test fits the venue' };
  return { isGood: true, said: passed === undefined ? '' : `${passed} tests` };
}

/** The failed lines, or else the end of the output. */
function shortened(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) =>
    /^\s*(?:FAIL|[A-Za-z]*Error:|[+-] )|error TS|out of date/.test(line),
  );
  return (telling.length > 0 ? telling.slice(0, SHOWN_LINES) : lines.slice(-SHOWN_LINES)).join('\n');
}

function outcomeOf(step: Step): Outcome {
  const said: string[] = [];
  for (const command of step.commands) {
    const outcome = run(command);
    if (!outcome.isGood) return { isGood: false, said: `${command.join(' ')}\n${outcome.said}` };
    if (outcome.said !== '') said.push(outcome.said);
  }
  return { isGood: true, said: said.join(', ') };
}

/**
 * Says what a venue lacks, then runs all of its checks in order and prints a line for each.
 *
 * @param only numbers of the checks to be run; all without
 * @returns how many things are missing or failed
 */
export function checkVenue(id: string, only: readonly number[]): number {
  const missing = missingParts(id);
  for (const sentence of missing) console.log(`missing: ${sentence}`);
  const adapter = KNOWN_VENUES.find((venue) => venue.id === id);
  if (adapter === undefined) return Math.max(1, missing.length);
  const steps = stepsOf(adapter);
  let failed = 0;
  for (const [index, step] of steps.entries()) {
    if (only.length > 0 && !only.includes(index + 1)) continue;
    const title = `${String(index + 1).padStart(2)}. ${step.name}`;
    if (step.unneeded !== undefined) {
      console.log(`${title}: not needed, ${step.unneeded}`);
      continue;
    }
    const { isGood, said } = outcomeOf(step);
    console.log(isGood ? `${title}: ok${said === '' ? '' : `, ${said}`}` : `${title}: FAILED\n${said}`);
    if (!isGood) failed += 1;
  }
  const ran = only.length > 0 ? only.length : steps.length;
  console.log(`venue check ${id}: ${missing.length} missing, ${failed} of ${ran} checks failed`);
  return missing.length + failed;
}
