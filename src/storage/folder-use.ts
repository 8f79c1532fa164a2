import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { wait } from '../runtime/timer.ts';
import { createOwner, isOwnerGone, isOwnersPlace } from './process-owner.ts';

const BEAT_MS = 2_000;
/** A process whose number says nothing here, since it runs in another container, shows by its beat that it is there. */
const LISTEN_MS = 3 * BEAT_MS;

const marksOf = (dataDir: string): string => join(dataDir, 'running');
const noteOf = (dataDir: string): string => join(dataDir, 'moved.json');

/**
 * Notes that this process works with what is embedded in a data folder, until it ends.
 *
 * @returns takes the note back
 */
export function markFolderInUse(dataDir: string): () => void {
  const mark = join(marksOf(dataDir), randomBytes(6).toString('hex'));
  const beat = setInterval(() => touch(mark), BEAT_MS).unref();
  try {
    mkdirSync(marksOf(dataDir), { recursive: true });
    for (const other of readMarks(dataDir)) if (isOwnerGone(other.owner)) rmSync(other.mark, { force: true });
    writeFileSync(mark, createOwner());
  } catch {
    // A full disk is no reason not to go on.
  }
  return () => {
    clearInterval(beat);
    rmSync(mark, { force: true });
  };
}

function touch(mark: string): void {
  try {
    const now = new Date();
    utimesSync(mark, now, now);
  } catch {
    // It could not be written, or somebody has removed it.
  }
}

/**
 * True if a process works with the embedded stores of a data folder.
 *
 * @param listen waits for longer than the beat of one that cannot be seen from here
 */
export async function isFolderInUse(
  dataDir: string,
  listen: () => Promise<void> = () => wait(LISTEN_MS),
): Promise<boolean> {
  if (!existsSync(marksOf(dataDir))) return false;
  const marks = readMarks(dataDir).filter(({ owner }) => !isOwnerGone(owner));
  if (marks.some(({ owner }) => isOwnersPlace(owner))) return true;
  const unseen = marks.map(({ mark }) => [mark, statSync(mark).mtimeMs] as const);
  if (unseen.length === 0) return false;
  await listen();
  return unseen.some(([mark, beat]) => existsSync(mark) && statSync(mark).mtimeMs !== beat);
}

function readMarks(dataDir: string): { readonly mark: string; readonly owner: string }[] {
  const paths = readdirSync(marksOf(dataDir)).map((name) => join(marksOf(dataDir), name));
  return paths.map((mark) => ({ mark, owner: readFileSync(mark, 'utf8') }));
}

/**
 * Notes where what a data folder holds was carried to: from then on it is not to be worked with.
 *
 * @param setting names the place in a configuration
 */
export function noteMoved(dataDir: string, place: string, setting: string): void {
  const note = { moved_to: place, setting, at: new Date().toISOString() };
  writeFileSync(noteOf(dataDir), `${JSON.stringify(note)}\n`);
}

/** The advice for a note; one of an earlier version names no setting. */
function wayThere(note: string): string {
  const { setting } = JSON.parse(readFileSync(note, 'utf8')) as { readonly setting?: string };
  return setting === undefined ? 'give this service that server' : `set ${setting}`;
}

/**
 * The reason for which a service must not open the embedded stores of a data folder; undefined where it may.
 */
export function refusalIfMoved(dataDir: string): string | undefined {
  const note = noteOf(dataDir);
  if (!existsSync(note)) return undefined;
  return (
    `the payments of ${dataDir} were carried to a server (${note} says where): ${wayThere(note)}. To sell from ` +
    'the folder again, make sure that nobody sells from the server, and remove that file'
  );
}
