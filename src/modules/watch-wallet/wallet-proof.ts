import { SECRET_HEADER } from '../../api/headers.ts';
import { lowerAscii } from '../../domain/ascii-case.ts';
import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { isAddress } from '../../pay/address.ts';
import { plainSignature } from '../../pay/plain-signature.ts';
import type { CheckSigner } from '../../pay/recover.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { type SignedFacts, textDigest, VALID_MS, walletMessage } from './wallet-message.ts';

/** Clocks of wallets may be ahead by so much. */
const SKEW_MS = MINUTE_MS;

/** A proof as a request carries it. */
export interface WalletProof extends SignedFacts {
  /** Hex with 0x, 65 bytes. */
  readonly signature: string;
}

const FORM = 'wallet <address> <chain id> <issued at> <nonce> <signature>';
const PARTS = 6;

/** Refuses a proof. */
export function refused(what: string): { readonly ok: false; readonly error: Failure } {
  const error = { parameter: SECRET_HEADER, message: what };
  return fail({ code: 'invalid_parameter', detail: `${SECRET_HEADER}: ${what}`, errors: [error] });
}

/** True for a time as a message has it, whose text is the only one of that moment. */
const isMoment = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && new Date(text).toJSON() === text;

/** Some wallets count the two halves of a signature's key from 0. */
const withV = (signature: string): string =>
  signature.replace(/0([01])$/, (_, v: string) => (v === '0' ? '1b' : '1c'));

/** Reads the form of a proof: 400 where it is none. Neither its time nor its signature is looked at. */
export function readProof(text: string | undefined): Result<WalletProof> {
  if (text === undefined)
    return fail({
      code: 'missing_parameter',
      detail: `${SECRET_HEADER}: send ${FORM}, which docs/watch-wallet.md explains`,
      errors: [{ parameter: SECRET_HEADER, message: 'required' }],
    });
  const parts = text.split(' ');
  const [kind, wallet = '', chain = '', issuedAt = '', nonce = '', signature = ''] = parts;
  if (parts.length !== PARTS || kind !== 'wallet') return refused(`must be ${FORM}`);
  if (!isAddress(wallet)) return refused('the address must be 0x and 40 hex digits');
  if (!/^[1-9]\d{0,14}$/.test(chain)) return refused('the chain id must be a whole number');
  if (!isMoment(issuedAt)) return refused('the time must be as 2026-11-29T12:00:00.000Z');
  if (!/^[0-9A-Za-z]{8,64}$/.test(nonce)) return refused('the nonce must be 8 to 64 letters and digits');
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature))
    return refused('the signature must be of a plain key, 65 bytes: those of contracts are not read here');
  return ok({ wallet, chainId: Number(chain), issuedAt, nonce, signature: withV(lowerAscii(signature)) });
}

/** The service that a proof is presented to, at a moment. */
export interface ProofContext {
  /** Its public address. */
  readonly baseUrl: string;
  /** Unix ms. */
  readonly now: number;
}

/** Holds a proof against the time and the message of this service. @returns the wallet's address in lower case, or a 400 with the reason */
export async function checkProof(
  proof: WalletProof,
  { baseUrl, now }: ProofContext,
  isSigner: CheckSigner,
): Promise<Result<string>> {
  const issuedAt = Date.parse(proof.issuedAt);
  if (issuedAt > now + SKEW_MS) return refused('it was issued in the future: look at the clock');
  if (now >= issuedAt + VALID_MS) return refused('it has expired: sign another');
  const signature = plainSignature(proof.signature);
  const wallet = lowerAscii(proof.wallet);
  const digest = textDigest(walletMessage(baseUrl, proof));
  const isSigned =
    signature !== undefined && !signature.isHigh && (await isSigner(digest, signature, wallet));
  if (!isSigned)
    return refused(`it is not this wallet's signature of the message for ${new URL(baseUrl).host}`);
  return ok(wallet);
}
