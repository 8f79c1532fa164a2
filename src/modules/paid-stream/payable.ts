import { isPaid } from './meter.ts';
import type { OpenStream } from './reader.ts';
import type { StreamStore } from './stream-store.ts';

/** The streams that are to be looked at: one that is used up waits for its payment, and its books are not read meanwhile. */
export const payable = (
  streams: Iterable<OpenStream>,
  store: Pick<StreamStore, 'find'>,
  now: number,
): readonly OpenStream[] =>
  [...streams].filter(({ phase, record: { id, selection } }) => {
    if (phase !== 'unpaid') return true;
    const stored = store.find(id);
    return stored !== undefined && (stored.untold > 0 || isPaid(stored.meter, selection.uses, now));
  });
