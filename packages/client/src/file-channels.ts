import { type FileHandle, open } from 'node:fs/promises';
import type { ChannelRecord, ChannelStore } from './channels/channel.ts';
import { awaitDrafts, isInPlace, replaceFile, syncFolder } from './file-compaction.ts';
import { randomHex } from './payment.ts';

/** A file is compacted from that size on, bytes. */
export const COMPACT_AT = 64 * 1024;
/** A file of that size is compacted where it is so many times as large as what it holds. */
const COMPACT_TIMES = 4;
/** Saves of a channel whose names are kept: by its name each process knows its own again, though others went on. */
const KEPT_SAVES = 16;
/** Bytes of a file in which its first line names its generation, where it does. */
const GENERATION_BYTES = 64;
/** Times that a change is written again because the file was compacted meanwhile. */
const TRIES = 20;

/** A change as a line of the file; of two lines with the same version of a channel the first one holds. */
interface Line extends Partial<ChannelRecord> {
  readonly id: string;
  readonly version: number;
  /** Names the save that wrote it. */
  readonly save: string;
  /** Of a whole record in a compacted file, whose earlier versions are gone: the saves that wrote the last of them, oldest first. */
  readonly before?: readonly string[];
}

/** The first line of a compacted file: names it, since the number of a file is given to another one once it is gone. */
const generationLine = (): string => `${JSON.stringify({ generation: randomHex(8) })}\n`;

/** The name of a file's generation; '' of one that was not compacted yet, or by an older build. */
async function generationOf(file: FileHandle): Promise<string> {
  const start = Buffer.alloc(GENERATION_BYTES);
  const { bytesRead } = await file.read(start, 0, start.length, 0);
  return /^\{"generation":"([0-9a-f]+)"\}\n/.exec(start.toString('latin1', 0, bytesRead))?.[1] ?? '';
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
 * lines decides which of two changes holds. It is compacted to the newest record of each channel once it has grown to a multiple.
 */
export class FileChannels implements ChannelStore {
  readonly #path: string;
  readonly #compactAt: number;
  readonly #records = new Map<string, ChannelRecord>();
  /** The saves that wrote the last records of each channel, the newest last. */
  readonly #saves = new Map<string, readonly string[]>();
  /** The file that was read so far: another one has its place once it is compacted. */
  #inode: bigint | undefined;
  #generation = '';
  #readTo = 0;
  /** Size from which on it may be worth compacting, bytes. */
  #largeAt: number;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param path created where it is missing; its folder has to be there
   * @param compactAt bytes from which on it is compacted
   */
  constructor(path: string, compactAt = COMPACT_AT) {
    this.#path = path;
    this.#compactAt = compactAt;
    this.#largeAt = compactAt;
  }

  load(): Promise<readonly ChannelRecord[]> {
    return this.#inTurn(async () => {
      await this.#withFile((file) => this.#readOn(file));
      await this.#compact();
      return [...this.#records.values()];
    });
  }

  save(record: ChannelRecord): Promise<boolean> {
    return this.#inTurn(async () => {
      const save = randomHex(8);
      for (let i = 0; i < TRIES; i++) {
        const isSaved = await this.#withFile((file) => this.#append(file, record, save));
        if (isSaved === undefined) continue;
        if (isSaved) await this.#compact();
        return isSaved;
      }
      throw new Error('the file of channels is compacted by others all the time');
    });
  }

  /** Undefined where the file was replaced, so that it is not known whether the change is in the new one. */
  async #append(file: FileHandle, record: ChannelRecord, save: string): Promise<boolean | undefined> {
    await this.#readOn(file);
    const before = this.#records.get(record.id);
    if (this.#holds(record, save)) return true;
    if ((before?.version ?? 0) !== record.version - 1) return false;
    const line = { ...changesOf(record, before), id: record.id, version: record.version, save };
    // The line end before it parts it from a write that was cut off.
    await file.appendFile(`\n${JSON.stringify(line)}\n`);
    await file.datasync();
    await awaitDrafts(this.#path);
    if (!(await isInPlace(file, this.#path))) return undefined;
    await this.#readOn(file);
    return this.#holds(record, save);
  }

  #holds({ id }: ChannelRecord, save: string): boolean {
    return this.#saves.get(id)?.includes(save) === true;
  }

  /** Works with the file after all that this process began before. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #withFile<T>(work: (file: FileHandle) => Promise<T>): Promise<T> {
    const file = await open(this.#path, 'a+', 0o600);
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  }

  /** Reads the lines that were written since the last time, whole ones alone; of another file all. */
  async #readOn(file: FileHandle): Promise<void> {
    const { ino, size } = await file.stat({ bigint: true });
    const generation = await generationOf(file);
    const isSame = ino === this.#inode && generation === this.#generation && size >= this.#readTo;
    if (!isSame) await this.#begin(ino, generation);
    const length = Number(size) - this.#readTo;
    if (length <= 0) return;
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, this.#readTo);
    const end = bytes.subarray(0, bytesRead).lastIndexOf('\n') + 1;
    this.#readTo += end;
    for (const text of bytes.subarray(0, end).toString().split('\n')) {
      const line = text === '' ? undefined : readLine(text);
      if (line?.id !== undefined) this.#take(line);
    }
  }

  /** The folder is synced first: lines appended to a file are lost where its new name does not survive a crash. */
  async #begin(inode: bigint, generation: string): Promise<void> {
    await syncFolder(this.#path);
    this.#inode = inode;
    this.#generation = generation;
    this.#readTo = 0;
    this.#records.clear();
    this.#saves.clear();
  }

  #take({ save, before, ...change }: Line): void {
    const known = this.#records.get(change.id);
    if (before === undefined && (known?.version ?? 0) !== change.version - 1) return;
    const members = Object.entries({ ...known, ...change }).filter(([, value]) => value !== null);
    // The first line of a channel has all its members.
    this.#records.set(change.id, Object.fromEntries(members) as unknown as ChannelRecord);
    const earlier = before ?? this.#saves.get(change.id) ?? [];
    this.#saves.set(change.id, [...earlier, save].slice(-KEPT_SAVES));
  }

  /** Compacts the file where that is worth it; where it cannot be, it stays as it is, and is read as before. */
  async #compact(): Promise<void> {
    if (this.#readTo < this.#largeAt) return;
    const text = this.#text();
    this.#largeAt = Math.max(this.#compactAt, COMPACT_TIMES * text.length);
    if (this.#readTo < this.#largeAt) return;
    const isMade = await replaceFile(this.#path, async () => {
      await this.#withFile((file) => this.#readOn(file));
      return this.#text();
    });
    // Tried again once the file has grown further.
    if (!isMade) this.#largeAt = this.#readTo + this.#compactAt;
  }

  #text(): string {
    const lines = [...this.#records].map(([id, record]) => {
      const saves = this.#saves.get(id) ?? [];
      return `${JSON.stringify({ ...record, save: saves.at(-1), before: saves.slice(0, -1) })}\n`;
    });
    return generationLine() + lines.join('');
  }
}
