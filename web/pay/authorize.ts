import type { Challenge, Requirement } from '../data/challenge.ts';
import type { Provider } from './wallets.ts';

const HEX_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const AMOUNT = /^\d{1,18}$/;

/** What can be paid here of a challenge: exactly the price, in a token of an EVM chain. */
export function requirementOf(challenge: Challenge | undefined): Requirement | undefined {
  return challenge?.accepts.find(
    ({ scheme, network, amount, asset, payTo }) =>
      scheme === 'exact' &&
      /^eip155:\d{1,12}$/.test(network) &&
      AMOUNT.test(amount) &&
      HEX_ADDRESS.test(asset) &&
      HEX_ADDRESS.test(payTo),
  );
}

export const chainIdOf = ({ network }: Requirement): number => Number(network.slice('eip155:'.length));

function randomNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The account that a wallet lets this page use; asks its owner where it has not been asked. */
export async function accountOf(provider: Provider): Promise<string> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  const [first] = Array.isArray(accounts) ? accounts : [];
  if (typeof first !== 'string' || !HEX_ADDRESS.test(first)) throw new Error('the wallet gives no account');
  return first;
}

/** Wallets sign for a chain only while they are on it. */
async function onChain(provider: Provider, chainId: number): Promise<void> {
  const wanted = `0x${chainId.toString(16)}`;
  if (Number(await provider.request({ method: 'eth_chainId' })) === chainId) return;
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: wanted }] });
}

const field = (name: string, type: string): { name: string; type: string } => ({ name, type });

/** The EIP-3009 authorization as a wallet shows and signs it (EIP-712). */
export function typedData(requirement: Requirement, authorization: Readonly<Record<string, string>>) {
  const { extra, asset } = requirement;
  return {
    types: {
      EIP712Domain: [
        field('name', 'string'),
        field('version', 'string'),
        field('chainId', 'uint256'),
        field('verifyingContract', 'address'),
      ],
      TransferWithAuthorization: [
        field('from', 'address'),
        field('to', 'address'),
        field('value', 'uint256'),
        field('validAfter', 'uint256'),
        field('validBefore', 'uint256'),
        field('nonce', 'bytes32'),
      ],
    },
    primaryType: 'TransferWithAuthorization',
    domain: {
      name: extra.name,
      version: extra.version,
      chainId: chainIdOf(requirement),
      verifyingContract: asset,
    },
    message: authorization,
  };
}

/**
 * Has a payment of exactly the price signed.
 * @returns the header that carries it; presented again it buys the same answer, and never twice
 */
export async function signedPayment(
  provider: Provider,
  challenge: Challenge,
  requirement: Requirement,
): Promise<string> {
  const from = await accountOf(provider);
  await onChain(provider, chainIdOf(requirement));
  const authorization = {
    from,
    to: requirement.payTo,
    value: requirement.amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1000) + requirement.maxTimeoutSeconds),
    nonce: randomNonce(),
  };
  const signature = await provider.request({
    method: 'eth_signTypedData_v4',
    params: [from, JSON.stringify(typedData(requirement, authorization))],
  });
  if (typeof signature !== 'string') throw new Error('the wallet gave no signature');
  const payload = {
    x402Version: 2,
    ...(challenge.resource !== undefined && { resource: challenge.resource }),
    accepted: requirement,
    payload: { signature, authorization },
  };
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(payload))));
}
