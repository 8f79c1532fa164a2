/** Parameters of the socket's address that ask for binary frames: schema 1, version 1. */
export const SBE_QUERY = 'sbeSchemaId=1&sbeSchemaVersion=1';

const SCHEMA = 1;
const BOOK_EVENT = 3;
/** Block length, template, schema and version, two bytes each. */
const HEADER = 8;
/** Block length and count of a group, two bytes each. */
const GROUP_HEAD = 4;
/** Fixed part of a book message as of version 0; later versions append. */
const BOOK_BLOCK = 89;
/** Price and size. */
const LEVEL = 16;
/** Prices and sizes count 10^-8. */
const SCALE = 1e8;

interface Level {
  readonly side: 'BUY' | 'SELL';
  readonly price: number;
  readonly size: number;
}

interface Group {
  readonly levels: readonly Level[];
  readonly end: number;
}

/** Levels of one side. The lengths that the frame states count, not ours: what later versions append is skipped. */
function readGroup(view: DataView, at: number, side: Level['side']): Group {
  const length = view.getUint16(at, true);
  const count = view.getUint16(at + 2, true);
  const first = at + GROUP_HEAD;
  if (length < LEVEL && count > 0) throw new RangeError('short level');
  const levels = Array.from({ length: count }, (_, i) => {
    const from = first + i * length;
    const price = Number(view.getBigInt64(from, true)) / SCALE;
    return { side, price, size: Number(view.getBigInt64(from + 8, true)) / SCALE };
  });
  return { levels, end: first + count * length };
}

function readBook(view: DataView, block: number): unknown {
  if (block < BOOK_BLOCK) return undefined;
  const microseconds = view.getBigInt64(HEADER, true);
  const seq_no = Number(view.getBigInt64(HEADER + 8, true));
  const isWhole = view.getUint8(HEADER + 16) === 0;
  const bids = readGroup(view, HEADER + block, 'BUY');
  const asks = readGroup(view, bids.end, 'SELL');
  const named = asks.end + 1;
  const until = named + view.getUint8(asks.end);
  // The message may lie in a larger buffer.
  if (until > view.byteLength) return undefined;
  const name = new Uint8Array(view.buffer, view.byteOffset + named, until - named);
  const market = new TextDecoder().decode(name);
  const levels = [...bids.levels, ...asks.levels];
  // Nothing tells a new level from a changed one; a size of 0 takes one away.
  const parts = isWhole
    ? { inserts: levels, updates: [], deletes: [] }
    : {
        inserts: [],
        updates: levels.filter(({ size }) => size !== 0),
        deletes: levels.filter(({ size }) => size === 0),
      };
  const head = { seq_no, market, last_updated_at: Number(microseconds / 1000n) };
  const data = { ...head, update_type: isWhole ? 's' : 'd', ...parts };
  return { jsonrpc: '2.0', method: 'subscription', params: { channel: `order_book.${market}`, data } };
}

/**
 * A binary message of the public socket in the shape that its JSON had: SBE, little endian, schema 1 (paradex_1_0.xml
 * of tradeparadex/paradex-py). Frames do not name their channel. Messages other than books carry nothing that is
 * followed: they become an answer without data.
 *
 * @returns undefined where the message is of another schema, or cut
 */
export function readBinary(message: Uint8Array): unknown {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  try {
    if (view.getUint16(4, true) !== SCHEMA) return undefined;
    const template = view.getUint16(2, true);
    if (template === BOOK_EVENT) return readBook(view, view.getUint16(0, true));
    return { jsonrpc: '2.0', result: { template } };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
