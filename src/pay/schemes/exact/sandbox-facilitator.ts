import type { Facilitator } from '../../facilitator.ts';
import { type SandboxFacilitatorOptions, sandboxFacilitator } from '../../facilitators/sandbox-client.ts';
import { EXACT_FORMAT } from './format.ts';

/** A facilitator in this process, on a chain of this machine. */
export async function createSandboxFacilitator(options: SandboxFacilitatorOptions): Promise<Facilitator> {
  const { ExactEvmScheme } = await import('@x402/evm/exact/facilitator');
  return sandboxFacilitator(EXACT_FORMAT.name, options, (signer) => new ExactEvmScheme(signer));
}
