import { appendFile, open, readFile } from 'node:fs/promises';
import { COMPACT_AT, FileChannels } from './file-channels.ts';
import { replaceFile } from './file-compaction.ts';
import type { PaymentRecord, PaymentStore } from './store.ts';

function readLine(line: string): PaymentRecord | undefined {
  try {
    return JSON.parse(line) as PaymentRecord;
  } catch {
    // A write that was cut off: its payment was not signed, or its end is not known and it stays counted.
    return undefined;
  }
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
      const records = text
        .split('\n')
        .map(readLine)
        .filter((one) => one !== undefined);
      const latest = [...new Map(records.map((one) => [one.nonce, one])).values()];
      const isLarge = text.length > compactAt && latest.length < records.length;
      if (isLarge)
        await replaceFile(path, async () => latest.map((one) => `${JSON.stringify(one)}\n`).join(''));
      return latest;
    },
    async save(record) {
      const file = await open(path, 'a', 0o600);
      try {
        await file.appendFile(`${JSON.stringify(record)}\n`);
        await file.datasync();
      } finally {
        await file.close();
      }
    },
  };
}
