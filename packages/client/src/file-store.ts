import { appendFile, open, readFile } from 'node:fs/promises';
import { FileChannels } from './file-channels.ts';
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
 * Channels are in a second file beside it, which processes may share.
 * @param path created where it is missing; its folder has to be there. The second one has `.channels` behind it
 */
export function fileStore(path: string): PaymentStore {
  return {
    channels: new FileChannels(`${path}.channels`),
    async load() {
      const file = await open(path, 'a', 0o600);
      await file.close();
      const text = await readFile(path, 'utf8');
      if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n');
      const records = text.split('\n').map(readLine);
      return [...new Map(records.filter((one) => one !== undefined).map((one) => [one.nonce, one])).values()];
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
