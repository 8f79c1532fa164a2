import type { QuotePatch } from '../../domain/quote.ts';
import { type Check, type Finding, type Severity, someOf } from './finding.ts';
import type { CallRecord, VenueProbe } from './venue-probe.ts';

/** Part of a call's rows that may be unreadable before the format is taken to have changed. */
const FEW = 0.02;
/** Calls of fewer rows than this say nothing of the venue's contracts as a whole. */
const MIN_ROWS = 3;
/** Letters by which a renamed key is recognised. */
const STEM = 5;

type Report = (check: Check, severity: Severity, at: string, text: string) => void;

/** Values that every venue states of its contracts, and the fields of a quote that hold them. */
const NEEDED: readonly (readonly [name: string, fields: readonly (keyof QuotePatch)[]])[] = [
  ['mark price', ['markPrice']],
  ['index price', ['indexPrice']],
  ['funding rate', ['fundingRate']],
  ['open interest', ['openInterestBase', 'openInterestUsd']],
  ['24 h volume', ['volume24hBase', 'volume24hUsd']],
];

/** Checks that every call and stream was answered, in the declared form, with all required values. */
export function checkCalls(probe: VenueProbe): readonly Finding[] {
  const findings: Finding[] = [];
  const venue = probe.adapter.id;
  const report: Report = (check, severity, at, text) => findings.push({ venue, check, severity, at, text });
  for (const record of probe.calls.values()) {
    reportFailures(record, report);
    reportFaults(record, report);
  }
  if (probe.isComplete) reportMissing(probe, report);
  return findings;
}

function reportFailures({ name, asked, answered, failures }: CallRecord, report: Report): void {
  if (failures.size === 0) return;
  const why = someOf([...failures], 3);
  if (answered === 0) report('address', 'wrong', name, `no answer: ${why}`);
  else report('address', 'look', name, `${asked - answered} of ${asked} requests failed: ${why}`);
}

function reportFaults(record: CallRecord, report: Report): void {
  const { name, answered, rows, faults, bodyFaults, outOfScope } = record;
  if (bodyFaults.size > 0)
    report('format', 'wrong', name, `unreadable: ${someOf([...bodyFaults])}${hintOf(record)}`);
  for (const [fault, times] of faults) {
    const severity = times > FEW * (rows + times) ? 'wrong' : 'look';
    const more = fault.startsWith('missing') ? hintOf(record) : '';
    report('format', severity, name, `${fault}: ${times} times beside ${rows} rows read${more}`);
  }
  if (rows > 0 || answered === 0 || faults.size + bodyFaults.size > 0) return;
  const left = [...outOfScope].map(([reason, times]) => `${times} ${reason}`);
  report(
    'format',
    'wrong',
    name,
    `answered without one row${left.length > 0 ? `, only ${left.join(', ')}` : ''}`,
  );
}

/** A field counts as stated where some call has it in most of its rows. */
function reportMissing({ adapter, calls, instruments }: VenueProbe, report: Report): void {
  const enough = Math.min(MIN_ROWS, instruments.size / 2);
  const quoting = [...calls.values()].filter(({ rounds: [first] }) => first.size > 0 && first.size >= enough);
  if (quoting.length === 0) return;
  for (const [name, fields] of NEEDED) {
    if (name === 'index price' && !adapter.hasIndex) continue;
    const has = (quote: QuotePatch): boolean => fields.some((field) => quote[field] !== undefined);
    const shares = quoting.map(({ rounds: [first] }) => [...first.values()].filter(has).length / first.size);
    if (shares.some((share) => share >= 0.5)) continue;
    const text = shares.some((share) => share > 0) ? `${name} of few contracts` : `no ${name} in any answer`;
    report('fields', 'wrong', name, text + quoting.map(hintOf).join(''));
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase();

/**
 * A hint from the keys about a missing value: a new key with a name like one that is gone, else the one that is
 * gone.
 */
function hintOf({ keys }: CallRecord): string {
  const { absent, unread } = keys.report();
  const renamed = absent.flatMap((gone) => {
    const stem = nameOf(gone).slice(0, STEM);
    const like = unread.find((key) => stem.length === STEM && nameOf(key).startsWith(stem));
    return like === undefined ? [] : [`${gone} is gone, ${like} is never read`];
  });
  if (renamed.length > 0) return `; ${someOf(renamed, 3)}`;
  return absent.length === 0 ? '' : `; read and not there: ${someOf(absent)}`;
}
