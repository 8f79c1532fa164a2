import { NETWORKS } from '../../networks.ts';
import { plainSignature } from '../../plain-signature.ts';
import type { CheckSigner } from '../../recover.ts';
import type { Seller } from '../../seller.ts';
import { type TokenDomain, tokenSeparator } from '../../typed-data.ts';
import type { SignedAuthorization } from './authorization.ts';
import { authorizationDigest } from './authorization-digest.ts';

/** Faults of a signature that the payer did make. */
export type SignatureFault = 'high_s_signature' | 'wrong_domain';

/**
 * Finds the fault of a signature that does not fit the payer and the authorization; undefined where the payer's
 * key is not behind it.
 */
export type FindSignatureFault = (payment: SignedAuthorization) => Promise<SignatureFault | undefined>;

/** Ethereum's: what wallets sign for that were not told of a chain. */
const MAIN_CHAIN = 1;
/** Names and versions under which issuers have deployed the token. */
const NAMES = ['USD Coin', 'USDC'] as const;
const VERSIONS = ['2', '1'] as const;

/**
 * Tells the two mistakes of a buyer's own code from a forgery: s in the upper half, and a domain that is near the
 * token's. A dozen signatures are checked, so it is asked only of what is limited.
 */
export function createSignatureFault(seller: Seller, isSigner: CheckSigner): FindSignatureFault {
  const own = tokenSeparator(seller);
  const others = nearDomains(seller).map(tokenSeparator);
  return async ({ authorization, signature }) => {
    const plain = plainSignature(signature);
    if (plain === undefined) return undefined;
    const { isHigh, ...low } = plain;
    const isOf = (domain: Buffer) =>
      isSigner(authorizationDigest(domain, authorization), low, authorization.from);
    if (await isOf(own)) return isHigh ? 'high_s_signature' : undefined;
    for (const domain of others) if (await isOf(domain)) return 'wrong_domain';
    return undefined;
  };
}

function nearDomains(seller: Seller): readonly TokenDomain[] {
  const { network, assetName } = seller;
  const { chainId } = network;
  const named = NAMES.flatMap((name) =>
    VERSIONS.map((version) => ({ ...seller, assetName: name, assetVersion: version })),
  );
  const elsewhere = Object.values(NETWORKS).filter((other) => other.chainId !== chainId);
  return [
    ...named.filter(
      (domain) => domain.assetName !== assetName || domain.assetVersion !== seller.assetVersion,
    ),
    ...elsewhere.map((other) => ({ ...other, network: other })),
    ...[MAIN_CHAIN, ...elsewhere.map((other) => other.chainId)].map((id) => ({
      ...seller,
      network: { chainId: id },
    })),
  ];
}
