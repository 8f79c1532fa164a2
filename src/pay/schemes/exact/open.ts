import { FacilitatorList } from '../../facilitator-list.ts';
import { loadCheckSigner } from '../../recover.ts';
import { createRpc } from '../../rpc.ts';
import type { Scheme } from '../../scheme.ts';
import type { OpenSchemeOptions } from '../entry.ts';
import { facilitatorsOf } from './configured.ts';
import { createRpcVerifier } from './proof.ts';
import { createExactScheme } from './scheme.ts';
import { createSignatureFilter } from './signature.ts';

/** The scheme with the facilitators and the node that are configured. */
export async function openExact({ config, routes, clock }: OpenSchemeOptions): Promise<Scheme> {
  const { seller } = config;
  const signatures = createSignatureFilter(seller, await loadCheckSigner());
  const facilitators = new FacilitatorList(await facilitatorsOf(config, signatures));
  const rpc = config.rpcUrl === undefined ? undefined : createRpc(config.rpcUrl);
  const confirmations = config.mode === 'self' ? config.confirmations : 1;
  return createExactScheme({
    seller,
    routes,
    facilitators,
    proof: rpc && createRpcVerifier(rpc, confirmations),
    signatures,
    clock,
  });
}
