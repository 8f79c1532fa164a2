import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type HistoryStore, notStored, type StoreResult, stored } from '../../history/store.ts';
import { replicateCorrections } from '../corrections/correction-log.ts';
import {
  type Chunk,
  chunksOf,
  DUMPED,
  linesOf,
  MANIFEST,
  type Manifest,
  newestRecord,
  storedColumns,
} from './dump.ts';

const compress = promisify(gzip);

/** A span that gets rows, or loses them, while it is read is counted this often. */
const COUNTS = 5;

/**
 * Writes all that is kept into an empty folder: compressed lines by table and span of time, and a manifest with
 * the rows and the hash of each. Rows that a running service records of a table once that is begun belong to
 * the next backup.
 */
export async function backUp(store: HistoryStore, folder: string): Promise<StoreResult<Manifest>> {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) return notStored('refused', `${folder} is not empty`);
  const columns: Record<string, readonly string[]> = {};
  const chunks: Chunk[] = [];
  for (const table of Object.keys(DUMPED)) {
    const delivered = await store.deliver(table);
    if (!delivered.ok) return delivered;
    const names = await storedColumns(store, table);
    if (!names.ok) return names;
    columns[table] = names.value;
    const written = await writeTable(store, folder, table, names.value);
    if (!written.ok) return written;
    chunks.push(...written.value);
  }
  const corrections = await replicateCorrections(store);
  if (!corrections.ok) return corrections;
  const manifest: Manifest = { format: 1, columns, chunks, corrections: corrections.value };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`);
  return stored(manifest);
}

/** The bound is the newest record and not the time of this machine: the recorder's clock may differ. */
async function writeTable(
  store: HistoryStore,
  folder: string,
  table: string,
  columns: readonly string[],
): Promise<StoreResult<readonly Chunk[]>> {
  const newest = await newestRecord(store, table);
  if (!newest.ok) return newest;
  const recordedBy = newest.value;
  const found = await chunksOf(store, table, columns, { recordedBy });
  if (!found.ok) return found;
  const chunks: Chunk[] = [];
  for (const chunk of found.value) {
    const written = await writeChunk(store, folder, chunk, columns, recordedBy);
    if (!written.ok) return written;
    if (written.value !== undefined) chunks.push(written.value);
  }
  return stored(chunks);
}

/**
 * Rows recorded before may still come, and old ones are dropped: such a span is counted again.
 *
 * @returns the chunk as it was written; undefined where its rows are gone
 */
async function writeChunk(
  store: HistoryStore,
  folder: string,
  found: Chunk,
  columns: readonly string[],
  recordedBy: number,
): Promise<StoreResult<Chunk | undefined>> {
  const { table, file, from } = found;
  let chunk: Chunk | undefined = found;
  for (let counted = 1; chunk !== undefined; counted++) {
    const lines = await linesOf(store, table, columns, { from, recordedBy });
    if (!lines.ok) return lines;
    if (lines.value.length === chunk.rows) {
      writeFileSync(join(folder, file), await compress(`${lines.value.join('\n')}\n`));
      return stored(chunk);
    }
    if (counted === COUNTS) {
      return notStored('busy', `${file}: rows of this span are being written; back up again later`);
    }
    const again = await chunksOf(store, table, columns, { from, recordedBy });
    if (!again.ok) return again;
    [chunk] = again.value;
  }
  return stored(undefined);
}
