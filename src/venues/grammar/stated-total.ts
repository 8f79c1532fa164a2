import { isWire, readNumber } from '../../domain/read.ts';

/** Reads how many rows there are in all from a field of an answer's `data`; undefined where no count stands there. */
export const statedTotal =
  (field: string) =>
  (payload: unknown): number | undefined => {
    if (!isWire(payload) || !isWire(payload.data)) return undefined;
    const total = readNumber(payload.data[field]);
    return total !== undefined && Number.isInteger(total) && total >= 0 ? total : undefined;
  };
