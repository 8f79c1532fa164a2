import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ChannelRecord, PaymentRecord } from '@perpmeter/client';
import { fileStore } from '@perpmeter/client/file-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileChannels } from '../../../packages/client/src/file-channels.ts';
import { bundle } from '../../bundle.ts';
import { until } from '../../until.ts';

const WORKER = new URL('./file-worker.ts', import.meta.url);
const SMALL = 2_000;
const address = `0x${'a'.repeat(40)}`;
const FIRST: ChannelRecord = {
  id: `0x${'1'.repeat(64)}`,
  version: 1,
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
  signed: '1',
  counted: '0',
  funded: '0',
  deposited: '0',
};

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-compaction-'));
  path = join(folder, 'channels.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that changes the channel. */
interface Changing {
  readonly child: ChildProcess;
  /** The newest version of which it has heard that it is saved. */
  readonly told: () => number;
  readonly errors: () => string;
  /** Its exit code, null where it was killed. */
  readonly ended: Promise<number | null>;
}

async function changing(times: number): Promise<Changing> {
  const child = spawn(process.execPath, [await bundle(WORKER), path, String(times)]);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let newest = 0;
  let said = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    newest = Number(line);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return { child, told: () => newest, errors: () => said, ended };
}
const newestOf = async () => (await new FileChannels(path, SMALL).load())[0];
const drafts = () => readdirSync(folder).filter((name) => name.includes('.draft-'));

describe('a file of channels that has grown', () => {
  it('is compacted to the newest record of each channel, for all readers', async () => {
    const other = new FileChannels(path, SMALL);
    const channels = new FileChannels(path, SMALL);
    const second = { ...FIRST, id: `0x${'2'.repeat(64)}` };
    await channels.save(FIRST);
    await channels.save(second);
    expect(await other.load()).toEqual([FIRST, second]);
    for (let version = 2; version <= 120; version++)
      expect(await channels.save({ ...FIRST, version, signed: String(version) })).toBe(true);
    expect(statSync(path).size).toBeLessThan(4 * SMALL);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const newest = [{ ...FIRST, version: 120, signed: '120' }, second];
    expect(await newestOf()).toEqual(newest[0]);
    expect(await other.load()).toEqual(newest);
    expect(await other.save({ ...FIRST, version: 120 })).toBe(false);
    expect(await other.save({ ...FIRST, version: 121, signed: '121' })).toBe(true);
    expect((await channels.load())[0]).toMatchObject({ version: 121, signed: '121' });
  });

  it('a compaction that was cut off: the file stays, its draft is removed', async () => {
    await new FileChannels(path, SMALL).save(FIRST);
    writeFileSync(`${path}.draft-dead`, '{"id":"0x11');
    utimesSync(`${path}.draft-dead`, 1, 1);
    expect(await new FileChannels(path, SMALL).save({ ...FIRST, version: 2 })).toBe(true);
    expect([drafts(), (await newestOf())?.version]).toEqual([[], 2]);
  });

  it.each([
    ['shorter', 30, 31],
    ['longer', 3, 40],
  ])('compacted into a file of the same number, %s: read anew', async (_, idleAt, newest) => {
    const idle = new FileChannels(path);
    await idle.save(FIRST);
    const change = (version: number) => ({ ...FIRST, version, signed: String(version) });
    for (let version = 2; version <= idleAt; version++) await idle.save(change(version));
    const readTo = statSync(path).size;
    const elsewhere = join(folder, 'elsewhere.jsonl');
    copyFileSync(path, elsewhere);
    const busy = new FileChannels(elsewhere, 1_000);
    for (let version = idleAt + 1; version <= newest; version++) await busy.save(change(version));
    const { ino } = statSync(path);
    // File systems give the number of a removed file to the next one: here the same file gets the text of another.
    writeFileSync(path, readFileSync(elsewhere));
    expect([statSync(path).ino, statSync(path).size > readTo]).toEqual([ino, newest === 40]);
    expect(await idle.load()).toEqual([change(newest)]);
    expect(await idle.save(change(newest))).toBe(false);
    expect(await idle.save(change(newest + 1))).toBe(true);
    expect((await new FileChannels(path).load())[0]).toEqual(change(newest + 1));
  });

  it('a compacted file of an older build: read and changed', async () => {
    const line = { ...FIRST, version: 7, signed: '7', save: 'ab', before: ['aa'] };
    writeFileSync(path, `${JSON.stringify(line)}\n`);
    const channels = new FileChannels(path, SMALL);
    expect(await channels.load()).toEqual([{ ...FIRST, version: 7, signed: '7' }]);
    expect(await channels.save({ ...FIRST, version: 8, signed: '8' })).toBe(true);
  });

  it('three processes change it at once: no change is lost, none holds twice', async () => {
    await new FileChannels(path, SMALL).save(FIRST);
    const all = await Promise.all([changing(60), changing(60), changing(60)]);
    for (const { ended, errors } of all) expect([await ended, errors()]).toEqual([0, '']);
    expect(await newestOf()).toMatchObject({ version: 181, signed: '181' });
    expect(statSync(path).size).toBeLessThan(8 * SMALL);
  });

  it('killed at any moment: what was said to be saved is there', async () => {
    await new FileChannels(path, SMALL).save(FIRST);
    for (let kill = 1; kill <= 4; kill++) {
      const { child, told, ended } = await changing(1_000_000);
      const before = (await newestOf())?.version ?? 0;
      await until(() => expect(told()).toBeGreaterThan(before + 7 * kill));
      child.kill('SIGKILL');
      await ended;
      const newest = await newestOf();
      expect(newest?.version).toBeGreaterThanOrEqual(told());
      expect(newest?.signed).toBe(String(newest?.version));
      for (const draft of drafts()) utimesSync(join(folder, draft), 1, 1);
    }
  });
});

describe('a file of payments that has grown', () => {
  const payment = (n: number, state: PaymentRecord['state']): PaymentRecord => ({
    nonce: `0x${n}`,
    at: n,
    amount: '1000',
    path: '/v1/assets',
    network: 'eip155:8453',
    asset: address,
    payTo: address,
    state,
  });

  it('a draft was left beside it: removed, and compacted all the same', async () => {
    const file = join(folder, 'payments.jsonl');
    const texts = Array.from({ length: 40 }, (_, n) => `${JSON.stringify(payment(n % 20, 'bought'))}\n`);
    writeFileSync(file, texts.join(''));
    const { size } = statSync(file);
    writeFileSync(`${file}.draft-dead`, '{"nonce"');
    utimesSync(`${file}.draft-dead`, 1, 1);
    expect(await fileStore(file, SMALL).load()).toHaveLength(20);
    expect(drafts()).toEqual([]);
    expect(statSync(file).size).toBeLessThan(size * 0.6);
  });

  it('another process saves while it is compacted: nothing is lost', async () => {
    const file = join(folder, 'payments.jsonl');
    const saver = fileStore(file, SMALL);
    let isSaving = true;
    const reading = (async () => {
      while (isSaving) await fileStore(file, 1).load();
    })();
    for (let n = 0; n < 10; n++)
      for (const state of ['signing', 'bought'] as const) await saver.save(payment(n, state));
    isSaving = false;
    await reading;
    const all = Array.from({ length: 10 }, (_, n) => payment(n, 'bought'));
    expect(await fileStore(file, SMALL).load()).toEqual(all);
  });

  it('is compacted when it is read: the newest record of each payment', async () => {
    const file = join(folder, 'payments.jsonl');
    const store = fileStore(file, SMALL);
    for (let n = 0; n < 20; n++)
      for (const state of ['signing', 'bought'] as const) await store.save(payment(n, state));
    const { size } = statSync(file);
    const newest = Array.from({ length: 20 }, (_, n) => payment(n, 'bought'));
    expect(await fileStore(file, SMALL).load()).toEqual(newest);
    expect(statSync(file).size).toBeLessThan(size * 0.6);
    await store.save(payment(20, 'bought'));
    expect(await fileStore(file, SMALL).load()).toHaveLength(21);
    expect(existsSync(`${file}.draft-`)).toBe(false);
  });
});
