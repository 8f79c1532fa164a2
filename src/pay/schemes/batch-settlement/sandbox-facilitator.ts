import type { Facilitator } from '../../facilitator.ts';
import { type SandboxFacilitatorOptions, sandboxFacilitator } from '../../facilitators/sandbox-client.ts';
import { SCHEME_NAME } from './terms.ts';

/** A facilitator of channels in this process, on a chain of this machine. */
export async function createChannelSandbox(options: SandboxFacilitatorOptions): Promise<Facilitator> {
  const { BatchSettlementEvmScheme } = await import('@x402/evm/batch-settlement/facilitator');
  return sandboxFacilitator(SCHEME_NAME, options, (signer) => new BatchSettlementEvmScheme(signer));
}
