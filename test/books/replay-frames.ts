import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { rigOf } from './book-rig.ts';
import { PlainBook, type PlainLevels } from './plain-book.ts';

/** Replays a session without one of its frames, beside the plainest book there is. */
export function replay(adapter: VenueAdapter, symbol: string, frames: readonly string[], skip?: number) {
  const rig = rigOf(adapter, symbol);
  const plain = new PlainBook();
  for (const [i, frame] of frames.entries()) {
    if (i === skip) continue;
    rig.push(frame);
    for (const update of rig.decode(JSON.parse(frame)).books) {
      if (update.kind === 'snapshot') plain.replace(update);
      else plain.apply(update);
    }
  }
  return { rig, plain, breaks: rig.books.stats().breaks };
}

/** The frame with another text in it. */
export function edited(frame: string | undefined, from: string, to: string): string {
  if (frame?.includes(from) !== true) throw new Error(`no ${from} in the frame`);
  return frame.replace(from, to);
}

/** The change with other numbers. */
export function renumbered(frame: string, key: string, number: number): string {
  const pattern = new RegExp(`"${key}":\\d+`);
  if (!pattern.test(frame)) throw new Error(`no ${key} in the frame`);
  return frame.replace(pattern, `"${key}":${number}`);
}

/** Frames that may be left out in turn: enough of them, evenly spread. */
export function spread(count: number, from: number): number[] {
  const step = Math.max(1, Math.floor((count - from) / 25));
  return Array.from({ length: count }, (_, i) => i).filter(
    (i) => i >= from && i < count - 1 && i % step === 0,
  );
}

/** The best levels of each side. */
export const best = (levels: PlainLevels | undefined, count = 3) => ({
  bids: levels?.bids.slice(0, count),
  asks: levels?.asks.slice(0, count),
});
