import { readNumber, readText, type Wire } from '../../domain/read.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { type Cells, type HistoryStore, notStored, type StoreResult, stored } from '../../history/store.ts';
import { quoted, timeLiteral } from './corrected-sql.ts';
import { type Correction, keyOf, METRIC_MEASURES, type Metric } from './correction.ts';
import { DECLARED } from './declared.ts';

const READ =
  'SELECT id, revision, venue, metric, origin, factor, shift_ms, toUnixTimestamp64Milli(recorded_from), toUnixTimestamp64Milli(recorded_before), ' +
  'toUnixTimestamp64Milli(known_at) AS known, reason FROM corrections ORDER BY known, id, revision';
const SHAPE =
  "'id String, revision UInt32, venue String, metric String, origin String, factor Nullable(Float64), shift_ms Int64, " +
  "recorded_from DateTime64(3, \\'UTC\\'), recorded_before DateTime64(3, \\'UTC\\'), known_at DateTime64(3, \\'UTC\\'), reason String'";
const COLUMNS =
  'id, revision, venue, metric, origin, factor, shift_ms, recorded_from, recorded_before, known_at, reason';

/** Names of the cells of a row. */
const CELLS = 'id revision venue metric origin factor shiftMs from before knownAt reason'.split(' ');

export const isMetric = (text: string): text is Metric => Object.hasOwn(METRIC_MEASURES, text);

/** All revisions in the order in which they became known; of one that two nodes hold, the earlier. */
export async function readCorrections(store: HistoryStore): Promise<StoreResult<readonly Correction[]>> {
  const rows = await store.select({ sql: READ, params: {} }, 'maintain');
  return rows.ok ? correctionsIn(rows.value) : rows;
}

function correctionsIn(rows: readonly Cells[]): StoreResult<readonly Correction[]> {
  const found = new Map<string, Correction>();
  for (const cells of rows) {
    const one = readCorrection(Object.fromEntries(CELLS.map((name, at) => [name, cells[at]])));
    if (one === undefined)
      return notStored('refused', `a correction cannot be read: ${JSON.stringify(cells)}`);
    const held = found.get(keyOf(one));
    if (held === undefined || one.knownAt < held.knownAt) found.set(keyOf(one), one);
  }
  return stored([...found.values()].sort((a, b) => a.knownAt - b.knownAt));
}

/** A correction from its parts by name, times in ms; undefined where it lacks one. */
export function readCorrection(parts: Wire): Correction | undefined {
  const id = readText(parts.id);
  const venue = readText(parts.venue);
  const metric = readText(parts.metric);
  const reason = readText(parts.reason);
  const revision = readNumber(parts.revision);
  const from = readNumber(parts.from);
  const before = readNumber(parts.before);
  const knownAt = readNumber(parts.knownAt);
  if (id === undefined || venue === undefined || metric === undefined || !isMetric(metric)) return undefined;
  if (revision === undefined || from === undefined || before === undefined || knownAt === undefined) {
    return undefined;
  }
  const origin = parts.origin === 'sampled' || parts.origin === 'backfilled' ? parts.origin : undefined;
  const shiftMs = readNumber(parts.shiftMs) ?? 0;
  return {
    id,
    revision,
    venue,
    metric,
    origin,
    factor: readNumber(parts.factor),
    reason: reason ?? '',
    ...(shiftMs !== 0 && { shiftMs }),
    from: asMs(from),
    before: asMs(before),
    knownAt: asMs(knownAt),
  };
}

/** Corrections of all nodes together; every one has to answer. */
async function readEverywhere(store: HistoryStore): Promise<StoreResult<readonly Correction[]>> {
  const rows = await store.selectOnNodes(() => ({ sql: READ, params: {} }));
  return rows.ok ? correctionsIn(rows.value) : rows;
}

/** Writes on every node the corrections that it has not. */
export async function recordCorrections(
  store: HistoryStore,
  corrections: readonly Correction[],
): Promise<StoreResult<void>> {
  if (corrections.length === 0) return stored(undefined);
  const rows = corrections.map(({ id, revision, venue, metric, origin, factor, shiftMs, ...one }) => {
    const texts = [venue, metric, origin ?? ''].map(quoted).join(', ');
    const times = [one.from, one.before, one.knownAt].map(timeLiteral).join(', ');
    return `(${quoted(id)}, ${revision}, ${texts}, ${factor ?? 'NULL'}, ${shiftMs ?? 0}, ${times}, ${quoted(one.reason)})`;
  });
  return store.runOnNodes(
    () =>
      `INSERT INTO corrections (${COLUMNS}) SELECT ${COLUMNS} FROM values(${SHAPE}, ${rows.join(', ')}) ` +
      'WHERE (id, revision) NOT IN (SELECT id, revision FROM corrections)',
  );
}

/** Forgets all corrections, for those of a backup. */
export const clearCorrections = (store: HistoryStore): Promise<StoreResult<void>> =>
  store.runOnNodes(() => 'TRUNCATE TABLE corrections');

/** Reads what all nodes hold, and gives each what it has not. */
export async function replicateCorrections(store: HistoryStore): Promise<StoreResult<readonly Correction[]>> {
  const held = await readEverywhere(store);
  if (!held.ok || store.engine !== 'cluster') return held;
  const spread = await recordCorrections(store, held.value);
  return spread.ok ? held : spread;
}

/**
 * Notes the declared corrections that a store has not, for all that was recorded before `now`. In an empty
 * store they are noted with the beginning of time, so that they are never taken for new. Called by a service
 * that is about to write, and by nobody else: what an earlier build writes after it would stay wrong.
 *
 * @returns a fault where a correction is new and a node does not answer: another time would be noted there
 */
export async function recordDeclared(store: HistoryStore, now: UnixMs): Promise<StoreResult<void>> {
  const lacks = (held: readonly Correction[]) =>
    DECLARED.filter(({ id }) => !held.some((correction) => correction.id === id));
  const all = await replicateCorrections(store);
  if (!all.ok) {
    const some = await readCorrections(store);
    if (some.ok && lacks(some.value).length === 0) return stored(undefined);
    const message = `corrections of what is stored have to be noted on every node: ${all.fault.message}`;
    return { ok: false, fault: { ...all.fault, message } };
  }
  const missing = lacks(all.value);
  if (missing.length === 0) return stored(undefined);
  const filled = await holdsValues(store);
  if (!filled.ok) return filled;
  const before = filled.value ? now : asMs(0);
  const noted = missing.map((terms) => ({ ...terms, revision: 1, from: asMs(0), before, knownAt: now }));
  return recordCorrections(store, noted);
}

async function holdsValues(store: HistoryStore): Promise<StoreResult<boolean>> {
  const sql =
    'SELECT (SELECT count() FROM samples) + (SELECT count() FROM hours) + (SELECT count() FROM settlements)';
  const rows = await store.select({ sql, params: {} }, 'maintain');
  return rows.ok ? stored(Number(rows.value[0]?.[0]) > 0) : rows;
}
