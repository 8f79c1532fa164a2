import type { Poll } from './adapter.ts';
import type { BackfillEndpoint } from './backfill-endpoint.ts';
import type { SecondWay } from './second-way.ts';
import type { Stream } from './stream.ts';

/** 1,024 bytes. */
export const KIB = 1024;
const MIB = 1024 * KIB;

/** No answer is read beyond this, whatever is declared, bytes. */
export const MAX_ANSWER_BYTES = 16 * MIB;
/** An answer may be as many times as large as a normal one. */
const MARGIN = 4;

/**
 * Upper bounds of an ordinary answer of each kind, bytes: a list of all contracts (1.3 to 1.6 MB at Gate,
 * KuCoin and Paradex), an answer about one contract (a few rows), a book (thousands of levels a side), a page
 * of history.
 */
const NORMAL_BYTES = { list: 2 * MIB, contract: 256 * KIB, book: 512 * KIB, page: MIB };
/** A row of the past has at most so many bytes, names included. */
const POINT_BYTES = 256;

const boundOf = (normalBytes: number): number => Math.min(MAX_ANSWER_BYTES, MARGIN * normalBytes);

/** Largest answer about all contracts that is read where the venue declares no size, bytes. */
export const LIST_BOUND = boundOf(NORMAL_BYTES.list);

/** Largest snapshot of a book that is read, bytes. */
export const BOOK_BOUND = boundOf(NORMAL_BYTES.book);

/** Largest answer to a request of this poll that is read, decompressed, bytes. */
export function pollBound({ normalBytes, spread }: Pick<Poll, 'normalBytes' | 'spread'>): number {
  return boundOf(normalBytes ?? (spread === true ? NORMAL_BYTES.contract : NORMAL_BYTES.list));
}

/** No frame of a socket is read beyond this, also after unpacking, bytes. */
export const MAX_FRAME_BYTES = 4 * MIB;

/** Largest frame of this stream that is read, unpacked, bytes. */
export function frameBound({ normalBytes }: Pick<Stream, 'normalBytes'>): number {
  return normalBytes === undefined ? MAX_FRAME_BYTES : Math.min(MAX_FRAME_BYTES, MARGIN * normalBytes);
}

/** Largest page of this endpoint that is read, decompressed, bytes: by the points that it may have. */
export function pageBound({ points }: Pick<BackfillEndpoint, 'points'>): number {
  return boundOf(Math.max(NORMAL_BYTES.page, points * POINT_BYTES));
}

/** Largest answer of a second way that is read, decompressed, bytes; one contract's may be a page of the past. */
export function secondWayBound({ isBulk, beside }: Pick<SecondWay, 'isBulk' | 'beside'>): number {
  return boundOf(isBulk === true || beside !== undefined ? NORMAL_BYTES.list : NORMAL_BYTES.page);
}
