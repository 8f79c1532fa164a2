import { addressWord, uintWord } from './abi.ts';
import { keccak256 } from './keccak.ts';
import type { Seller } from './seller.ts';

/** Hash of a text, as EIP-712 has it of types and of members that are texts. */
export const textHash = (value: string): Buffer => keccak256(Buffer.from(value, 'utf8'));

const DOMAIN_TYPE = textHash(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
);

/** The domain in which typed data is signed (EIP-712). */
export interface TypedDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  /** Contract that verifies the signature. */
  readonly contract: string;
}

/** Separator of a domain. */
export function domainSeparator({ name, version, chainId, contract }: TypedDomain): Buffer {
  const words = [
    textHash(name).toString('hex'),
    textHash(version).toString('hex'),
    uintWord(BigInt(chainId)),
    addressWord(contract),
  ];
  return structHash(DOMAIN_TYPE, words);
}

/** Inputs of a token's domain. */
export type TokenDomain = Pick<Seller, 'asset' | 'assetName' | 'assetVersion'> & {
  readonly network: Pick<Seller['network'], 'chainId'>;
};

/** Separator of the domain of a seller's token. */
export function tokenSeparator({ asset, assetName, assetVersion, network }: TokenDomain): Buffer {
  const { chainId } = network;
  return domainSeparator({ name: assetName, version: assetVersion, chainId, contract: asset });
}

/**
 * Hash of a struct.
 *
 * @param type hash of its type
 * @param words its members, each 32 bytes in hex without 0x
 */
export function structHash(type: Buffer, words: readonly string[]): Buffer {
  return keccak256(Buffer.from(type.toString('hex') + words.join(''), 'hex'));
}

const PREFIX = Buffer.from('1901', 'hex');

/** The digest that is signed of a struct in a domain. */
export function typedDigest(separator: Buffer, struct: Buffer): Buffer {
  return keccak256(Buffer.concat([PREFIX, separator, struct]));
}
