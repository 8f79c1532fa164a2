import { canonicalDigest, sha256 } from '../../domain/canonical-json.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import { HASH_BYTES, leafHash } from '../../pay/sale-log.ts';
import { ALGORITHM, isSignedBy, type Jws, readJws } from './jws.ts';
import { knownKey } from './key-document.ts';
import { rootByPath } from './merkle.ts';
import { dayOf, ROOT_TYPE, ROOT_VERSION } from './root-statement.ts';
import { bounded, RECEIPT_TYPE, RECEIPT_VERSION, requestLine } from './sale-receipts.ts';

/** Reasons for which a receipt, an answer or a proof is refused. */
export const RECEIPT_FAULTS = {
  not_a_receipt:
    'It is no compact JWS of this service: three parts of base64url, written as a signer writes them.',
  wrong_algorithm: 'Only EdDSA is taken; a statement without a signature proves nothing.',
  wrong_type: 'It is signed for another purpose.',
  unknown_version: 'It has a version that this program does not know.',
  unknown_key: 'The key document has no key of this name.',
  key_not_in_force: 'The key did not sign at that time: it was not in force yet, or any more.',
  bad_signature:
    'The signature does not belong to these words: one of them was changed, or another key signed.',
  other_answer: 'The answer is not the one that was sold: neither its bytes nor its JSON have the digest.',
  other_bytes: 'The JSON is the one that was sold, its bytes are not.',
  other_request: 'It is the receipt of another request.',
  other_sources: 'The sources are not those of the answer.',
  other_payer: 'It is the receipt of another payer.',
  other_transaction: 'It is the receipt of another transaction.',
  not_a_proof: 'It lacks day, index, size, path or the signed root.',
  other_day: 'The proof is of another day than the receipt.',
  not_in_tree: 'The path does not lead from this receipt to the signed root.',
} as const;

export type ReceiptFault = keyof typeof RECEIPT_FAULTS;

export type Verdict<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: ReceiptFault };

const refused = (fault: ReceiptFault): { readonly ok: false; readonly fault: ReceiptFault } => ({
  ok: false,
  fault,
});

export interface Expected {
  /** True if the same JSON in other bytes is refused. */
  readonly exact?: boolean;
  /** Path and query. */
  readonly request?: string | undefined;
  readonly payer?: string | undefined;
  readonly transaction?: string | undefined;
  /** The header X-Data-Sources. */
  readonly sources?: string | undefined;
}

export interface VerifiedReceipt {
  readonly payload: Wire;
  /** By what the answer was recognised: its bytes, or its JSON in other bytes. */
  readonly by: 'bytes' | 'json';
}

/** Checks an answer against its receipt, and the receipt against the published keys. Does no I/O. */
export function verifyReceipt(
  receipt: string,
  answer: Buffer,
  keys: unknown,
  expected: Expected = {},
): Verdict<VerifiedReceipt> {
  const statement = verifyStatement(receipt, keys, RECEIPT_TYPE, RECEIPT_VERSION);
  if (!statement.ok) return statement;
  const payload = statement.value;
  const fault = differs(payload, expected);
  if (fault !== undefined) return refused(fault);
  if (payload.body_sha256 === sha256(answer)) return { ok: true, value: { payload, by: 'bytes' } };
  const digest = canonicalDigest(answer);
  if (digest === undefined || payload.json_sha256 !== digest) return refused('other_answer');
  return expected.exact === true ? refused('other_bytes') : { ok: true, value: { payload, by: 'json' } };
}

function differs(
  payload: Wire,
  { request, payer, transaction, sources }: Expected,
): ReceiptFault | undefined {
  if (request !== undefined && payload.request !== bounded(requestLine(request))) return 'other_request';
  if (payer !== undefined && !isSame(payload.payer, payer)) return 'other_payer';
  if (transaction !== undefined && !isSame(payload.transaction, transaction)) return 'other_transaction';
  if (sources !== undefined && payload.sources !== bounded(sources)) return 'other_sources';
  return undefined;
}

/** Addresses and hashes are spelled in either case. */
const isSame = (said: unknown, expected: string): boolean =>
  readText(said)?.toLowerCase() === expected.toLowerCase();

/** The words of a signed statement of one kind, where a key signed them that was in force then. */
function verifyStatement(text: string, keys: unknown, type: string, version: number): Verdict<Wire> {
  const jws = readJws(text);
  if (jws === undefined) return refused('not_a_receipt');
  if (jws.algorithm !== ALGORITHM) return refused('wrong_algorithm');
  if (jws.type !== type) return refused('wrong_type');
  if (jws.payload.version !== version) return refused('unknown_version');
  const fault = keyFault(jws, keys);
  return fault === undefined ? { ok: true, value: jws.payload } : refused(fault);
}

function keyFault(jws: Jws, keys: unknown): ReceiptFault | undefined {
  const known = knownKey(keys, jws.keyId ?? '');
  if (known === undefined) return 'unknown_key';
  if (!isSignedBy(jws, known.key)) return 'bad_signature';
  const at = Date.parse(readText(jws.payload.issued_at) ?? '');
  return at >= known.from && at < known.until ? undefined : 'key_not_in_force';
}

const HEX = /^[0-9a-f]{64}$/;

const hashOf = (value: unknown): Buffer | undefined =>
  HEX.test(readText(value) ?? '') ? Buffer.from(String(value), 'hex') : undefined;

/**
 * Checks a proof of inclusion against the receipt and the day's signed root; the root's words. The receipt itself is for
 * `verifyReceipt`. Does no I/O.
 */
export function verifyProof(receipt: string, proof: unknown, keys: unknown): Verdict<Wire> {
  const { index, path, root } = isWire(proof) ? proof : {};
  const hashes = wireArray(path)?.map(hashOf);
  const signed = readText(root);
  if (!Number.isSafeInteger(index) || Number(index) < 0 || hashes === undefined || signed === undefined)
    return refused('not_a_proof');
  const whole = hashes.filter((hash) => hash?.length === HASH_BYTES);
  if (whole.length !== hashes.length) return refused('not_a_proof');
  const statement = verifyStatement(signed, keys, ROOT_TYPE, ROOT_VERSION);
  if (!statement.ok) return statement;
  const { day, size, root_sha256: expected } = statement.value;
  const issued = readText(readJws(receipt)?.payload.issued_at);
  if (issued === undefined) return refused('not_a_receipt');
  if (dayOf(Date.parse(issued)) !== day) return refused('other_day');
  const found = rootByPath(leafHash(Buffer.from(receipt)), Number(index), Number(size), whole as Buffer[]);
  return found?.toString('hex') === expected ? statement : refused('not_in_tree');
}
