import { median } from '../../domain/median.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import type { Finding, Severity } from './finding.ts';
import type { CallRecord, VenueProbe } from './venue-probe.ts';

/** A host that answers with stamps older than this answers old data. */
const OLD_MS = 15 * MINUTE_MS;
const LATE_MS = 3 * MINUTE_MS;
/** Stamps may be ahead by this: clocks of two machines. */
const AHEAD_MS = 5000;
const FAR_AHEAD_MS = MINUTE_MS;
/** Least time between two looks after which something of a market has moved. */
const MIN_GAP_MS = 20_000;
const MIN_CONTRACTS = 5;
/** Open interest of so many contracts does not stand still together. */
const MIN_STUCK = 30;

const PRICES = ['markPrice', 'indexPrice', 'bestBid', 'bestAsk'] as const;
const AMOUNTS = ['openInterestRaw', 'volume24hRaw', 'volume24hUsd'] as const;

/** Checks that the venue's data is current: its stamps, and that it moves between two looks. */
export function checkAge(probe: VenueProbe): readonly Finding[] {
  return [...probe.calls.values()].flatMap((record) => {
    const said = [stampOf(record), ...stuckValues(record, probe.gapMs)];
    const venue = probe.adapter.id;
    return said.flatMap((found) =>
      found === undefined ? [] : [{ venue, check: 'age', at: record.name, ...found } satisfies Finding],
    );
  });
}

interface Message {
  readonly severity: Severity;
  readonly text: string;
}

const spanOf = (ms: number): string =>
  ms < 120_000
    ? `${Math.round(ms / 1000)} s`
    : ms < 7_200_000
      ? `${Math.round(ms / MINUTE_MS)} min`
      : `${Math.round(ms / HOUR_MS)} h`;

function stampOf({ newest, isCoarse, kind }: CallRecord): Message | undefined {
  if (newest === undefined || kind === 'past') return undefined;
  const age = newest.receivedAt - newest.stamp;
  if (age > OLD_MS) return { severity: 'wrong', text: `newest stamp is ${spanOf(age)} old: old data` };
  if (age > LATE_MS) return { severity: 'look', text: `newest stamp is ${spanOf(age)} old` };
  if (-age > (isCoarse ? FAR_AHEAD_MS : AHEAD_MS)) {
    return {
      severity: -age > FAR_AHEAD_MS ? 'wrong' : 'look',
      text: `a stamp is ${spanOf(-age)} ahead of our clock`,
    };
  }
  return undefined;
}

/** Pairs of a contract's two looks that both state the field. */
function pairs(record: CallRecord, field: keyof QuotePatch): readonly (readonly [unknown, unknown])[] {
  const [first, second] = record.rounds;
  return [...first].flatMap(([symbol, before]) => {
    const after = second.get(symbol);
    return before[field] === undefined || after?.[field] === undefined ? [] : [[before[field], after[field]]];
  });
}

function stuckValues(record: CallRecord, gapMs: number | undefined): readonly Message[] {
  if (gapMs === undefined || gapMs < MIN_GAP_MS) return [];
  const isMoving = (field: keyof QuotePatch): boolean => pairs(record, field).some(([a, b]) => a !== b);
  const over = spanOf(gapMs);
  const priced = PRICES.filter((field) => pairs(record, field).length >= MIN_CONTRACTS);
  if (priced.length > 0 && ![...PRICES, ...AMOUNTS].some(isMoving)) {
    const contracts = pairs(record, priced[0] ?? 'markPrice').length;
    return [{ severity: 'wrong', text: `nothing of ${contracts} contracts moved in ${over}: frozen` }];
  }
  const open = pairs(record, 'openInterestRaw').filter(([a]) => a !== 0);
  if (open.length < MIN_STUCK || isMoving('openInterestRaw')) return [];
  return [{ severity: 'look', text: `open interest of ${open.length} contracts stood still for ${over}` }];
}

/** Offset of the venue's servers against our clock by their `Date` headers, ms ahead; undefined without any. */
export function dateOffset(
  probe: VenueProbe,
): { readonly offsetMs: number; readonly doubtMs: number } | undefined {
  const dates = [...probe.calls.values()].flatMap((record) => record.dates);
  if (dates.length === 0) return undefined;
  const offsetMs = median(dates.map((date) => date.offsetMs));
  const doubtMs = median(dates.map((date) => date.doubtMs));
  return { offsetMs, doubtMs };
}

/** A clock may be off by this beside what the measurement may be. */
const CLOCK_MS = 2000;
const MIN_CLOCKS = 3;
/** Name under which findings about the operator's own machine stand. */
export const HERE = '(this machine)';

/** Clocks of the venues against ours, and ours against the middle of theirs. */
export function checkClocks(visits: readonly VenueProbe[]): readonly Finding[] {
  const seen = visits.flatMap((probe) => {
    const offset = dateOffset(probe);
    return offset === undefined ? [] : [{ venue: probe.adapter.id, ...offset }];
  });
  const ours = seen.length < MIN_CLOCKS ? 0 : median(seen.map(({ offsetMs }) => offsetMs));
  const findings: Finding[] = seen
    .filter(({ offsetMs, doubtMs }) => Math.abs(offsetMs - ours) > doubtMs + CLOCK_MS)
    .map(({ venue, offsetMs }) => ({
      venue,
      check: 'clock',
      severity: 'look',
      at: 'Date header',
      text: `${(Math.abs(offsetMs) / 1000).toFixed(1)} s ${offsetMs > 0 ? 'ahead of' : 'behind'} our clock`,
    }));
  if (Math.abs(ours) > CLOCK_MS) {
    const text = `clock is ${(Math.abs(ours) / 1000).toFixed(1)} s ${ours > 0 ? 'behind' : 'ahead of'} ${seen.length} venues`;
    findings.unshift({ venue: HERE, check: 'clock', severity: 'wrong', at: 'Date headers', text });
  }
  return findings;
}
