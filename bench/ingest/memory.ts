import { openBooks } from './ours.ts';
import type { Session } from './session.ts';

const COPIES = 200;

function used(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Memory of one kept book of a session, measured over many copies of it. */
export async function bookMemory(session: Session): Promise<string> {
  const name = `memory per book, ${session.name}:`.padEnd(34);
  if (globalThis.gc === undefined) return `${name}not measured (needs --expose-gc)`;
  const before = used();
  const kept = [];
  for (let copy = 0; copy < COPIES; copy++) {
    const opened = await openBooks(session);
    for (const [i, frame] of session.frames.entries()) opened.take(frame, session.times[i] ?? 0);
    kept.push(opened);
  }
  const books = kept.length * session.symbols.length;
  const bytes = (used() - before) / books;
  const levels = kept.reduce((sum, { store }) => sum + store.memory().levels, 0) / books;
  return `${name}${(bytes / 1024).toFixed(1)} KiB for ${Math.round(levels)} levels`;
}
