import type { Batch } from './batch.ts';
import type { StoreFault } from './store.ts';

/** The end of a statement's rows. */
export interface Outcome {
  readonly written: number;
  /** Rows that were not taken. */
  readonly refusedLines: ReadonlySet<string>;
  /** The store's reason for the first of them; undefined where there are none. */
  readonly refused: StoreFault | undefined;
}

/** Statements that may be refused in the search for the rows that the store does not take: beyond, it takes none of these. */
const MAX_REFUSALS = 100;

/**
 * Writes rows, and where the store refuses them halves of them, so that a row that it does not take keeps none of the
 * others out.
 *
 * @param write makes one statement
 */
export async function writeParts(
  batch: Batch,
  write: (part: Batch) => Promise<'written' | 'stopped' | StoreFault>,
): Promise<'stopped' | Outcome> {
  let written = 0;
  let refusals = 0;
  const refusedLines = new Set<string>();
  let refused: StoreFault | undefined;
  const open: Batch[] = [batch];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { lines } = part;
    const result = await write(part);
    if (result === 'stopped') return 'stopped';
    if (result === 'written') {
      written += lines.length;
      continue;
    }
    refused ??= result;
    refusals += 1;
    if (lines.length === 1 || refusals > MAX_REFUSALS) {
      for (const line of lines) refusedLines.add(line);
      continue;
    }
    const half = Math.ceil(lines.length / 2);
    open.push({ ...part, lines: lines.slice(half) }, { ...part, lines: lines.slice(0, half) });
  }
  return { written, refusedLines, refused };
}
