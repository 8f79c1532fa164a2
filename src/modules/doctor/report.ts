import { tableText } from '../../host/process/table-text.ts';
import type { Report, VenueReport } from './examine.ts';
import type { Finding } from './finding.ts';
import type { SidesVerdict } from './sides.ts';

const HEADER = ['venue', 'calls', 'contracts', 'unknown', 'clock s', 'open interest', 'volume', 'verdict'];

/** Declared sides, and whether the numbers agree: `two, supports`; `unknown, shows one`. */
function sidesCell({ declared, shown, verdict }: SidesVerdict): string {
  if (declared === 'unknown' && shown !== undefined) return `unknown, shows ${shown}`;
  return `${declared}, ${verdict === 'contradicts' ? `CONTRADICTS: ${shown}` : verdict}`;
}

function verdictOf({ findings, isComplete }: VenueReport): string {
  const wrong = findings.filter(({ severity }) => severity === 'wrong').length;
  const look = findings.length - wrong;
  const counts = [wrong > 0 ? `${wrong} wrong` : '', look > 0 ? `${look} to look at` : ''].filter(Boolean);
  if (!isComplete) counts.push('not complete');
  return counts.length === 0 ? 'well' : counts.join(', ');
}

function rowOf(report: VenueReport): readonly string[] {
  const { venue, calls, contracts, unknownAssets, clockOffsetMs, openInterest, volume } = report;
  const asked = calls.filter((call) => call.asked > 0);
  const answered = asked.filter((call) => call.answered > 0).length;
  const clock = clockOffsetMs === undefined ? '' : (clockOffsetMs / 1000).toFixed(1);
  const counts = [`${answered}/${asked.length}`, String(contracts), String(unknownAssets.length), clock];
  return [venue, ...counts, sidesCell(openInterest), sidesCell(volume), verdictOf(report)];
}

const allFindings = ({ here, venues }: Report): readonly Finding[] => [
  ...here,
  ...venues.flatMap(({ findings }) => findings),
];

/** The report for a person: a line a venue, then a line a finding. */
export function reportText(report: Report): string {
  const findings = allFindings(report).map(({ venue, check, severity, at, text }) => [
    ...[severity, venue, check, at, text],
  ]);
  const list =
    findings.length === 0 ? '' : `\n${tableText(['severity', 'venue', 'check', 'at', 'finding'], findings)}`;
  const end = report.isComplete ? '' : '\nnot complete: stopped before everything was asked\n';
  return tableText(HEADER, report.venues.map(rowOf)) + list + end;
}

const orNull = <T>(value: T | undefined): T | null => value ?? null;

function sidesJson({ declared, shown, verdict, values, changes, overTraded, why }: SidesVerdict) {
  const parity = {
    values_in_lots: values,
    changes_in_lots: changes,
    changed_by_more_than_traded: overTraded,
  };
  return { declared, shown: orNull(shown), verdict, why, ...parity };
}

/** The report for a program; unknown is null. */
export function reportJson(report: Report) {
  return {
    is_well: report.isWell,
    is_complete: report.isComplete,
    findings: allFindings(report),
    venues: report.venues.map((venue) => ({
      venue: venue.venue,
      hosts: venue.hosts,
      is_complete: venue.isComplete,
      contracts: venue.contracts,
      unknown_assets: venue.unknownAssets,
      clock_offset_ms: orNull(venue.clockOffsetMs),
      taker_fee_bps: {
        declared: orNull(venue.takerFeeBps.declared),
        published: orNull(venue.takerFeeBps.published),
        contracts_with_their_own: venue.takerFeeBps.own,
      },
      open_interest: sidesJson(venue.openInterest),
      volume_24h: sidesJson(venue.volume),
      calls: venue.calls.map(({ name, kind, asked, answered, rows, leftOut, absent, unread }) => ({
        name,
        kind,
        asked,
        answered,
        rows,
        left_out: leftOut,
        keys_read_and_absent: absent,
        keys_never_read: unread,
      })),
    })),
  };
}

/** Payloads of calls with findings, by file name: the call's own, or all quotes where a finding is about a figure. */
export function payloadFiles(report: Report): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { venue, calls, findings } of report.venues) {
    const names = new Set(calls.map(({ name }) => name));
    for (const call of calls) {
      const about = findings.filter(
        ({ at }) => at === call.name || (!names.has(at) && call.kind === 'quotes'),
      );
      if (about.length === 0 || call.sample === undefined) continue;
      const { request, status, text } = call.sample;
      const body = { venue, call: call.name, request, status, findings: about, payload: parsed(text) };
      const file = `${venue}-${call.name}.json`.replace(/[^\w.-]+/g, '-');
      files.set(file, `${JSON.stringify(body, null, 1)}\n`);
    }
  }
  return files;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
