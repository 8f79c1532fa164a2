import { appendFile, open, readFile } from 'node:fs/promises';
import { COMPACT_AT, FileChannels } from './file-channels.ts';
import { awaitDrafts, isInPlace, replaceFile } from './file-compaction.ts';
import type { PaymentRecord, PaymentStore } from './store.ts';

function readLine(line: string): PaymentRecord | undefined {
  try {
    return JSON.parse(line) as PaymentRecord;
  } catch {
    // A write that was cut off: its payment was not signed, or its end is not known and it stays counted.
    return undefined;
  }
}

/** Times that a record is written again because the file was compacted meanwhile. */
const TRIES = 20;

interface Held {
  /** Lines of the file that can be read. */
  readonly lines: number;
  /** The newest record of each payment. */
  readonly latest: readonly PaymentRecord[];
}

function heldIn(text: string): Held {
  const records = text
    .split('\n')
    .map(readLine)
    .filter((record) => record !== undefined);
  return {
    lines: records.length,
    latest: [...new Map(records.map((record) => [record.nonce, record])).values()],
  };
}

const textOf = (records: readonly PaymentRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Appends a record, and once more where another process has put a compacted file in the place of the one it went into. */
async function append(path: string, record: PaymentRecord): Promise<void> {
  for (let i = 0; i < TRIES; i++) {
    const file = await open(path, 'a', 0o600);
    try {
      await file.appendFile(textOf([record]));
      await file.datasync();
      await awaitDrafts(path);
      if (await isInPlace(file, path)) return;
    } finally {
      await file.close();
    }
  }
  throw new Error('the file of payments is compacted by others all the time');
}

/**
 * Payments in a file, a line of JSON each, readable by its owner alone: caps hold over restarts. For one process at a time.
 * It is compacted to the newest record of each payment when it is read. Channels are in a second file beside it, which processes
 * may share.
 * @param path created where it is missing; its folder has to be there. The second one has `.channels` behind it
 * @param compactAt bytes from which on a file is compacted
 */
export function fileStore(path: string, compactAt = COMPACT_AT): PaymentStore {
  return {
    channels: new FileChannels(`${path}.channels`, compactAt),
    async load() {
      const file = await open(path, 'a', 0o600);
      await file.close();
      const text = await readFile(path, 'utf8');
      if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n');
      let held = heldIn(text);
      if (text.length > compactAt && held.latest.length < held.lines)
        await replaceFile(path, async () => {
          held = heldIn(await readFile(path, 'utf8'));
          return textOf(held.latest);
        });
      return held.latest;
    },
    save: (record) => append(path, record),
  };
}
