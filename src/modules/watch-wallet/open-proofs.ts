import type { Result } from '../../domain/errors.ts';
import type { OpenModule } from '../../host/module.ts';
import { type CheckSigner, loadCheckSigner } from '../../pay/recover.ts';
import { fill } from '../../runtime/port.ts';
import { WALLET_PROOFS, type WalletProofs } from './port.ts';
import { UsedProofs } from './used-proofs.ts';
import { checkProof, type ProofContext, readProof, refused, type WalletProof } from './wallet-proof.ts';

/** Proofs of this process: each holds once. */
export class OpenProofs implements WalletProofs {
  readonly #isSigner: CheckSigner;
  readonly #used = new UsedProofs();

  constructor(isSigner: CheckSigner) {
    this.#isSigner = isSigner;
  }

  read = readProof;

  async check(proof: WalletProof, context: ProofContext): Promise<Result<string>> {
    const checked = await checkProof(proof, context, this.#isSigner);
    if (!checked.ok || this.#used.take(proof, context.now)) return checked;
    return refused('it was used before: sign another');
  }
}

/** Fills the port with the check that payments have. */
export async function openProofs(): Promise<OpenModule> {
  return { ports: [fill(WALLET_PROOFS, new OpenProofs(await loadCheckSigner()))] };
}
