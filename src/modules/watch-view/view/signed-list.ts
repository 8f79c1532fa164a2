import { keccak256 } from '../../../../packages/client/src/channels/keccak.ts';
import type { Eip1193Provider } from '../../../../packages/client/src/index.ts';
import type { WatchesAnswer } from '../../../../packages/client/src/routes.ts';
import { ask } from '../../../../web/data/answers.ts';
import { serverNow } from '../../../../web/text/time.ts';
import { keepReadable } from './watch-store.ts';

const VALID_MS = 5 * 60_000;
const STATEMENT =
  'Read the watches that this wallet has paid for, for a day. This signs no payment, and moves nothing.';

const isAddress = (text: unknown): text is string =>
  typeof text === 'string' && /^0x[0-9a-f]{40}$/i.test(text);

/** The address of a wallet in the form in which the message has it (EIP-55). */
async function accountOf(provider: Eip1193Provider): Promise<string> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  const [first] = Array.isArray(accounts) ? accounts : [];
  if (!isAddress(first)) throw new Error('The wallet gives no account.');
  return checksummed(first.slice(2).toLowerCase());
}

/** The form of an address in which letters check it (EIP-55). @param plain 40 hex digits in lower case */
function checksummed(plain: string): string {
  const hash = keccak256(new TextEncoder().encode(plain)).slice(2);
  const letters = [...plain].map((digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${letters.join('')}`;
}

const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Has a wallet sign who it is, and keeps the watches that it has paid for, as far as this browser cannot read them already.
 * Rejects where the wallet or the service refuses.
 *
 * @param address public address of the service, which the message names
 * @param after `next` of the page before; null: the first page
 */
export async function watchesOfWallet(
  provider: Eip1193Provider,
  address: string,
  after: string | null,
): Promise<WatchesAnswer> {
  const wallet = await accountOf(provider);
  const chainId = Number(await provider.request({ method: 'eth_chainId' }));
  const issuedAt = new Date(serverNow()).toISOString();
  const nonce = hexOf(crypto.getRandomValues(new Uint8Array(12)));
  const { host, origin } = new URL(address);
  const message = [
    `${host} wants you to sign in with your Ethereum account:`,
    wallet,
    '',
    STATEMENT,
    '',
    `URI: ${origin}/v1/watches`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    `Expiration Time: ${new Date(Date.parse(issuedAt) + VALID_MS).toISOString()}`,
  ].join('\n');
  const params = [`0x${hexOf(new TextEncoder().encode(message))}`, wallet];
  const signature = String(await provider.request({ method: 'personal_sign', params }));
  const proof = ['wallet', wallet, chainId, issuedAt, nonce, signature].join(' ');
  const path = after === null ? '/v1/watches' : `/v1/watches?${new URLSearchParams({ after })}`;
  const answer = await ask<WatchesAnswer>(path, undefined, undefined, { 'perpmeter-secret': proof });
  if (answer.state === 'failed') throw new Error(answer.detail);
  if (answer.state !== 'ready') throw new Error('The service does not answer.');
  await keepReadable(
    answer.body.watches.map(({ id, token, condition }) => ({
      id,
      secret: token,
      addedAt: Date.now(),
      condition,
      readsUntil: Date.parse(answer.body.reads_until),
    })),
  );
  return answer.body;
}
