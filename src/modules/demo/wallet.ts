import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PrivateKeyAccount } from 'viem/accounts';
import { UNCACHED_HEADERS } from '../../api/headers.ts';
import { send } from '../../api/http/reply.ts';
import type { PageHandler } from '../../api/page/page.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import { sameAddress } from '../../pay/address.ts';
import {
  CONTRACT_NAME,
  CONTRACT_VERSION,
  DEPOSIT_COLLECTOR,
  SETTLEMENT_CONTRACT,
} from '../../pay/schemes/batch-settlement/contract.ts';
import type { Seller } from '../../pay/seller.ts';
import type { WalletChain } from './wallet-chain.ts';

const PATH = '/demo/wallet';
const MAX_BYTES = 16 * 1024;
/** One US dollar: far more than any answer costs. */
const MAX_ATOMIC = 1_000_000n;

interface Account {
  readonly address: `0x${string}`;
  readonly sign: (data: SignedData) => Promise<string>;
  readonly signText: (text: string) => Promise<string>;
}

type SignedData = Parameters<PrivateKeyAccount['signTypedData']>[0];

const field = (name: string, type: string) => ({ name, type });
const AUTHORIZATION = [
  field('from', 'address'),
  field('to', 'address'),
  field('value', 'uint256'),
  field('validAfter', 'uint256'),
  field('validBefore', 'uint256'),
  field('nonce', 'bytes32'),
];
const VOUCHER = [field('channelId', 'bytes32'), field('maxClaimableAmount', 'uint128')];

async function accountOf(privateKey: `0x${string}`): Promise<Account> {
  const { privateKeyToAccount } = await import('viem/accounts');
  const account = privateKeyToAccount(privateKey);
  return {
    address: account.address,
    sign: (data) => account.signTypedData(data),
    signText: (message) => account.signMessage({ message }),
  };
}

const isAmount = (value: unknown): boolean =>
  /^\d{1,18}$/.test(String(value)) && BigInt(String(value)) <= MAX_ATOMIC;
const isWord = (value: unknown): boolean => /^0x[0-9a-f]{64}$/i.test(String(value));

/** The receiver of an authorization, by the type under which it is signed; undefined for other types. */
function receiverOf(type: unknown, seller: Seller): string | undefined {
  if (type === 'TransferWithAuthorization') return seller.payTo;
  return type === 'ReceiveWithAuthorization' ? DEPOSIT_COLLECTOR : undefined;
}

/** An authorization that pays this seller, or brings money into a channel; undefined for everything else. */
function readAuthorization({ domain, message, primaryType }: Wire, seller: Seller, from: string) {
  const receiver = receiverOf(primaryType, seller);
  if (!isWire(domain) || !isWire(message) || receiver === undefined) return undefined;
  const { to, value, validAfter, validBefore, nonce } = message;
  const fits =
    sameAddress(String(domain.verifyingContract), seller.asset) &&
    Number(domain.chainId) === seller.network.chainId &&
    sameAddress(String(message.from), from) &&
    sameAddress(String(to), receiver) &&
    isAmount(value) &&
    [validAfter, validBefore].every((text) => /^\d{1,18}$/.test(String(text))) &&
    isWord(nonce);
  if (!fits) return undefined;
  const { assetName: name, assetVersion: version, network, asset } = seller;
  return signedData(
    { name, version, chainId: network.chainId, verifyingContract: asset },
    String(primaryType),
    AUTHORIZATION,
    { from, to: receiver, value, validAfter, validBefore, nonce },
  );
}

/** A voucher of a channel, which can take no more than was deposited in it; undefined for everything else. */
function readVoucher({ domain, message, primaryType }: Wire, seller: Seller) {
  if (!isWire(domain) || !isWire(message) || primaryType !== 'Voucher') return undefined;
  const { channelId, maxClaimableAmount } = message;
  const { chainId } = seller.network;
  const fits =
    sameAddress(String(domain.verifyingContract), SETTLEMENT_CONTRACT) &&
    Number(domain.chainId) === chainId &&
    isWord(channelId) &&
    isAmount(maxClaimableAmount);
  if (!fits) return undefined;
  return signedData(
    { name: CONTRACT_NAME, version: CONTRACT_VERSION, chainId, verifyingContract: SETTLEMENT_CONTRACT },
    primaryType,
    VOUCHER,
    { channelId, maxClaimableAmount },
  );
}

/** The text by which this account signs in at this service (EIP-4361); undefined for every other one. */
function signInText(params: unknown, address: string, { baseUrl }: Seller): string | undefined {
  const [hex] = Array.isArray(params) ? params : [];
  const text = Buffer.from((readText(hex) ?? '').slice(2), 'hex').toString('utf8');
  const begin = `${new URL(baseUrl).host} wants you to sign in with your Ethereum account:\n${address}\n`;
  return text.startsWith(begin) ? text : undefined;
}

/** Content in the form in which a key signs it; the checks above make it well-formed. */
const signedData = (
  domain: object,
  primaryType: string,
  fields: readonly object[],
  message: object,
): SignedData =>
  ({ domain, types: { [primaryType]: fields }, primaryType, message }) as unknown as SignedData;

type Reply = readonly [status: number, body: Readonly<Record<string, unknown>>];
const refused = (detail: string): Reply => [400, { detail }];

async function answer(call: Wire, account: Account, seller: Seller, chain?: WalletChain): Promise<Reply> {
  const { method, params } = call;
  if (method === 'eth_requestAccounts') return [200, { result: [account.address] }];
  if (method === 'eth_chainId') return [200, { result: `0x${seller.network.chainId.toString(16)}` }];
  const asked = chain?.(call, account.address);
  if (asked !== undefined) return [200, { result: await asked }];
  if (method === 'personal_sign') {
    const text = signInText(params, account.address, seller);
    if (text === undefined) return refused('this text is no sign-in at this service');
    return [200, { result: await account.signText(text) }];
  }
  if (method !== 'eth_signTypedData_v4')
    return refused('this wallet signs payments, withdraws channels, and does nothing else');
  const [, text] = Array.isArray(params) ? params : [];
  const data: unknown = JSON.parse(readText(text) ?? 'null');
  const payment = isWire(data)
    ? (readAuthorization(data, seller, account.address) ?? readVoucher(data, seller))
    : undefined;
  if (payment === undefined) return refused('this is no payment to this service, or a large one');
  return [200, { result: await account.sign(payment) }];
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('too long');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** True if the page of this very port asks: another site's may not spend even play money. */
const isOwnPage = ({ headers }: IncomingMessage): boolean => headers.origin === `http://${headers.host}`;

/**
 * The wallet of a demo's visitor, for the page of a sandbox alone: what a browser's wallet would be asked (EIP-1193)
 * comes as `POST /demo/wallet`, and only payments to this seller, deposits and vouchers are signed. Their token is play money on a chain of
 * this machine; what the same key has on a real chain is nothing.
 *
 * @param chain reads the account's channels and sends their withdrawals
 */
export function createDemoWallet(
  privateKey: `0x${string}`,
  seller: Seller,
  chain?: WalletChain,
): PageHandler {
  let account: Promise<Account> | undefined;
  const serve = async (request: IncomingMessage): Promise<Reply> => {
    if (!isOwnPage(request)) return [403, { detail: 'only the page of this port may ask' }];
    const asked = await bodyOf(request);
    account ??= accountOf(privateKey);
    return isWire(asked) ? answer(asked, await account, seller, chain) : refused('no call');
  };
  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST' || request.url !== PATH) return false;
    void serve(request)
      .catch(() => refused('the call cannot be read'))
      .then(([status, body]) => {
        const bytes = Buffer.from(JSON.stringify(body));
        const headers = [
          'Content-Type',
          'application/json',
          ...UNCACHED_HEADERS,
          'Content-Length',
          String(bytes.length),
        ];
        send(response, status, headers, bytes);
      });
    return true;
  };
}
