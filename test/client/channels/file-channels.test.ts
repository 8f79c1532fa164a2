import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChannelRecord, memoryChannels } from '@perpmeter/client';
import { fileStore } from '@perpmeter/client/file-store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'file-channels-'));
let path = '';
let files = 0;
beforeEach(() => {
  path = join(folder, `${files++}.jsonl`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const address = `0x${'a'.repeat(40)}`;
const record = (version: number, change: Partial<ChannelRecord> = {}): ChannelRecord => ({
  id: `0x${'1'.repeat(64)}`,
  version,
  network: 'eip155:8453',
  config: {
    payer: address,
    payerAuthorizer: address,
    receiver: address,
    receiverAuthorizer: address,
    token: address,
    withdrawDelay: 900,
    salt: `0x${'0'.repeat(64)}`,
  },
  origin: 'https://data.example.com',
  path: '/',
  charged: '0',
  signed: '0',
  counted: '0',
  funded: '0',
  deposited: '0',
  ...change,
});
const open = () => fileStore(path).channels ?? memoryChannels();

describe('channels in a file', () => {
  it('are read as they were saved, also without members that are no more', async () => {
    const store = open();
    const busy = { by: 'me', until: 5 };
    expect(await store.save(record(1, { signed: '5', busy }))).toBe(true);
    expect(await store.save(record(2, { signed: '9', busy: undefined }))).toBe(true);
    expect(await open().load()).toEqual([record(2, { signed: '9' })]);
    expect(statSync(`${path}.channels`).mode & 0o777).toBe(0o600);
  });

  it('two processes with the same version: one of them wins', async () => {
    const stores = Array.from({ length: 4 }, open);
    for (let version = 1; version <= 20; version++) {
      const saved = await Promise.all(
        stores.map((store, i) => store.save(record(version, { signed: `${version}${i}` }))),
      );
      expect(saved.filter((isSaved) => isSaved)).toHaveLength(1);
      const winner = saved.indexOf(true);
      for (const store of stores) expect((await store.load())[0]?.signed).toBe(`${version}${winner}`);
    }
  });

  it('a write that was cut off: the state before, and the next change holds', async () => {
    await open().save(record(1, { signed: '5' }));
    const kept = readFileSync(`${path}.channels`, 'utf8');
    appendFileSync(`${path}.channels`, '\n{"id":"0x1111","version":2,"sig');
    expect((await open().load())[0]?.signed).toBe('5');
    expect(await open().save(record(2, { signed: '7' }))).toBe(true);
    expect((await open().load())[0]?.signed).toBe('7');
    writeFileSync(`${path}.channels`, kept);
    expect((await open().load())[0]?.signed).toBe('5');
  });

  it('a version that does not follow: not saved', async () => {
    for (const store of [open(), memoryChannels()]) {
      expect(await store.save(record(2))).toBe(false);
      expect(await store.save(record(1))).toBe(true);
      expect(await store.save(record(1))).toBe(false);
      expect(await store.load()).toEqual([record(1)]);
    }
  });
});
