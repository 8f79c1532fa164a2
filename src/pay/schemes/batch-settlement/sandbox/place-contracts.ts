import type { Rpc } from '../../../rpc.ts';
import { DEPOSIT_COLLECTOR, SETTLEMENT_CONTRACT } from '../contract.ts';
import settlement from './BatchSettlement.artifact.json' with { type: 'json' };
import collector from './DepositCollector.artifact.json' with { type: 'json' };

/** Puts the contracts of channels at their published addresses on a chain of this machine. Rejects where it is none. */
export async function placeChannelContracts(rpc: Rpc): Promise<void> {
  await rpc('anvil_setCode', [SETTLEMENT_CONTRACT, settlement.runtimeCode]);
  await rpc('anvil_setCode', [DEPOSIT_COLLECTOR, collector.runtimeCode]);
}
