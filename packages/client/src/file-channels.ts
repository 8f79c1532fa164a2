import { type FileHandle, open } from 'node:fs/promises';
import type { ChannelRecord, ChannelStore } from './channels/channel.ts';
import { randomHex } from './payment.ts';

/** A change as a line of the file; of two lines with the same version of a channel the first one holds. */
interface Line extends Partial<ChannelRecord> {
  readonly id: string;
  readonly version: number;
  /** Names the save that wrote it. */
  readonly save: string;
}

function readLine(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line;
  } catch {
    // A write that was cut off: nothing was signed for it.
    return undefined;
  }
}

/** The members in which a record differs from the one before it. */
function changesOf(record: ChannelRecord, before: ChannelRecord | undefined): Partial<ChannelRecord> {
  const known: Readonly<Record<string, unknown>> = { ...before };
  const members = Object.entries(record).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
  );
  // JSON has no undefined: null stands for a member that is no more.
  return Object.fromEntries(members.map(([name, value]) => [name, value ?? null]));
}

/**
 * Channels in a file, a line of JSON for each change, readable by its owner alone. Processes may share it: the order of the
 * lines decides which of two changes holds.
 */
export class FileChannels implements ChannelStore {
  readonly #path: string;
  readonly #records = new Map<string, ChannelRecord>();
  /** The save that wrote the newest record of each channel. */
  readonly #saves = new Map<string, string>();
  #readTo = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param path created where it is missing; its folder has to be there */
  constructor(path: string) {
    this.#path = path;
  }

  load(): Promise<readonly ChannelRecord[]> {
    return this.#inTurn(async (file) => {
      await this.#readOn(file);
      return [...this.#records.values()];
    });
  }

  save(record: ChannelRecord): Promise<boolean> {
    return this.#inTurn(async (file) => {
      await this.#readOn(file);
      const before = this.#records.get(record.id);
      if ((before?.version ?? 0) !== record.version - 1) return false;
      const save = randomHex(8);
      const line = { ...changesOf(record, before), id: record.id, version: record.version, save };
      // The line end before it parts it from a write that was cut off.
      await file.appendFile(`\n${JSON.stringify(line)}\n`);
      await file.datasync();
      await this.#readOn(file);
      return this.#saves.get(record.id) === save;
    });
  }

  /** Works with the file after all that this process began before. */
  #inTurn<T>(work: (file: FileHandle) => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      const file = await open(this.#path, 'a+', 0o600);
      try {
        return await work(file);
      } finally {
        await file.close();
      }
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Reads the lines that were written since the last time, whole ones alone. */
  async #readOn(file: FileHandle): Promise<void> {
    const { size } = await file.stat();
    if (size <= this.#readTo) return;
    const bytes = Buffer.alloc(size - this.#readTo);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, this.#readTo);
    const end = bytes.subarray(0, bytesRead).lastIndexOf('\n') + 1;
    this.#readTo += end;
    for (const text of bytes.subarray(0, end).toString().split('\n')) {
      const line = text === '' ? undefined : readLine(text);
      if (line !== undefined) this.#take(line);
    }
  }

  #take({ save, ...change }: Line): void {
    const before = this.#records.get(change.id);
    if ((before?.version ?? 0) !== change.version - 1) return;
    const members = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null);
    // The first line of a channel has all its members.
    this.#records.set(change.id, Object.fromEntries(members) as unknown as ChannelRecord);
    this.#saves.set(change.id, save);
  }
}
