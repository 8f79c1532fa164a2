import { addressWord, uintWord } from '../../abi.ts';
import { keccak256 } from '../../keccak.ts';
import { domainSeparator, structHash, textHash, typedDigest } from '../../typed-data.ts';
import type { ChannelConfig, Deposit } from './channel.ts';
import { CONTRACT_NAME, CONTRACT_VERSION, DEPOSIT_COLLECTOR, SETTLEMENT_CONTRACT } from './contract.ts';

const CHANNEL_TYPE = textHash(
  'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)',
);
const VOUCHER_TYPE = textHash('Voucher(bytes32 channelId,uint128 maxClaimableAmount)');
const REFUND_TYPE = textHash('Refund(bytes32 channelId,uint256 nonce,uint128 amount)');
const CLAIM = 'ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)';
const CLAIM_TYPE = textHash(CLAIM);
const CLAIMS_TYPE = textHash(`ClaimBatch(ClaimEntry[] claims)${CLAIM}`);
const RECEIVE_TYPE = textHash(
  'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
);

/** One channel of a claim, amounts in atomic units. */
export interface ClaimEntry {
  readonly channelId: string;
  /** The total that the payer has signed. */
  readonly signed: bigint;
  /** The part of it that is claimed, over the whole life of the channel. */
  readonly claimed: bigint;
}

/** The digests that are signed under the domain of the channel contract (EIP-712). */
export interface ChannelDigests {
  /** Identity of a channel, 32 bytes in hex. */
  channelId(config: ChannelConfig): string;
  /** The payer signs it. */
  voucher(channelId: string, total: bigint): Buffer;
  /** The receiver's authorizer signs it, as the next. */
  refund(channelId: string, nonce: bigint, amount: bigint): Buffer;
  claims(entries: readonly ClaimEntry[]): Buffer;
}

/** The digests of the contract on one chain. */
export function createChannelDigests(chainId: number): ChannelDigests {
  const separator = domainSeparator({
    name: CONTRACT_NAME,
    version: CONTRACT_VERSION,
    chainId,
    contract: SETTLEMENT_CONTRACT,
  });
  const digest = (type: Buffer, words: readonly string[]): Buffer =>
    typedDigest(separator, structHash(type, words));
  return {
    channelId: (config) => `0x${digest(CHANNEL_TYPE, configWords(config)).toString('hex')}`,
    voucher: (channelId, total) => digest(VOUCHER_TYPE, [channelId.slice(2), uintWord(total)]),
    refund: (channelId, nonce, amount) =>
      digest(REFUND_TYPE, [channelId.slice(2), uintWord(nonce), uintWord(amount)]),
    claims: (entries) =>
      digest(CLAIMS_TYPE, [keccak256(Buffer.concat(entries.map(claimHash))).toString('hex')]),
  };
}

const claimHash = ({ channelId, signed, claimed }: ClaimEntry): Buffer =>
  structHash(CLAIM_TYPE, [channelId.slice(2), uintWord(signed), uintWord(claimed)]);

/** The members of a channel's terms as words, in the order of the contract. */
export const configWords = (config: ChannelConfig): readonly string[] => [
  addressWord(config.payer),
  addressWord(config.payerAuthorizer),
  addressWord(config.receiver),
  addressWord(config.receiverAuthorizer),
  addressWord(config.token),
  uintWord(BigInt(config.withdrawDelay)),
  config.salt.slice(2),
];

/** Nonce of the authorization of a deposit: it binds the money to the channel. */
export function depositNonce(channelId: string, salt: string): Buffer {
  return keccak256(Buffer.from(channelId.slice(2) + salt.slice(2), 'hex'));
}

/**
 * The payer signs this for a deposit, which only the collector can take.
 *
 * @param token separator of the token's domain
 */
export function depositDigest(token: Buffer, payer: string, channelId: string, deposit: Deposit): Buffer {
  const { amount, validAfter, validBefore, salt } = deposit;
  const words = [
    addressWord(payer),
    addressWord(DEPOSIT_COLLECTOR),
    uintWord(BigInt(amount)),
    uintWord(BigInt(validAfter)),
    uintWord(BigInt(validBefore)),
    depositNonce(channelId, salt).toString('hex'),
  ];
  return typedDigest(token, structHash(RECEIVE_TYPE, words));
}
