import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** About as much as a transaction with one sale writes. */
const WRITTEN = Buffer.alloc(16 * 1024, 1);
/** The file has its size before it is timed, so that a flush has data alone to write. */
const PIECES = 64;

/**
 * Times of so many flushes to the disk of a folder, one after the other, ms: what the operating system takes for it where no
 * database is in between. LMDB makes two of them a transaction, the second for its root.
 */
export async function flushTimes(folder: string, count: number): Promise<readonly number[]> {
  const file = await open(join(folder, 'bare'), 'w');
  try {
    for (let i = 0; i < PIECES; i++) await file.write(WRITTEN);
    await file.sync();
    const tookMs: number[] = [];
    for (let i = 0; i < count; i++) {
      await file.write(WRITTEN, 0, WRITTEN.length, (i % PIECES) * WRITTEN.length);
      const began = performance.now();
      await file.datasync();
      tookMs.push(performance.now() - began);
    }
    return tookMs;
  } finally {
    await file.close();
  }
}
