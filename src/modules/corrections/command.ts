import { iso, systemClock } from '../../domain/clock.ts';
import { readNumber } from '../../domain/read.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { type HistoryStore, notStored, type StoreResult, stored } from '../../history/store.ts';
import { onStore } from '../../host/on-store.ts';
import { tableText } from '../../host/process/table-text.ts';
import type { Settings } from '../../host/settings/settings.ts';
import { activeAt, type Correction, METRIC_MEASURES } from './correction.ts';
import { isMetric, readCorrections, recordCorrections, replicateCorrections } from './correction-log.ts';

/** An operator's description of a correction. */
export interface CorrectFlags {
  readonly venue?: string;
  readonly metric?: string;
  readonly factor?: string;
  readonly withdraw?: boolean;
  readonly before?: string;
  readonly from?: string;
  readonly origin?: string;
  readonly reason?: string;
  readonly undo?: boolean;
  readonly yes?: boolean;
}

/** A running service reads the corrections once a minute: all nodes and answers follow a new one from one moment on. */
const NOTICE_MS = 120_000;

const HEADER = ['id', 'venue', 'metric', 'origin', 'factor', 'recorded', 'known', 'state', 'reason'];

/** Describes the effect of a correction on stored values. */
const whatOf = ({ factor, shiftMs }: Correction): string =>
  factor?.toString() ?? (shiftMs === undefined ? 'withdrawn' : `${shiftMs / 1000} s later`);

/** Corrections as a table, oldest first. */
function correctionTable(all: readonly Correction[], now: UnixMs): string {
  const active = new Set(activeAt(all, now));
  const stateOf = (correction: Correction): string => {
    if (correction.knownAt > now) return 'from then on';
    if (active.has(correction)) return 'stands';
    if (correction.factor === 1) return 'undoes it';
    return correction.before <= correction.from ? 'nothing stored' : 'undone';
  };
  const cells = all.map((correction) => [
    ...[correction.id, correction.venue, correction.metric, correction.origin ?? 'any', whatOf(correction)],
    `${correction.from > 0 ? `${iso(correction.from)} to ` : 'before '}${iso(correction.before)}`,
    ...[iso(correction.knownAt), stateOf(correction), correction.reason],
  ]);
  return tableText(HEADER, cells);
}

/** Prints what corrects the history. */
export async function listCorrections(store: HistoryStore, asJson: boolean): Promise<StoreResult<number>> {
  const all = await readCorrections(store);
  if (!all.ok) return all;
  const text = asJson
    ? `${JSON.stringify(all.value.map((correction) => ({ ...correction, factor: correction.factor ?? null })))}\n`
    : correctionTable(all.value, systemClock.now());
  process.stdout.write(text);
  return stored(0);
}

/** Shows the correction that the flags say, and with `yes` notes it. */
export async function addCorrection(
  store: HistoryStore,
  id: string,
  flags: CorrectFlags,
): Promise<StoreResult<number>> {
  const held = await replicateCorrections(store);
  if (!held.ok) return held;
  const now = systemClock.now();
  const last = held.value
    .filter((correction) => correction.id === id)
    .sort((a, b) => b.revision - a.revision)[0];
  const knownAt = asMs(store.engine === 'embedded' ? now : now + NOTICE_MS);
  const terms = flags.undo === true ? undoing(id, last, flags) : termsOf(id, last, flags, now);
  if (!terms.ok) return terms;
  const correction = { ...terms.value, knownAt };
  process.stdout.write(correctionTable([correction], now));
  if (flags.yes !== true) {
    process.stdout.write('nothing is noted yet: say it again with --yes\n');
    return stored(0);
  }
  const noted = await recordCorrections(store, [correction]);
  if (!noted.ok) return noted;
  process.stdout.write(`noted; answers follow it from ${iso(knownAt)} on\n`);
  return stored(0);
}

type Terms = Omit<Correction, 'knownAt'>;

function undoing(id: string, last: Correction | undefined, { reason }: CorrectFlags): StoreResult<Terms> {
  if (last === undefined) return notStored('refused', `there is no correction "${id}" to undo`);
  if (last.factor === 1) return notStored('refused', `"${id}" is undone already`);
  if (reason === undefined) return notStored('refused', '--reason is needed');
  return stored({ ...last, revision: last.revision + 1, factor: 1, reason });
}

function termsOf(
  id: string,
  last: Correction | undefined,
  flags: CorrectFlags,
  now: UnixMs,
): StoreResult<Terms> {
  const { venue = '', metric = '', origin, reason, withdraw } = flags;
  const refused = (message: string) => notStored('refused', message);
  if (last !== undefined) return refused(`there is a correction "${id}": undo it, and take another id`);
  if (!/^[a-z0-9:_-]+\*?$/.test(venue))
    return refused('--venue is a venue, or all that begin alike: hyperliquid-*');
  if (!isMetric(metric) || metric === 'payment_time') {
    const named = Object.keys(METRIC_MEASURES).filter((name) => name !== 'payment_time');
    return refused(`--metric is one of ${named.join(', ')}`);
  }
  if (origin !== undefined && origin !== 'sampled' && origin !== 'backfilled') {
    return refused('--origin is sampled or backfilled');
  }
  const factor = readNumber(flags.factor);
  if (withdraw === true ? flags.factor !== undefined : factor === undefined || factor <= 0 || factor === 1) {
    return refused('either --factor, a positive number other than 1, or --withdraw');
  }
  const from = timeIn(flags.from ?? '1970-01-01T00:00:00Z');
  const before = timeIn(flags.before ?? '');
  if (from === undefined || before === undefined || from >= before || before > now) {
    return refused('--before, and --from where it is given, are past times in order: 2026-11-20T21:30:00Z');
  }
  if (reason === undefined) return refused('--reason is needed');
  return stored({ id, revision: 1, venue, metric, origin, factor, from, before, reason });
}

/** A time in UTC; undefined for any other text, and for a date that does not exist. */
function timeIn(text: string): UnixMs | undefined {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(ms)) return undefined;
  return iso(asMs(ms)).startsWith(text.slice(0, 19)) ? asMs(ms) : undefined;
}

/** Prints what corrects the history. */
export function historyCorrectionsCommand(
  settings: Settings,
  { json }: { readonly json?: boolean },
): Promise<number> {
  return onStore(settings, (store) => listCorrections(store, json === true));
}

/** Notes a correction, or undoes one. */
export function historyCorrectCommand(settings: Settings, id: string, flags: CorrectFlags): Promise<number> {
  return onStore(settings, (store) => addCorrection(store, id, flags));
}
