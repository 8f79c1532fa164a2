import { tableText } from '../../src/host/process/table-text.ts';

/** The result of one suite. */
export interface Row {
  readonly suite: string;
  readonly version: string;
  readonly cases: number;
  readonly passed: number;
  /** Cases that were judged not to apply, with the reason, or why the suite could not be had. */
  readonly notes: readonly string[];
  /** Failures that are ours. */
  readonly faults: readonly string[];
}

/** One case of a suite: what it is, and why it failed. */
export interface Case {
  readonly name: string;
  /** Undefined: passed. */
  readonly fault: string | undefined;
}

export function rowOf(
  suite: string,
  version: string,
  cases: readonly Case[],
  notes: readonly string[] = [],
): Row {
  const faults = cases.flatMap(({ name, fault }) => (fault === undefined ? [] : [`${name}: ${fault}`]));
  return { suite, version, cases: cases.length, passed: cases.length - faults.length, notes, faults };
}

/** A suite that found nothing to judge has failed. */
export const isSound = ({ faults, cases, notes }: Row): boolean =>
  faults.length === 0 && (cases > 0 || notes.length > 0);

export function tableOf(rows: readonly Row[]): string {
  return tableText(
    ['suite', 'version', 'cases', 'passed', 'why not'],
    rows.map(({ suite, version, cases, passed, notes, faults }) => [
      suite,
      version,
      String(cases),
      String(passed),
      [...faults.slice(0, 1), ...notes].join('; '),
    ]),
  );
}
