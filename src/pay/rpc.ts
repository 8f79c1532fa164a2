import { isWire } from '../domain/read.ts';

/** A JSON-RPC call that was answered with an error, or not at all. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
}

/** One method call of an Ethereum node. Rejects with RpcError. */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Plain JSON-RPC over HTTP with a time limit; the address may hold a key and is never repeated in errors. */
export function createRpc(url: string, timeoutMs = 5_000): Rpc {
  let id = 0;
  return async (method, params) => {
    id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const answer = await post(url, body, timeoutMs, method);
    if (!isWire(answer)) throw new RpcError(`${method}: no JSON-RPC answer`);
    if (answer.error !== undefined && answer.error !== null) {
      const message = isWire(answer.error) ? answer.error.message : undefined;
      throw new RpcError(`${method}: ${typeof message === 'string' ? message.slice(0, 200) : 'failed'}`);
    }
    return answer.result;
  };
}

async function post(url: string, body: string, timeoutMs: number, method: string): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await response.json();
  } catch (cause) {
    throw new RpcError(`${method}: ${cause instanceof Error ? cause.name : 'failed'}`);
  }
}
