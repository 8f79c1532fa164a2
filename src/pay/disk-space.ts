import { statfsSync } from 'node:fs';

/**
 * Payments under way may still have to write this much: their outcomes, and pages that are written again for
 * them.
 */
const ROOM_BYTES = 2 * 1024 * 1024;
/** Room that was found is believed for so long. */
const BELIEVED_MS = 50;

/**
 * Tells whether the disk of a folder has room for more than what is under way. A database finds pages of its own
 * on a full disk: a first write may then succeed, and the next one of the same payment fail, when its money has
 * moved.
 */
export class DiskSpace {
  readonly #folder: string;
  #until = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  hasSpace(): boolean {
    const now = performance.now();
    if (now < this.#until) return true;
    const { bavail, bsize } = statfsSync(this.#folder);
    if (bavail * bsize < ROOM_BYTES) return false;
    this.#until = now + BELIEVED_MS;
    return true;
  }
}
