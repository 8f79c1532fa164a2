import { FacilitatorList } from '../../facilitator-list.ts';
import { openOwnFacilitator } from '../../own-facilitator.ts';
import { loadCheckSigner } from '../../recover.ts';
import { createRpc } from '../../rpc.ts';
import type { Scheme } from '../../scheme.ts';
import { meterOf } from '../../settlement-meter.ts';
import type { OpenSchemeOptions } from '../entry.ts';
import { facilitatorsOf } from './configured.ts';
import { createRpcVerifier } from './proof.ts';
import { createExactScheme } from './scheme.ts';
import { exactCalls } from './settling-calls.ts';
import { createSignatureFilter, type SignatureFilter } from './signature.ts';

/** The scheme with the facilitators and the node that are configured. */
export async function openExact(options: OpenSchemeOptions): Promise<Scheme> {
  const { config, routes, clock } = options;
  const { seller, rpcUrl } = config;
  const signatures = createSignatureFilter(seller, await loadCheckSigner());
  const { facilitators, confirmations } = await settlersOf(options, signatures);
  const rpc = rpcUrl === undefined ? undefined : createRpc(rpcUrl);
  return createExactScheme({
    seller,
    routes,
    facilitators: new FacilitatorList(facilitators, meterOf(config)),
    proof: rpc && createRpcVerifier(rpc, confirmations),
    signatures,
    clock,
  });
}

interface Settlers {
  readonly facilitators: ConstructorParameters<typeof FacilitatorList>[0];
  /** Blocks after which a settlement counts. */
  readonly confirmations: number;
}

async function settlersOf(
  { config, ownFacilitator }: OpenSchemeOptions,
  signatures: SignatureFilter,
): Promise<Settlers> {
  if (config.mode !== 'self') return { facilitators: await facilitatorsOf(config), confirmations: 1 };
  const calls = exactCalls(config.seller, signatures);
  const { facilitator, confirmations } = await openOwnFacilitator(ownFacilitator, config, calls);
  return { facilitators: [facilitator], confirmations };
}
