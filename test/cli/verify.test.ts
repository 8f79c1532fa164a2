import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/domain/canonical-json.ts';
import { asMs } from '../../src/domain/units.ts';
import { signJws } from '../../src/modules/receipts/jws.ts';
import { keyDocument } from '../../src/modules/receipts/key-document.ts';
import { readPublicJwk } from '../../src/modules/receipts/signing-keys.ts';
import { runCli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'verify-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const jwk = readPublicJwk(publicKey.export({ format: 'jwk' }));
if (jwk === undefined) throw new Error('no key');
const signer = { id: 'one', from: asMs(0), until: undefined, jwk, secret: undefined };
const keys = keyDocument('did:web:data.example.com', [signer]);
const keyId = 'did:web:data.example.com#one';
const issued_at = '2026-11-22T12:00:00.000Z';
const BODY = '{"b":1,"a":2}';
const words = { version: 1, issued_at, body_sha256: sha256(BODY), json_sha256: sha256('{"a":2,"b":1}') };
const receipt = signJws(words, { keyId, type: 'perpmeter-receipt' }, privateKey);
// The tree of one receipt is its leaf.
const root_sha256 = createHash('sha256').update(Buffer.of(0)).update(receipt).digest('hex');
const statement = {
  version: 1,
  day: '2026-11-22',
  size: 1,
  root_sha256,
  issued_at: '2026-11-23T00:05:00.000Z',
};
const root = signJws(statement, { keyId, type: 'perpmeter-root' }, privateKey);

const answerFile = file('answer.json', BODY);
const receiptFile = file('receipt.json', { receipt, keys });
const keysFile = file('did.json', keys);

describe('perpmeter verify', () => {
  it('an answer, its receipt and its inclusion: verified with keys', async () => {
    const proof = file('proof.json', { index: 0, path: [], root });
    const run = await runCli(['verify', answerFile, receiptFile, '--keys', keysFile, '--proof', proof]);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(JSON.parse(run.stdout)).toMatchObject({
      verified: true,
      by: 'bytes',
      keys: 'given',
      receipt: { issued_at },
      root: { day: '2026-11-22' },
    });
  });

  it('takes a bare receipt, and says what keys beside a receipt are worth', async () => {
    const bare = await runCli([
      'verify',
      answerFile,
      file('receipt.txt', `${receipt}\n`),
      '--keys',
      keysFile,
    ]);
    expect(bare.code).toBe(0);
    const own = await runCli(['verify', answerFile, receiptFile]);
    expect([own.code, own.stderr]).toMatchObject([0, expect.stringContaining('--keys')]);
  });

  it('refuses with the reason, and says which file cannot be read', async () => {
    const other = file('other.json', '{"b":1,"a":3}');
    const refused = await runCli(['verify', other, receiptFile, '--keys', keysFile]);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('other_answer: The answer is not the one that was sold');
    const missing = await runCli(['verify', join(folder, 'none'), receiptFile]);
    expect([missing.code, missing.stderr]).toMatchObject([2, expect.stringContaining('none')]);
    const help = await runCli(['verify', '--help']);
    expect(help.stdout).toContain('Exit code: 0 verified, 1 refused');
  });
});

describe('perpmeter rotate-receipt-key', () => {
  it('puts a key behind the one there, and fails where there is none', async () => {
    const none = await runCli(['rotate-receipt-key', '--data-dir', folder]);
    expect(none.code).toBe(1);
    const key = privateKey.export({ format: 'jwk' });
    const path = file('receipt-keys.json', { version: 1, keys: [{ from: issued_at, key }] });
    const run = await runCli(['rotate-receipt-key', '--data-dir', folder]);
    expect([run.code, run.stdout]).toMatchObject([0, expect.stringMatching(/^[\w-]{11} signs from /)]);
    const after = JSON.parse(readFileSync(path, 'utf8'));
    expect(after.keys.map(({ until }: { until?: string }) => until)).toEqual([after.keys[1].from, undefined]);
  });

  it('a missing file: made for its owner, and rotated the next time', async () => {
    const path = join(folder, 'made/receipt-keys.json');
    const create = ['rotate-receipt-key', '--create', '--receipt-keys', path];
    const made = await runCli(create);
    expect([made.code, made.stdout]).toMatchObject([
      0,
      expect.stringMatching(/^[\w-]{11} signs from now on/),
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const rotated = await runCli(create);
    expect([rotated.code, rotated.stdout]).toMatchObject([0, expect.stringMatching(/ signs from 20/)]);
    expect(JSON.parse(readFileSync(path, 'utf8')).keys).toHaveLength(2);
  });
});
