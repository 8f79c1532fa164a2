import type { TypedData } from '../payment.ts';
import { typedData } from '../payment.ts';
import type { ChannelConfig } from './channel.ts';
import { fromHex, keccak256, textHash } from './keccak.ts';

/**
 * The contract of channels, as published: the same addresses on every network
 * (specs/schemes/batch-settlement/scheme_batch_settlement_evm.md of x402, `@x402/evm` 2.27).
 */
export const CHANNEL_CONTRACT = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003';
/** Collects deposits that are signed as EIP-3009 authorizations. */
export const DEPOSIT_COLLECTOR = '0x4020806089470a89826cB9fB1f4059150b550004';
const NAME = 'x402 Batch Settlement';
const VERSION = '1';

const DOMAIN_TYPE = textHash(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
);
const CONFIG_TYPE = textHash(
  'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)',
);
/** Topic of the event by which the contract names the terms of a channel. */
export const CHANNEL_CREATED = textHash(
  'ChannelCreated(bytes32,(address,address,address,address,address,uint40,bytes32))',
);
/** Topic of a token's transfer (ERC-20). */
export const TRANSFER = textHash('Transfer(address,address,uint256)');
const VOUCHER_TYPE = textHash('Voucher(bytes32 channelId,uint128 maxClaimableAmount)');
const VOUCHER_FIELDS = [
  { name: 'channelId', type: 'bytes32' },
  { name: 'maxClaimableAmount', type: 'uint128' },
];

/** A value as 32 bytes in hex, without 0x: an address, a hash, or a number. */
const word = (value: string | bigint | number): string =>
  (typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)).padStart(64, '0');

const hashOf = (words: readonly (string | bigint | number)[]): string =>
  keccak256(fromHex(`0x${words.map(word).join('')}`));

function digestOf(chainId: number, struct: string): string {
  const domain = hashOf([DOMAIN_TYPE, textHash(NAME), textHash(VERSION), chainId, CHANNEL_CONTRACT]);
  return keccak256(fromHex(`0x1901${domain.slice(2)}${struct.slice(2)}`));
}

/** An address as a topic of a log. */
export const addressTopic = (address: string): string => `0x${word(address)}`;

/** The members of a channel's terms as words, in the order of the contract. */
const membersOf = (config: ChannelConfig): readonly (string | number)[] => [
  config.payer,
  config.payerAuthorizer,
  config.receiver,
  config.receiverAuthorizer,
  config.token,
  config.withdrawDelay,
  config.salt,
];

/** Identity of a channel on a chain. */
export const channelIdOf = (config: ChannelConfig, chainId: number): string =>
  digestOf(chainId, hashOf([CONFIG_TYPE, ...membersOf(config)]));

/** The digest that a voucher's signature is of. @param total atomic units */
export const voucherDigest = (channelId: string, total: bigint, chainId: number): string =>
  digestOf(chainId, hashOf([VOUCHER_TYPE, channelId, total]));

/** A voucher as it is signed. @param total atomic units */
export function voucherData(channelId: string, total: bigint, chainId: number): TypedData {
  const domain = { name: NAME, version: VERSION, chainId, verifyingContract: CHANNEL_CONTRACT } as const;
  const message = { channelId, maxClaimableAmount: total.toString() };
  return typedData(domain, 'Voucher', VOUCHER_FIELDS, message);
}

/** Nonce of the authorization of a deposit: it binds the money to the channel. */
export const depositNonce = (channelId: string, salt: string): string => hashOf([channelId, salt]);

/** Input of a call of the contract that takes a channel's terms. */
export function callOf(method: string, config: ChannelConfig, ...more: readonly bigint[]): string {
  const tuple = '(address,address,address,address,address,uint40,bytes32)';
  const types = [tuple, ...more.map(() => 'uint128')].join(',');
  const words = [...membersOf(config), ...more].map(word).join('');
  return `${textHash(`${method}(${types})`).slice(0, 10)}${words}`;
}

/** Input of a view of the contract that takes a channel's identity. */
export const viewOf = (method: string, channelId: string): string =>
  `${textHash(`${method}(bytes32)`).slice(0, 10)}${word(channelId)}`;
