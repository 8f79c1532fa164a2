import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lmdbDamage } from '../../src/storage/lmdb-check.ts';
import { runCli } from '../cli/run-cli.ts';
import { restoreDump } from './dumped-stores.ts';

const PAGE = 4096;
const RAW = { encoding: 'binary', keyEncoding: 'binary' } as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'damaged-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (): string => join(folder, 'data.mdb');

/** Two tables with values on pages and beyond, and pages that are free again. */
async function filledStore(): Promise<void> {
  const root = open<Buffer, Buffer>({ path: folder, noSubdir: false, maxDbs: 2, ...RAW });
  const small = root.openDB<Buffer, Buffer>({ name: 'small', ...RAW });
  const large = root.openDB<Buffer, Buffer>({ name: 'large', ...RAW });
  root.transactionSync(() => {
    for (let i = 0; i < 2000; i += 1) small.putSync(Buffer.from(`key ${i}`), Buffer.alloc(100, i % 256));
    for (let i = 0; i < 50; i += 1) large.putSync(Buffer.from(`key ${i}`), Buffer.alloc(5000 + i, i));
  });
  root.transactionSync(() => {
    for (let i = 0; i < 900; i += 1) small.removeSync(Buffer.from(`key ${i * 2}`));
  });
  await root.close();
}

/** Pages of one kind, by the flags of their header. */
function pagesOf(kind: number): readonly number[] {
  const bytes = readFileSync(file());
  const pages = Array.from({ length: bytes.length / PAGE }, (_, page) => page);
  return pages.filter((page) => {
    const isOwn = Number(bytes.readBigUInt64LE(page * PAGE)) === page;
    return isOwn && page > 1 && (bytes.readUInt16LE(page * PAGE + 18) & kind) !== 0;
  });
}

function overwrite(at: number, bytes: Buffer): void {
  const all = readFileSync(file());
  bytes.copy(all, at);
  writeFileSync(file(), all);
}

describe('a data file of LMDB', () => {
  it('whole, empty or missing: no damage', async () => {
    expect(lmdbDamage(file())).toBeUndefined();
    await filledStore();
    expect(lmdbDamage(file())).toBeUndefined();
    truncateSync(file(), 0);
    expect(lmdbDamage(file())).toBeUndefined();
  });

  it('while it is written: no damage', async () => {
    const root = open<Buffer, Buffer>({ path: folder, noSubdir: false, maxDbs: 2, ...RAW });
    for (let i = 0; i < 300; i += 1) {
      const written = root.put(Buffer.from(`key ${i % 7}`), Buffer.alloc(20_000, i));
      expect(lmdbDamage(file())).toBeUndefined();
      await written;
    }
    await root.close();
  });

  it('cut off anywhere in what is used: damage', async () => {
    await filledStore();
    const whole = readFileSync(file());
    const last = Math.max(...pagesOf(0x03));
    for (const bytes of [1, 100, PAGE, 2 * PAGE, 7 * PAGE + 5, last * PAGE, last * PAGE + PAGE - 1]) {
      writeFileSync(file(), whole.subarray(0, bytes));
      expect(lmdbDamage(file()), `${bytes} bytes`).toBeDefined();
    }
  });

  it.each([
    ['the magic number', 24],
    ['the version', 28],
    ['the page size', 48],
    ['the second header', PAGE + 24],
  ])('%s written over: damage', async (_what, at) => {
    await filledStore();
    overwrite(at, Buffer.from([0x11, 0x22, 0x33]));
    expect(lmdbDamage(file())).toBeDefined();
  });

  it.each([
    ['a branch', 0x01],
    ['a leaf', 0x02],
  ])('%s written over by another page: damage', async (_what, kind) => {
    await filledStore();
    const whole = readFileSync(file());
    const found = pagesOf(kind).filter((page) => {
      const other = page === 2 ? 3 : 2;
      overwrite(page * PAGE, whole.subarray(other * PAGE, (other + 1) * PAGE));
      const damage = lmdbDamage(file());
      writeFileSync(file(), whole);
      return damage !== undefined;
    });
    // Pages of a state before the last are free, and may hold anything.
    expect(found.length).toBeGreaterThan(0);
  });

  it('the first page of a long value written over: damage', async () => {
    await filledStore();
    const [first = 0] = pagesOf(0x04);
    overwrite(first * PAGE, Buffer.alloc(PAGE, 0xab));
    expect(lmdbDamage(file())).toBe(`page ${first} begins no value`);
  });

  it.each([
    ['the end of its nodes before their begin', 22, 1],
    ['a node beyond the page', 24, 0xffff],
  ])('a leaf with %s: damage', async (_what, at, value) => {
    await filledStore();
    const whole = readFileSync(file());
    const written = Buffer.alloc(2);
    written.writeUInt16LE(value);
    const found = pagesOf(0x02).map((page) => {
      overwrite(page * PAGE + at, written);
      const damage = lmdbDamage(file());
      writeFileSync(file(), whole);
      return damage === `page ${page} leads out of itself`;
    });
    expect(found).toContain(true);
  });

  it('pages that lead in a circle: damage', async () => {
    await filledStore();
    const [branch = 0] = pagesOf(0x01).slice(-1);
    const node = 24 + readFileSync(file()).readUInt16LE(branch * PAGE + 24);
    const self = Buffer.alloc(4);
    self.writeUInt32LE(branch);
    overwrite(branch * PAGE + node, self);
    expect(lmdbDamage(file())).toBeDefined();
  });
});

/** Offsets in a header, from its page: what a state is of, and where its tables begin. */
const HEADER = { transaction: 24 + 128, boot: 24 + 136, tables: 24 + 24 + 48 + 40 } as const;

/** A store whose newest state leads nowhere, as one that had not reached the disk; the state before it is whole. */
async function halfWrittenStore(): Promise<void> {
  const root = open<number, number>({ path: folder, noSubdir: false });
  for (const value of [1, 2]) {
    await root.put(1, value);
    await root.flushed;
  }
  await root.close();
  const bytes = readFileSync(file());
  const transactions = [0, 1].map((page) => bytes.readBigUInt64LE(page * PAGE + HEADER.transaction));
  const newest = Number((transactions[1] ?? 0n) > (transactions[0] ?? 0n));
  bytes.writeBigUInt64LE((transactions[newest] ?? 0n) + 1n, newest * PAGE + HEADER.transaction);
  bytes.writeBigUInt64LE(9_999_999n, newest * PAGE + HEADER.tables);
  writeFileSync(file(), bytes);
}

/** Has the headers be of another start of the machine. */
function restartMachine(): void {
  for (const page of [0, 1]) overwrite(page * PAGE + HEADER.boot, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]));
}

describe('a state that had not reached the disk', () => {
  it('after a start of the machine: no damage, and LMDB opens the one before', async () => {
    await halfWrittenStore();
    restartMachine();
    expect(lmdbDamage(file())).toBeUndefined();
    const root = open<number, number>({ path: folder, noSubdir: false });
    expect(root.get(1)).toBe(2);
    await root.close();
  });

  it('without one: damage', async () => {
    await halfWrittenStore();
    expect(lmdbDamage(file())).toContain('it leads to page 9999999');
  });
});

/** A service that would sell, of a venue that refuses every connection, over a facilitator that does. */
const SETTINGS = {
  VENUE_BASES: '{"binance":{"rest":"http://127.0.0.1:1","ws":"ws://127.0.0.1:1"}}',
  PAY_TO_ADDRESS: '0x1111111111111111111111111111111111111111',
  FACILITATOR_URL: 'http://127.0.0.1:1',
  BASE_URL: 'http://127.0.0.1:8402',
};

describe('a damaged store', () => {
  it.each(['ledger', 'market', 'backfill'])(
    '%s cut off: the start names it and the way out',
    async (name) => {
      await restoreDump('version-2', folder);
      truncateSync(join(folder, name, 'data.mdb'), 3 * PAGE);
      const args = ['serve', '--port', '0', '--venues', 'binance', '--data-dir', folder];
      const run = await runCli(args, { env: SETTINGS });
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(`in ${join(folder, name)} is damaged`);
      expect(run.stderr).toContain('move it aside and start with an empty one');
    },
  );
});
