import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isWire, readText } from '../../domain/read.ts';
import { type HistoryStore, notStored, type StoreResult, stored } from '../../history/store.ts';
import type { Correction } from '../corrections/correction.ts';
import {
  clearCorrections,
  readCorrection,
  readCorrections,
  recordCorrections,
} from '../corrections/correction-log.ts';
import { type Chunk, chunksOf, DUMPED, MANIFEST, type Manifest } from './dump.ts';

const expand = promisify(gunzip);
const ROWS_AT_ONCE = 40_000;

/** Reads the manifest of a backup; what does not look like one is refused. */
export function readManifest(folder: string): StoreResult<Manifest> {
  let body: unknown;
  try {
    body = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));
  } catch {
    return notStored('refused', `${folder} has no readable ${MANIFEST}: it is no complete backup`);
  }
  if (!isWire(body) || body.format !== 1 || !isWire(body.columns) || !Array.isArray(body.chunks)) {
    return notStored('refused', `${folder}: a backup of another version`);
  }
  const columns: Record<string, readonly string[]> = {};
  for (const [table, names] of Object.entries(body.columns)) {
    if (Array.isArray(names)) columns[table] = names.flatMap((name) => readText(name) ?? []);
  }
  const chunks = body.chunks.map(readChunk);
  if (!chunks.every((chunk) => chunk !== undefined)) {
    return notStored('refused', `${folder}: ${MANIFEST} names a file that is no part of a backup`);
  }
  if (body.corrections === undefined) return stored({ format: 1, columns, chunks });
  const listed: readonly unknown[] = Array.isArray(body.corrections) ? body.corrections : [undefined];
  const corrections = listed.map((entry) => (isWire(entry) ? readCorrection(entry) : undefined));
  if (!corrections.every((correction) => correction !== undefined)) {
    return notStored('refused', `${folder}: ${MANIFEST} has a correction that cannot be read`);
  }
  return stored({ format: 1, columns, chunks, corrections });
}

function readChunk(entry: unknown): Chunk | undefined {
  if (!isWire(entry)) return undefined;
  const table = readText(entry.table);
  const file = readText(entry.file);
  if (table === undefined || file === undefined || DUMPED[table] === undefined) return undefined;
  if (!/^\w+-\d+\.tsv\.gz$/.test(file)) return undefined;
  return { table, from: Number(entry.from), file, rows: Number(entry.rows), hash: String(entry.hash) };
}

/** Loads a backup into a history that is empty. */
export async function restore(store: HistoryStore, folder: string): Promise<StoreResult<Manifest>> {
  const manifest = readManifest(folder);
  if (!manifest.ok) return manifest;
  const empty = await refuseUnlessEmpty(store);
  if (!empty.ok) return empty;
  for (const chunk of manifest.value.chunks) {
    const loaded = await loadChunk(store, folder, chunk, manifest.value.columns[chunk.table] ?? []);
    if (!loaded.ok) return loaded;
  }
  // Corrections that an empty history noted for itself do not concern these rows. A backup without any is of an
  // earlier build: the service notes them when it first runs on it.
  const cleared = await clearCorrections(store);
  const noted = cleared.ok ? await recordCorrections(store, manifest.value.corrections ?? []) : cleared;
  return noted.ok ? manifest : noted;
}

async function refuseUnlessEmpty(store: HistoryStore): Promise<StoreResult<void>> {
  for (const table of Object.keys(DUMPED)) {
    const rows = await store.select({ sql: `SELECT count() FROM ${table}`, params: {} }, 'maintain');
    if (!rows.ok) return rows;
    if (Number(rows.value[0]?.[0]) > 0) {
      return notStored('refused', `the history to restore into is not empty: ${table} has rows`);
    }
  }
  return stored(undefined);
}

async function loadChunk(
  store: HistoryStore,
  folder: string,
  { table, file, rows }: Chunk,
  columns: readonly string[],
): Promise<StoreResult<void>> {
  let lines: readonly string[];
  try {
    const text = (await expand(readFileSync(join(folder, file)))).toString();
    lines = text.split('\n').slice(0, -1);
  } catch (error) {
    return notStored('refused', `${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  if (lines.length !== rows) return notStored('refused', `${file} has ${lines.length} rows, not ${rows}`);
  for (let at = 0; at < lines.length; at += ROWS_AT_ONCE) {
    const done = await store.insert({ table, columns, lines: lines.slice(at, at + ROWS_AT_ONCE) });
    if (!done.ok) return done;
  }
  return stored(undefined);
}

/**
 * Compares what a history holds with what a backup says, span by span.
 *
 * @returns what differs, in words; nothing where all is the same
 */
export async function differences(
  store: HistoryStore,
  manifest: Manifest,
): Promise<StoreResult<readonly string[]>> {
  const wrong: string[] = [];
  for (const table of Object.keys(DUMPED)) {
    const delivered = await store.deliver(table);
    if (!delivered.ok) return delivered;
    const columns = manifest.columns[table];
    if (columns === undefined) return notStored('refused', `the backup says nothing of ${table}`);
    const found = await chunksOf(store, table, columns);
    if (!found.ok) return found;
    const held = new Map(found.value.map((chunk) => [chunk.from, chunk]));
    for (const chunk of manifest.chunks.filter((chunk) => chunk.table === table)) {
      const other = held.get(chunk.from);
      held.delete(chunk.from);
      if (other?.rows !== chunk.rows) wrong.push(`${chunk.file}: ${other?.rows ?? 0} rows of ${chunk.rows}`);
      else if (other.hash !== chunk.hash) wrong.push(`${chunk.file}: the rows differ`);
    }
    for (const { file, rows } of held.values()) wrong.push(`${file}: ${rows} rows that the backup has not`);
  }
  const corrections = await readCorrections(store);
  if (!corrections.ok) return corrections;
  const isSame =
    manifest.corrections === undefined || textOf(manifest.corrections) === textOf(corrections.value);
  return stored(isSame ? wrong : [...wrong, 'the corrections differ']);
}

const textOf = (corrections: readonly Correction[]): string =>
  corrections
    .map((correction) => JSON.stringify(correction))
    .sort()
    .join();
