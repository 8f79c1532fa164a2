import { readSync } from 'node:fs';

/**
 * The data file of LMDB in the form that lmdb-js 3 writes it (LMDB 1.0, `MDB_DATA_VERSION` 2, 64 bits, little
 * endian): pages of one size, of which the first two are headers of what the newest two transactions left.
 * Layouts: `MDB_meta`, `MDB_page_header`, `MDB_node`, `MDB_db` and `MDB_ovpage` of LMDB's mdb.c.
 */
const MAGIC = 0xbe_ef_c0_de;
const DATA_VERSION = 2;
const PAGE_HEADER_BYTES = 24;
const META_BYTES = 152;
const NODE_HEADER_BYTES = 8;
/** Offset of the root in the record of a tree. */
const TREE_ROOT_AT = 40;
const TREE_BYTES = 48;
const NO_PAGE = 0xff_ff_ff_ff_ff_ff_ff_ffn;

const PAGE = { branch: 0x01, leaf: 0x02, overflow: 0x04, meta: 0x08, fixedKeys: 0x20 } as const;
const NODE = { isOnOverflowPages: 0x01, isTree: 0x02 } as const;
/** lmdb-js sets it in the header of a transaction that it commits before its pages have reached the disk. */
const OVERLAPPING_SYNC = 0x1000;

/** The state that one transaction left. */
export interface Meta {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: bigint;
  /** First part of the boot id of the machine that wrote it. */
  readonly boot: bigint;
  /** Its pages may have reached the disk later than this header, or not at all. */
  readonly syncsLater: boolean;
  /** Roots of the tree of free pages and of the tree of tables; undefined = empty. */
  readonly roots: readonly (number | undefined)[];
}

/** The states that a file has headers of. */
export interface Metas {
  readonly first: Meta;
  readonly second: Meta;
  /** The last state that is known to have reached the disk, which lmdb-js notes apart; transaction 0 = none. */
  readonly flushed: Meta;
}

/** The pages that a page of a tree leads to. */
export interface TreePage {
  readonly children: readonly number[];
  /** First page and count of what does not fit into a page. */
  readonly overflows: readonly (readonly [page: number, count: number])[];
}

/** The file is not as LMDB leaves it; the message says where. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

/** Reads bytes of the file; throws `DamagedFile` where it ends before them. */
function read(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (readSync(file, bytes, 0, length, at) < length) {
    throw new DamagedFile(`it ends before byte ${at + length}`);
  }
  return bytes;
}

function pageNumber(bytes: Buffer, at: number): number | undefined {
  const stated = bytes.readBigUInt64LE(at);
  return stated === NO_PAGE ? undefined : Number(stated);
}

function metaAt(file: number, at: number): Meta {
  const bytes = read(file, at, META_BYTES);
  const free = 24;
  const tables = free + TREE_BYTES;
  return {
    pageSize: bytes.readUInt32LE(free),
    syncsLater: (bytes.readUInt16LE(free + 4) & OVERLAPPING_SYNC) !== 0,
    roots: [free, tables].map((tree) => pageNumber(bytes, tree + TREE_ROOT_AT)),
    lastPage: Number(bytes.readBigUInt64LE(tables + TREE_BYTES)),
    transaction: bytes.readBigUInt64LE(tables + TREE_BYTES + 8),
    boot: bytes.readBigInt64LE(tables + TREE_BYTES + 16),
  };
}

function headerAt(file: number, at: number): Meta {
  const bytes = read(file, at, 8);
  if (bytes.readUInt32LE(0) !== MAGIC) throw new DamagedFile(`byte ${at} does not begin a header of LMDB`);
  const version = bytes.readUInt32LE(4);
  if (version !== DATA_VERSION) throw new DamagedFile(`its format is ${version}, not ${DATA_VERSION}`);
  return metaAt(file, at);
}

/** Reads the headers. Throws `DamagedFile`. */
export function readMetas(file: number): Metas {
  const first = headerAt(file, PAGE_HEADER_BYTES);
  const { pageSize } = first;
  const isPageSize = pageSize >= 512 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0;
  if (!isPageSize) throw new DamagedFile(`it states pages of ${pageSize} bytes`);
  for (const page of [0, 1]) {
    const flags = read(file, page * pageSize, PAGE_HEADER_BYTES).readUInt16LE(18);
    if ((flags & PAGE.meta) === 0) throw new DamagedFile(`page ${page} is no header`);
  }
  const second = headerAt(file, pageSize + PAGE_HEADER_BYTES);
  // Half a page after the first header, without the magic number: `mdb_env_write_meta` begins behind it.
  return { first, second, flushed: metaAt(file, PAGE_HEADER_BYTES + pageSize / 2) };
}

/** Reads a page of a tree, and throws `DamagedFile` where it is none, or leads out of itself. */
export function readTreePage(file: number, page: number, { pageSize, lastPage }: Meta): TreePage {
  if (page < 2 || page > lastPage) throw new DamagedFile(`it leads to page ${page} of ${lastPage}`);
  const bytes = read(file, page * pageSize, pageSize);
  const flags = bytes.readUInt16LE(18);
  const kind = flags & (PAGE.branch | PAGE.leaf | PAGE.overflow | PAGE.meta);
  if (pageNumber(bytes, 0) !== page || (kind !== PAGE.branch && kind !== PAGE.leaf)) {
    throw new DamagedFile(`page ${page} is no page of a table`);
  }
  if ((flags & PAGE.fixedKeys) !== 0) return { children: [], overflows: [] };
  const children: number[] = [];
  const overflows: [number, number][] = [];
  for (const at of nodesOf(bytes, page)) {
    if (kind === PAGE.branch) children.push(childAt(bytes, at));
    else followLeaf(bytes, at, page, { children, overflows });
  }
  return { children, overflows };
}

function nodesOf(bytes: Buffer, page: number): readonly number[] {
  const lower = bytes.readUInt16LE(20);
  const upper = bytes.readUInt16LE(22);
  if (lower > upper || PAGE_HEADER_BYTES + upper > bytes.length) throw outOfBounds(page);
  const nodes = Array.from(
    { length: lower >> 1 },
    (_, i) => PAGE_HEADER_BYTES + bytes.readUInt16LE(PAGE_HEADER_BYTES + i * 2),
  );
  const isWithin = (at: number): boolean => {
    if (at < PAGE_HEADER_BYTES + upper || at + NODE_HEADER_BYTES > bytes.length) return false;
    return at + NODE_HEADER_BYTES + bytes.readUInt16LE(at + 6) <= bytes.length;
  };
  if (!nodes.every(isWithin)) throw outOfBounds(page);
  return nodes;
}

const outOfBounds = (page: number): DamagedFile => new DamagedFile(`page ${page} leads out of itself`);

/** A branch states the child in 48 bits, the highest in the place of flags. */
const childAt = (bytes: Buffer, at: number): number =>
  bytes.readUInt32LE(at) + bytes.readUInt16LE(at + 4) * 2 ** 32;

function followLeaf(
  bytes: Buffer,
  at: number,
  page: number,
  found: { readonly children: number[]; readonly overflows: [number, number][] },
): void {
  const flags = bytes.readUInt16LE(at + 4);
  const value = at + NODE_HEADER_BYTES + bytes.readUInt16LE(at + 6);
  const isElsewhere = (flags & NODE.isOnOverflowPages) !== 0;
  if (value + (isElsewhere ? PAGE_HEADER_BYTES : bytes.readUInt32LE(at)) > bytes.length)
    throw outOfBounds(page);
  if (isElsewhere) {
    overflows(bytes, value, found.overflows);
    return;
  }
  if ((flags & NODE.isTree) === 0) return;
  const root = pageNumber(bytes, value + TREE_ROOT_AT);
  if (root !== undefined) found.children.push(root);
}

function overflows(bytes: Buffer, at: number, found: [number, number][]): void {
  found.push([Number(bytes.readBigUInt64LE(at)), Number(bytes.readBigUInt64LE(at + 16))]);
}

/** Throws `DamagedFile` where these are no pages of one long value. */
export function checkOverflow(file: number, page: number, count: number, meta: Meta): void {
  if (page < 2 || count < 1 || page + count - 1 > meta.lastPage) {
    throw new DamagedFile(`it leads to pages ${page} and ${count - 1} more of ${meta.lastPage}`);
  }
  const header = read(file, page * meta.pageSize, PAGE_HEADER_BYTES);
  const isOverflow = (header.readUInt16LE(18) & PAGE.overflow) !== 0;
  if (pageNumber(header, 0) !== page || !isOverflow) throw new DamagedFile(`page ${page} begins no value`);
  read(file, (page + count) * meta.pageSize - 1, 1);
}
