import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { replicateCorrections } from '../history/corrections/correction-log.ts';
import { type HistoryStore, notStored, type StoreResult, stored } from '../history/store.ts';
import {
  type Chunk,
  chunksOf,
  DUMPED,
  linesOf,
  MANIFEST,
  type Manifest,
  storedColumns,
} from './history-dump.ts';

const compress = promisify(gzip);

/**
 * Writes all that is kept into an empty folder: compressed lines by table and span of time, and a manifest with the
 * rows and the hash of each. What is written meanwhile by a running service belongs to the next backup.
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
    const found = await chunksOf(store, table, names.value);
    if (!found.ok) return found;
    for (const chunk of found.value) {
      const written = await writeChunk(store, folder, chunk, names.value);
      if (!written.ok) return written;
      chunks.push(chunk);
    }
  }
  const corrections = await replicateCorrections(store);
  if (!corrections.ok) return corrections;
  const manifest: Manifest = { format: 1, columns, chunks, corrections: corrections.value };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`);
  return stored(manifest);
}

async function writeChunk(
  store: HistoryStore,
  folder: string,
  chunk: Chunk,
  columns: readonly string[],
): Promise<StoreResult<void>> {
  const lines = await linesOf(store, chunk, columns);
  if (!lines.ok) return lines;
  if (lines.value.length !== chunk.rows) {
    return notStored('busy', `${chunk.file}: rows of this span are being written; back up again later`);
  }
  writeFileSync(join(folder, chunk.file), await compress(`${lines.value.join('\n')}\n`));
  return stored(undefined);
}
