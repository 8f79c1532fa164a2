import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { randomHex } from './payment.ts';

/** A draft is made within milliseconds: one that is older was left behind. */
const STALE_MS = 2_000;
const POLL_MS = 10;

/** Paths of the drafts that may take the place of a file. */
async function draftsOf(path: string): Promise<readonly string[]> {
  const folder = dirname(path);
  const prefix = `${basename(path)}.draft-`;
  return (await readdir(folder)).filter((name) => name.startsWith(prefix)).map((name) => join(folder, name));
}

/** Removes drafts whose process has ended, or hangs: they can be renamed no more. */
async function removeStale(drafts: readonly string[]): Promise<void> {
  for (const draft of drafts) {
    const at = await stat(draft).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Math.abs(Date.now() - at) > STALE_MS) await rm(draft, { force: true });
  }
}

/**
 * Waits until no draft that was begun before now can take the place of a file any more. One whose process has ended, or hangs, is
 * removed: it can be renamed no more, and the file stays.
 */
export async function awaitDrafts(path: string): Promise<void> {
  for (;;) {
    const drafts = await draftsOf(path);
    if (drafts.length === 0) return;
    await removeStale(drafts);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** False where another file has taken the place of an open one, whose number nobody else has while it is open. */
export async function isInPlace(file: FileHandle, path: string): Promise<boolean> {
  const [own, placed] = await Promise.all([
    file.stat({ bigint: true }),
    stat(path, { bigint: true }).catch(() => undefined),
  ]);
  return own.ino === placed?.ino;
}

/** Makes the names in the folder of a file survive a loss of power, where the system can do that. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/**
 * Puts a whole new text in the place of a file: by a draft beside it and one rename, so that a process that is cut off leaves one of both.
 * The draft is the lock, too: who appends looks for one after its write (`awaitDrafts`), so that the text, which is read after
 * the draft is there, has all that nobody waits for.
 *
 * @param textOf reads what the file holds, and makes the new text of it
 * @returns false, with the file as it was, where another process does the same, or the file cannot be replaced
 */
export async function replaceFile(path: string, textOf: () => Promise<string>): Promise<boolean> {
  const draft = `${path}.draft-${randomHex(8)}`;
  try {
    // A draft that was left would be taken for another process for ever.
    await removeStale(await draftsOf(path));
    const file = await open(draft, 'wx', 0o600);
    try {
      if ((await draftsOf(path)).length > 1) return false;
      await file.writeFile(await textOf());
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    await syncFolder(path);
    return true;
  } catch {
    return false;
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}
