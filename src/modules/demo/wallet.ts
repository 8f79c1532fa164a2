import type { IncomingMessage, ServerResponse } from 'node:http';
import { UNCACHED_HEADERS } from '../../api/headers.ts';
import { send } from '../../api/http/reply.ts';
import type { PageHandler } from '../../api/page/page.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import { sameAddress } from '../../pay/address.ts';
import type { Seller } from '../../pay/seller.ts';

const PATH = '/demo/wallet';
const MAX_BYTES = 16 * 1024;
/** One US dollar: far more than any answer costs. */
const MAX_ATOMIC = 1_000_000n;

interface Account {
  readonly address: `0x${string}`;
  readonly sign: (authorization: Authorization) => Promise<string>;
}

interface Authorization {
  readonly from: `0x${string}`;
  readonly to: `0x${string}`;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: `0x${string}`;
}

const TRANSFER = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

async function accountOf(privateKey: `0x${string}`, seller: Seller): Promise<Account> {
  const { privateKeyToAccount } = await import('viem/accounts');
  const account = privateKeyToAccount(privateKey);
  const domain = {
    name: seller.assetName,
    version: seller.assetVersion,
    chainId: seller.network.chainId,
    verifyingContract: seller.asset as `0x${string}`,
  };
  const primaryType = 'TransferWithAuthorization';
  return {
    address: account.address,
    sign: (message) =>
      account.signTypedData({ domain, types: TRANSFER, primaryType, message: { ...message } }),
  };
}

/** An authorization that pays this seller; undefined for everything else that could be asked to be signed. */
function readAuthorization(data: unknown, seller: Seller, from: `0x${string}`): Authorization | undefined {
  const { domain, message } = isWire(data) ? data : {};
  if (!isWire(domain) || !isWire(message)) return undefined;
  const { to, value, validAfter, validBefore, nonce } = message;
  const decimals = [value, validAfter, validBefore].map(String);
  const fits =
    sameAddress(String(domain.verifyingContract), seller.asset) &&
    Number(domain.chainId) === seller.network.chainId &&
    sameAddress(String(message.from), from) &&
    sameAddress(String(to), seller.payTo) &&
    decimals.every((text) => /^\d{1,18}$/.test(text)) &&
    BigInt(String(value)) <= MAX_ATOMIC &&
    /^0x[0-9a-f]{64}$/i.test(String(nonce));
  if (!fits) return undefined;
  return {
    from,
    to: seller.payTo as `0x${string}`,
    value: BigInt(String(value)),
    validAfter: BigInt(String(validAfter)),
    validBefore: BigInt(String(validBefore)),
    nonce: String(nonce) as `0x${string}`,
  };
}

type Reply = readonly [status: number, body: Readonly<Record<string, unknown>>];
const refused = (detail: string): Reply => [400, { detail }];

async function answer({ method, params }: Wire, account: Account, seller: Seller): Promise<Reply> {
  if (method === 'eth_requestAccounts') return [200, { result: [account.address] }];
  if (method === 'eth_chainId') return [200, { result: `0x${seller.network.chainId.toString(16)}` }];
  if (method !== 'eth_signTypedData_v4') return refused('this wallet signs payments, and nothing else');
  const [, text] = Array.isArray(params) ? params : [];
  const authorization = readAuthorization(JSON.parse(readText(text) ?? 'null'), seller, account.address);
  if (authorization === undefined) return refused('this is no payment to this service, or a large one');
  return [200, { result: await account.sign(authorization) }];
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
 * comes as `POST /demo/wallet`, and only payments to this seller are signed. Their token is play money on a chain of
 * this machine; what the same key has on a real chain is nothing.
 */
export function createDemoWallet(privateKey: `0x${string}`, seller: Seller): PageHandler {
  let account: Promise<Account> | undefined;
  const serve = async (request: IncomingMessage): Promise<Reply> => {
    if (!isOwnPage(request)) return [403, { detail: 'only the page of this port may ask' }];
    const asked = await bodyOf(request);
    account ??= accountOf(privateKey, seller);
    return isWire(asked) ? answer(asked, await account, seller) : refused('no call');
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
