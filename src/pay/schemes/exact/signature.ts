import { plainSignature } from '../../plain-signature.ts';
import type { CheckSigner } from '../../recover.ts';
import type { SignatureMatch } from '../../scheme.ts';
import type { Seller } from '../../seller.ts';
import { tokenSeparator } from '../../typed-data.ts';
import type { SignedAuthorization } from './authorization.ts';
import { authorizationDigest } from './authorization-digest.ts';
import { createSignatureFault, type FindSignatureFault } from './signature-fault.ts';

/** Tells whether a payment was signed by the key of its payer. */
export interface SignatureFilter {
  check(payment: SignedAuthorization): SignatureMatch | Promise<SignatureMatch>;
  /** Finds the fault of a mismatched signature, if the payer made it. */
  readonly faultOf: FindSignatureFault;
}

/** Prepares the filter for one token: the EIP-712 domain is hashed once. */
export function createSignatureFilter(seller: Seller, isSigner: CheckSigner): SignatureFilter {
  const domain = tokenSeparator(seller);
  return {
    faultOf: createSignatureFault(seller, isSigner),
    check({ authorization, signature }) {
      const plain = plainSignature(signature);
      if (plain === undefined || plain.isHigh) return 'mismatch';
      const signed = isSigner(authorizationDigest(domain, authorization), plain, authorization.from);
      return signed instanceof Promise ? signed.then(matchOf) : matchOf(signed);
    },
  };
}

const matchOf = (isSigned: boolean): SignatureMatch => (isSigned ? 'match' : 'mismatch');
