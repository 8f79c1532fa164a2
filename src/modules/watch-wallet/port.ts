import type { Result } from '../../domain/errors.ts';
import type { Port } from '../../runtime/port.ts';
import type { ProofContext, WalletProof } from './wallet-proof.ts';

/** Proofs by which wallets say who they are. */
export interface WalletProofs {
  /** Reads the form of a proof; 400 where it is none. */
  read(text: string | undefined): Result<WalletProof>;
  /** Takes a proof once. @returns the wallet's address in lower case; a 400 of one that does not hold, is late, or was used before */
  check(proof: WalletProof, context: ProofContext): Promise<Result<string>>;
}

export const WALLET_PROOFS: Port<WalletProofs | undefined> = { name: 'proofs of wallets', absent: undefined };
