import { isWire, readText, type Wire } from '../domain/read.ts';

/** A JSON-RPC call that was answered with an error, or not at all. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  /** The node's own words; undefined where there was no answer. */
  readonly answer: { readonly code: number; readonly message: string; readonly data: string } | undefined;

  constructor(message: string, answer?: RpcError['answer']) {
    super(message);
    this.answer = answer;
  }
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
    if (isWire(answer.error)) throw refusal(method, answer.error);
    if (answer.error !== undefined && answer.error !== null) throw new RpcError(`${method}: failed`);
    return answer.result;
  };
}

function refusal(method: string, error: Wire): RpcError {
  const message = (readText(error.message) ?? 'failed').slice(0, 200);
  // Some nodes put the revert data into an object of their own.
  const data = readText(error.data) ?? (isWire(error.data) ? readText(error.data.data) : undefined) ?? '';
  return new RpcError(`${method}: ${message}`, { code: Number(error.code), message, data });
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

/** A number as nodes write it; undefined for anything else. */
export function readQuantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-fA-F]+$/.test(value) ? BigInt(value) : undefined;
}

/** A number as nodes read it. */
export function quantityText(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
