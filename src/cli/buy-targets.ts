import { constants, existsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BuyError } from '../host/buyer.ts';
import { reasonOf } from '../runtime/reason-of.ts';

/** Files that a purchase is written to. */
export interface TargetPaths {
  /** File that the body is written to, byte for byte; standard output without it. */
  readonly out?: string;
  /** File that the receipt of the answer is written to, with what verifies it. */
  readonly receipt?: string;
}

/** A file for what will be bought, opened before anything is paid for; what stands in it stays until it is written. */
export class Target {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #isNew: boolean;
  #isWritten = false;

  private constructor(path: string, file: FileHandle, isNew: boolean) {
    this.#path = path;
    this.#file = file;
    this.#isNew = isNew;
  }

  static async open(path: string): Promise<Target> {
    const isNew = !existsSync(path);
    try {
      return new Target(path, await open(path, constants.O_WRONLY | constants.O_CREAT), isNew);
    } catch (cause) {
      throw new BuyError(`nothing was paid: ${reasonOf(cause)}`);
    }
  }

  async write(content: Uint8Array | string): Promise<void> {
    this.#isWritten = true;
    // A pipe or a device has no length.
    if ((await this.#file.stat()).isFile()) await this.#file.truncate();
    await this.#file.writeFile(content);
    // Some disks say only now that they are full.
    await this.#file.close();
  }

  /** Leaves no empty file behind where nothing was bought. */
  async close(): Promise<void> {
    await this.#file.close().catch(() => {});
    if (this.#isNew && !this.#isWritten) await rm(this.#path, { force: true });
  }
}

export interface Targets {
  readonly out?: Target;
  readonly receipt?: Target;
}

export const closeAll = ({ out, receipt }: Targets) => Promise.all([out?.close(), receipt?.close()]);

export async function openTargets({ out, receipt }: TargetPaths): Promise<Targets> {
  if (out !== undefined && receipt !== undefined && resolve(out) === resolve(receipt))
    throw new BuyError('nothing was paid: --out and --receipt are the same file');
  const first: Targets = out === undefined ? {} : { out: await Target.open(out) };
  try {
    return receipt === undefined ? first : { ...first, receipt: await Target.open(receipt) };
  } catch (cause) {
    await closeAll(first);
    throw cause;
  }
}
