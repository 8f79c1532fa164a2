import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { signJws } from '../../src/modules/receipts/jws.ts';
import { type KeyDocument, keyDocument, signerOf } from '../../src/modules/receipts/key-document.ts';
import { pathOf, rootOf } from '../../src/modules/receipts/merkle.ts';
import { ReceiptIssuer } from '../../src/modules/receipts/sale-receipts.ts';
import { KeyRing } from '../../src/modules/receipts/signing-keys.ts';
import {
  type Expected,
  type ReceiptFault,
  verifyProof,
  verifyReceipt,
} from '../../src/modules/receipts/verify-receipt.ts';
import { resourceHash } from '../../src/pay/payment.ts';
import { leafHash } from '../../src/pay/sale-log.ts';
import { claimedRecord } from '../../src/pay/transition.ts';
import { TRANSACTION } from './fakes.ts';
import { claimOf } from './ledger-claims.ts';

const BASE_URL = 'https://data.example.com';
const SIGNER = signerOf(BASE_URL);
const NOW = asMs(Date.UTC(2026, 10, 22, 12));
const RESOURCE = '/v1/perp/basis?ticker=BTC';
const SOURCES = 'binance,okx;bybit';
const BODY = Buffer.from('{"rows":[{"venue":"okx","basis":1.5}],"count":1}');

const folder = mkdtempSync(join(tmpdir(), 'receipts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const ring = (name: string): KeyRing => new KeyRing(join(folder, name), { now: () => asMs(NOW - 60_000) });
const keys = ring('keys.json');
const key = keys.at(NOW);
if (key === undefined) throw new Error('no key');
const KID = `${SIGNER}#${key.id}`;
const DOCUMENT = keyDocument(SIGNER, keys.keys);

const sale = {
  ...claimedRecord(
    { ...claimOf('sale'), resource: RESOURCE, resourceHash: resourceHash('GET', RESOURCE) },
    { now: NOW, owner: 'test' },
  ),
  state: 'settled' as const,
  settledAt: NOW,
  transaction: TRANSACTION,
};
const headers = {
  'content-type': 'application/json',
  'x-data-as-of': '2026-11-22T11:59:59.000Z',
  'x-data-sources': SOURCES,
};
const issued = new ReceiptIssuer({ keys, baseUrl: BASE_URL, routeTable: 'table' }).issue(sale, {
  status: 200,
  headers,
  body: BODY,
});
if (issued === undefined) throw new Error('no receipt');
const RECEIPT = issued.answer;
const [HEADER = '', PAYLOAD = '', SIGNATURE = ''] = RECEIPT.split('.');

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const said = JSON.parse(Buffer.from(PAYLOAD, 'base64url').toString()) as Record<string, unknown>;
/** The receipt with other words under the same signature. */
const withWords = (change: object): string => `${HEADER}.${encoded({ ...said, ...change })}.${SIGNATURE}`;
const withHeader = (change: object): string =>
  `${encoded({ alg: 'EdDSA', kid: KID, typ: 'perpmeter-receipt', ...change })}.${PAYLOAD}.${SIGNATURE}`;
const withTimes = (change: object): KeyDocument => ({
  ...DOCUMENT,
  verificationMethod: DOCUMENT.verificationMethod.map((method) => ({ ...method, ...change })),
});
const stranger = generateKeyPairSync('ed25519').privateKey;
const body = (text: string): Buffer => Buffer.from(text);

interface Attempt {
  readonly receipt?: string;
  readonly answer?: Buffer;
  readonly keys?: unknown;
  readonly expected?: Expected;
}

const REORDERED = body('{"count":1,"rows":[{"basis":1.5,"venue":"okx"}]}');
const REWRITTEN = body('{"rows":[{"venue":"okx","basis":1.50}],"count":1}');

/** Changes to a receipt, with the reason for refusing each. */
const TAMPERED: readonly (readonly [string, Attempt, ReceiptFault])[] = [
  ['a byte of the answer', { answer: body(BODY.toString().replace('1.5', '1.6')) }, 'other_answer'],
  ['a row added', { answer: body(BODY.toString().replace(']', ',{}]')) }, 'other_answer'],
  ['a name said twice', { answer: body(BODY.toString().replace('{', '{"count":9,')) }, 'other_answer'],
  ['a number written differently, by bytes', { answer: REWRITTEN, expected: { exact: true } }, 'other_bytes'],
  ['fields in another order, by bytes', { answer: REORDERED, expected: { exact: true } }, 'other_bytes'],
  ['the query', { receipt: withWords({ request: 'GET /v1/perp/basis?ticker=ETH' }) }, 'bad_signature'],
  ['another request expected', { expected: { request: '/v1/perp/basis?ticker=ETH' } }, 'other_request'],
  ['the price', { receipt: withWords({ amount: '1' }) }, 'bad_signature'],
  ['the payer', { receipt: withWords({ payer: `0x${'22'.repeat(20)}` }) }, 'bad_signature'],
  ['another payer expected', { expected: { payer: `0x${'22'.repeat(20)}` } }, 'other_payer'],
  ['the transaction', { receipt: withWords({ transaction: `0x${'cd'.repeat(32)}` }) }, 'bad_signature'],
  [
    'another transaction expected',
    { expected: { transaction: `0x${'cd'.repeat(32)}` } },
    'other_transaction',
  ],
  ['the time of the data', { receipt: withWords({ as_of: '2026-11-22T12:00:00.000Z' }) }, 'bad_signature'],
  ['the sources', { receipt: withWords({ sources: 'binance,okx,bybit' }) }, 'bad_signature'],
  ['the sources beside the receipt', { expected: { sources: 'binance,okx,bybit' } }, 'other_sources'],
  ['the version of the routes', { receipt: withWords({ route_table: 'other' }) }, 'bad_signature'],
  ['the key of another name', { receipt: withHeader({ kid: `${SIGNER}#other` }) }, 'unknown_key'],
  [
    'the key of another service',
    { receipt: withHeader({ kid: `did:web:other.example#${key.id}` }) },
    'unknown_key',
  ],
  [
    'a byte of the signature',
    { receipt: `${HEADER}.${PAYLOAD}.${SIGNATURE.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}` },
    'bad_signature',
  ],
  ['a signature spelled otherwise', { receipt: `${RECEIPT}=` }, 'not_a_receipt'],
  [
    'the algorithm none',
    { receipt: `${encoded({ alg: 'none', kid: KID, typ: 'perpmeter-receipt' })}.${PAYLOAD}.` },
    'wrong_algorithm',
  ],
  ['an algorithm with a shared secret', { receipt: withHeader({ alg: 'HS256' }) }, 'wrong_algorithm'],
  ['a statement of another kind', { receipt: issued.official }, 'wrong_type'],
  [
    'a later version',
    { receipt: signJws({ ...said, version: 2 }, { keyId: KID, type: 'perpmeter-receipt' }, key.secret) },
    'unknown_version',
  ],
  [
    'words of a stranger',
    { receipt: signJws(said, { keyId: KID, type: 'perpmeter-receipt' }, stranger) },
    'bad_signature',
  ],
  [
    'the key document of another service',
    { keys: keyDocument(SIGNER, ring('other.json').keys) },
    'unknown_key',
  ],
  [
    'a key that had expired',
    { keys: withTimes({ expires: '2026-11-22T11:59:00.000Z' }) },
    'key_not_in_force',
  ],
  [
    'a key that was not in force yet',
    { keys: withTimes({ validFrom: '2026-11-22T12:00:01.000Z' }) },
    'key_not_in_force',
  ],
  ['a key document without times', { keys: withTimes({ validFrom: undefined }) }, 'key_not_in_force'],
];

describe('a receipt', () => {
  it('verifies with its answer, and says by what', () => {
    const expected = { request: RESOURCE, payer: sale.payer, transaction: TRANSACTION, sources: SOURCES };
    expect(verifyReceipt(RECEIPT, BODY, DOCUMENT, { ...expected, exact: true })).toMatchObject({
      ok: true,
      value: { by: 'bytes', payload: { amount: '5000', as_of: headers['x-data-as-of'], sources: SOURCES } },
    });
    for (const same of [REORDERED, REWRITTEN, body(`${BODY}\n`)]) {
      expect(verifyReceipt(RECEIPT, same, DOCUMENT)).toMatchObject({ ok: true, value: { by: 'json' } });
    }
  });

  it.each(TAMPERED)('is refused with %s', (_, attempt, fault) => {
    const { receipt = RECEIPT, answer = BODY, keys: document = DOCUMENT, expected } = attempt;
    expect(verifyReceipt(receipt, answer, document, expected)).toEqual({ ok: false, fault });
  });

  it('is not refused after its key was followed by another', () => {
    const ended = withTimes({ expires: '2026-11-22T12:00:01.000Z' });
    expect(verifyReceipt(RECEIPT, BODY, ended)).toMatchObject({ ok: true });
  });
});

describe('a proof of inclusion', () => {
  const entries = [...['a', 'b', 'c', 'd'].map((name) => Buffer.from(name)), Buffer.from(RECEIPT)];
  const leaves = { hashes: Buffer.concat(entries.map(leafHash)) };
  const rootWith = (change: object = {}, secret = key.secret): string => {
    const root_sha256 = rootOf(leaves).toString('hex');
    const words = {
      version: 1,
      day: '2026-11-22',
      size: 5,
      root_sha256,
      issued_at: '2026-11-23T00:05:00.000Z',
    };
    return signJws({ ...words, ...change }, { keyId: KID, type: 'perpmeter-root' }, secret);
  };
  const pathTo = (index: number): string[] => pathOf(leaves, index).map((hash) => hash.toString('hex'));
  const PROOF = { index: 4, path: pathTo(4), root: rootWith() };
  const bWithNeighbours = pathTo(1);

  it('verifies', () => {
    expect(verifyProof(RECEIPT, PROOF, DOCUMENT)).toMatchObject({
      ok: true,
      value: { day: '2026-11-22', size: 5 },
    });
    expect(verifyProof(RECEIPT, { ...PROOF, path: [] }, DOCUMENT)).toEqual({
      ok: false,
      fault: 'not_in_tree',
    });
  });

  const bad: readonly (readonly [string, unknown, ReceiptFault])[] = [
    ["another receipt's path", { ...PROOF, path: bWithNeighbours }, 'not_in_tree'],
    [
      'siblings in another order',
      { ...PROOF, index: 1, path: [...bWithNeighbours].reverse() },
      'not_in_tree',
    ],
    ['a path that was cut', { ...PROOF, path: PROOF.path.slice(1) }, 'not_in_tree'],
    ['a path with a part that is no hash', { ...PROOF, path: ['00'] }, 'not_a_proof'],
    ['another place', { ...PROOF, index: 3 }, 'not_in_tree'],
    ['a place before the first', { ...PROOF, index: -1 }, 'not_a_proof'],
    ['a root of another day', { ...PROOF, root: rootWith({ day: '2026-11-21' }) }, 'other_day'],
    ['another root', { ...PROOF, root: rootWith({ root_sha256: '00'.repeat(32) }) }, 'not_in_tree'],
    ['another number of receipts', { ...PROOF, root: rootWith({ size: 4 }) }, 'not_in_tree'],
    ['a root signed by a stranger', { ...PROOF, root: rootWith({}, stranger) }, 'bad_signature'],
    ['a receipt in the place of the root', { ...PROOF, root: RECEIPT }, 'wrong_type'],
    ['no root', { index: 4, path: PROOF.path }, 'not_a_proof'],
  ];
  it.each(bad)('is refused with %s', (_, proof, fault) => {
    expect(verifyProof(RECEIPT, proof, DOCUMENT)).toEqual({ ok: false, fault });
  });
});
