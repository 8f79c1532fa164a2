import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isWire, readText } from '../../src/domain/read.ts';
import { transferCall } from '../../src/pay/facilitators/self/transfer-call.ts';
import type { Authorization } from '../../src/pay/payment.ts';
import type { SandboxChain } from '../../src/pay/sandbox/chain.ts';
import type { Random } from './random.ts';

/** What happens to a settlement, and how often out of a hundred. */
const FAULTS = {
  none: 45,
  hang_before: 3,
  hang_after: 6,
  reset_before: 3,
  reset_after: 6,
  error_before: 3,
  error_after: 6,
  pending: 6,
  refused: 4,
  refused_after: 4,
  other_network: 4,
  other_payer: 2,
  nonsense_after: 2,
  lie: 2,
  unread: 2,
  late: 4,
} as const;
export type Fault = keyof typeof FAULTS;
const NAMES = Object.keys(FAULTS) as Fault[];

/** Later than the service waits. */
const LATE_MS = 3_000;

export interface FaultyFacilitator {
  readonly url: string;
  /** How often each fault happened. */
  readonly faults: ReadonlyMap<string, number>;
  /** Nonces that this one may have taken on: it did not turn them away unread. */
  readonly took: ReadonlySet<string>;
  /** Nonces that were submitted to the chain. */
  readonly submitted: ReadonlySet<string>;
  /** From now on without faults. */
  calm(): void;
  stop(): Promise<void>;
}

/** A facilitator that submits truly and tells the truth about half of the time. */
export async function startFaultyFacilitator(
  chain: SandboxChain,
  random: Random,
): Promise<FaultyFacilitator> {
  const faults = new Map<string, number>();
  const took = new Set<string>();
  const submitted = new Set<string>();
  const pendings = new Set<string>();
  const lates = new Set<Promise<unknown>>();
  let calm = false;
  const sender = `0x${Buffer.from(Array.from({ length: 20 }, () => random.between(0, 255))).toString('hex')}`;
  await chain.rpc('anvil_setBalance', [sender, `0x${(10n ** 24n).toString(16)}`]);
  await chain.rpc('anvil_impersonateAccount', [sender]);

  const drawn = (): Fault => {
    if (calm) return 'none';
    let point = random.between(
      1,
      NAMES.reduce((sum, name) => sum + FAULTS[name], 0),
    );
    for (const name of NAMES) {
      point -= FAULTS[name];
      if (point <= 0) return name;
    }
    return 'none';
  };

  /** The transaction where the money moved; undefined where it did not. */
  const submit = async (asked: Asked): Promise<string | undefined> => {
    submitted.add(asked.authorization.nonce);
    const data = transferCall(asked.authorization, asked.signature);
    const call = { from: sender, to: chain.token, data, gas: '0x30d40' };
    try {
      const hash = String(await chain.rpc('eth_sendTransaction', [call]));
      const receipt = await chain.rpc('eth_getTransactionReceipt', [hash]);
      return isWire(receipt) && receipt.status === '0x1' ? hash : undefined;
    } catch {
      return undefined;
    }
  };

  const settle = async (asked: Asked, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { nonce, from: payer } = asked.authorization;
    const fault = pendings.has(nonce) ? 'none' : drawn();
    faults.set(fault, (faults.get(fault) ?? 0) + 1);
    if (fault === 'unread') return send(response, 429, { error: 'slow down' });
    took.add(nonce);
    const success = (transaction: string, more: object = {}) =>
      send(response, 200, { success: true, transaction, network: 'eip155:8453', payer, ...more });
    const failure = (status: number, errorReason: string, transaction = '') =>
      send(response, status, { success: false, errorReason, transaction, network: 'eip155:8453', payer });
    if (fault === 'hang_before') return;
    if (fault === 'reset_before') return void request.socket.destroy();
    if (fault === 'error_before') return send(response, 500, { error: 'internal' });
    if (fault === 'refused') return failure(200, 'insufficient_funds');
    if (fault === 'lie') return success(`0x${'ab'.repeat(32)}`);
    if (fault === 'late') {
      const later = new Promise((resolve) => setTimeout(resolve, LATE_MS)).then(() => submit(asked));
      lates.add(later);
      void later.finally(() => lates.delete(later));
      return;
    }
    const transaction = await submit(asked);
    if (fault === 'hang_after') return;
    if (fault === 'reset_after') return void request.socket.destroy();
    if (fault === 'error_after') return send(response, 500, { error: 'internal' });
    if (fault === 'nonsense_after') return void response.writeHead(200).end('{"success":"perh');
    if (fault === 'refused_after') return failure(200, 'insufficient_funds');
    if (fault === 'pending') {
      pendings.add(nonce);
      return failure(500, 'settlement_pending', transaction ?? '');
    }
    if (transaction === undefined) return failure(200, 'invalid_exact_evm_nonce_already_used');
    if (fault === 'other_network') return success(transaction, { network: 'eip155:1' });
    if (fault === 'other_payer') return success(transaction, { payer: `0x${'11'.repeat(20)}` });
    return success(transaction);
  };

  const verify = (response: ServerResponse, request: IncomingMessage): void => {
    const fault = calm ? 100 : random.between(1, 100);
    if (fault <= 2) request.socket.destroy();
    else if (fault <= 4) send(response, 503, {});
    else if (fault <= 6) send(response, 200, { isValid: false, invalidReason: 'insufficient_funds' });
    else send(response, 200, { isValid: true });
  };

  const server = createServer((request, response) => {
    if (request.url === '/supported') {
      return send(response, 200, { kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }] });
    }
    void readAsked(request).then((asked) => {
      if (asked === undefined) return send(response, 400, {});
      return request.url === '/settle' ? settle(asked, request, response) : verify(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    took,
    submitted,
    calm() {
      calm = true;
    },
    async stop() {
      await Promise.all(lates);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Asked {
  readonly authorization: Authorization;
  readonly signature: string;
}

async function readAsked(request: IncomingMessage): Promise<Asked | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const payment = isWire(body) && isWire(body.paymentPayload) ? body.paymentPayload.payload : undefined;
    if (!isWire(payment) || !isWire(payment.authorization)) return undefined;
    const signature = readText(payment.signature) ?? '';
    return { authorization: payment.authorization as unknown as Authorization, signature };
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
