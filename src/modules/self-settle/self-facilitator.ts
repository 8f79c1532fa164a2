import type { Facilitator, SettlementRequest, VerifyOutcome } from '../../pay/facilitator.ts';
import { RpcError, readQuantity } from '../../pay/rpc.ts';
import type { SettlingCalls } from '../../pay/settling-calls.ts';
import type { CallSender } from './call-sender.ts';

export interface SelfFacilitatorOptions {
  /** That of all schemes of the account: one numbers its transactions. */
  readonly sender: CallSender;
  readonly calls: SettlingCalls;
  readonly chainId: number;
}

/** A facilitator of our own in this process for one scheme, on the operator's node and with the operator's key. */
export function createSelfFacilitator(options: SelfFacilitatorOptions): Facilitator {
  const { sender, calls } = options;
  let ok: boolean | undefined;
  return {
    name: 'self',
    get ok() {
      return ok;
    },
    get gas() {
      return sender.gas;
    },
    async verify(request) {
      try {
        const outcome = await verify(options, request);
        ok = outcome.kind !== 'unavailable';
        return outcome;
      } catch (cause) {
        ok = false;
        return { kind: 'unavailable', reason: nameOf(cause) };
      }
    },
    async settle(request) {
      try {
        return await sender.send(calls.callOf(request), calls.reasons);
      } catch (cause) {
        // Only what comes before a transaction is sent rejects.
        return { kind: 'unsent', reason: nameOf(cause) };
      }
    },
    async probe() {
      try {
        ok = (await isOurChain(options)) && (await sender.obstacle()) === undefined;
      } catch {
        ok = false;
      }
    },
    stop: () => sender.stop(),
  };
}

/** The scheme's own check, then the very call that would settle it, simulated by the node. */
async function verify(
  { sender, calls }: SelfFacilitatorOptions,
  request: SettlementRequest,
): Promise<VerifyOutcome> {
  const fault = await calls.fault?.(request, sender.rpc);
  if (fault !== undefined) return { kind: 'invalid', reason: fault };
  const [obstacle, refusal] = await Promise.all([sender.obstacle(), sender.refusalOf(calls.callOf(request))]);
  if (obstacle !== undefined) return { kind: 'unavailable', reason: obstacle };
  if (refusal === undefined) return { kind: 'valid' };
  return { kind: refusal === 'paused' ? 'unavailable' : 'invalid', reason: calls.reasons[refusal] };
}

async function isOurChain({ sender: { rpc }, calls, chainId }: SelfFacilitatorOptions): Promise<boolean> {
  const codes = calls.contracts.map((contract) => rpc('eth_getCode', [contract, 'latest']));
  const [answer, ...found] = await Promise.all([rpc('eth_chainId', []), ...codes]);
  return readQuantity(answer) === BigInt(chainId) && found.every((code) => code !== '0x');
}

function nameOf(cause: unknown): string {
  return cause instanceof RpcError ? 'rpc_failed' : 'facilitator_failed';
}
