import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isWire, readText } from '../../src/domain/read.ts';
import type { SandboxChain } from '../../src/pay/sandbox/chain.ts';
import type { Authorization } from '../../src/pay/schemes/exact/authorization.ts';
import { transferCall } from '../../src/pay/schemes/exact/transfer-call.ts';
import { drawFault, drawVerifyFault, type Fault } from './pay-faults.ts';
import type { Random } from './random.ts';

/** Later than the service waits. */
const LATE_MS = 3_000;
const MINED_TRIES = 200;
const MINED_PAUSE_MS = 50;

interface Asked {
  readonly authorization: Authorization;
  readonly signature: string;
}

/** One call: what was asked, and the way back. */
interface Call {
  readonly asked: Asked;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A facilitator that submits truly and tells the truth most of the time. */
export class FaultyFacilitator {
  /** The number of each fault. */
  readonly faults = new Map<string, number>();
  /** Nonces that this one may have taken on: it did not turn them away unread. */
  readonly took = new Set<string>();
  readonly #pendings = new Set<string>();
  readonly #lates = new Set<Promise<unknown>>();
  readonly #chain: SandboxChain;
  readonly #random: Random;
  readonly #sender: string;
  readonly #server: Server;
  #calm = false;

  private constructor(chain: SandboxChain, random: Random) {
    this.#chain = chain;
    this.#random = random;
    const bytes = Array.from({ length: 20 }, () => random.between(0, 255));
    this.#sender = `0x${Buffer.from(bytes).toString('hex')}`;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(chain: SandboxChain, random: Random): Promise<FaultyFacilitator> {
    const made = new FaultyFacilitator(chain, random);
    await chain.rpc('anvil_setBalance', [made.#sender, `0x${(10n ** 24n).toString(16)}`]);
    await chain.rpc('anvil_impersonateAccount', [made.#sender]);
    await new Promise<void>((resolve) => made.#server.listen(0, '127.0.0.1', resolve));
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on without faults. */
  calm(): void {
    this.#calm = true;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#lates);
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/supported') {
      return send(response, 200, { kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }] });
    }
    const asked = await readAsked(request);
    if (asked === undefined) return send(response, 400, {});
    const call = { asked, request, response };
    return request.url === '/settle' ? this.#settle(call) : this.#verify(call);
  }

  #verify({ request, response }: Call): void {
    const fault = this.#calm ? 'none' : drawVerifyFault(this.#random);
    if (fault === 'hang') return;
    if (fault === 'reset') request.socket.destroy();
    else if (fault === 'unavailable') send(response, 503, {});
    else if (fault === 'invalid')
      send(response, 200, { isValid: false, invalidReason: 'insufficient_funds' });
    else send(response, 200, { isValid: true });
  }

  async #settle(call: Call): Promise<void> {
    const { nonce } = call.asked.authorization;
    const fault = this.#calm || this.#pendings.has(nonce) ? 'none' : drawFault(this.#random);
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
    if (fault === 'unread') return send(call.response, 429, { error: 'slow down' });
    this.took.add(nonce);
    if (this.#faultBefore(fault, call)) return;
    const transaction = await this.#submit(call.asked);
    if (this.#faultAfter(fault, call, transaction)) return;
    if (transaction === undefined) return refuse(call, 200, 'invalid_exact_evm_nonce_already_used');
    if (fault === 'other_network') return accept(call, transaction, { network: 'eip155:1' });
    return accept(call, transaction, fault === 'other_payer' ? { payer: `0x${'11'.repeat(20)}` } : {});
  }

  /** True where the money does not move before the answer, or at all. */
  #faultBefore(fault: Fault, call: Call): boolean {
    if (fault === 'reset_before') call.request.socket.destroy();
    else if (fault === 'error_before') send(call.response, 500, { error: 'internal' });
    else if (fault === 'refused') refuse(call, 200, 'insufficient_funds');
    else if (fault === 'lie') accept(call, `0x${'ab'.repeat(32)}`);
    else if (fault === 'late') this.#submitLate(call.asked);
    else return fault === 'hang_before';
    return true;
  }

  /** True where the answer hides that the money moved. */
  #faultAfter(fault: Fault, call: Call, transaction: string | undefined): boolean {
    if (fault === 'reset_after') call.request.socket.destroy();
    else if (fault === 'error_after') send(call.response, 500, { error: 'internal' });
    else if (fault === 'nonsense_after') call.response.writeHead(200).end('{"success":"perh');
    else if (fault === 'refused_after') refuse(call, 200, 'insufficient_funds');
    else if (fault === 'pending') {
      this.#pendings.add(call.asked.authorization.nonce);
      refuse(call, 500, 'settlement_pending', transaction);
    } else return fault === 'hang_after';
    return true;
  }

  #submitLate(asked: Asked): void {
    const later = new Promise((resolve) => setTimeout(resolve, LATE_MS)).then(() => this.#submit(asked));
    this.#lates.add(later);
    void later.finally(() => this.#lates.delete(later));
  }

  /** The transaction where the money moved; undefined where it did not. */
  async #submit({ authorization, signature }: Asked): Promise<string | undefined> {
    const { rpc, token } = this.#chain;
    const data = transferCall(authorization, signature);
    try {
      const call = { from: this.#sender, to: token, data, gas: '0x30d40' };
      const hash = String(await rpc('eth_sendTransaction', [call]));
      for (let i = 0; i < MINED_TRIES; i++) {
        const receipt = await rpc('eth_getTransactionReceipt', [hash]);
        if (isWire(receipt)) return receipt.status === '0x1' ? hash : undefined;
        await new Promise((resolve) => setTimeout(resolve, MINED_PAUSE_MS));
      }
      return undefined;
    } catch {
      return undefined;
    }
  }
}

function accept({ asked, response }: Call, transaction: string, more: object = {}): void {
  const payer = asked.authorization.from;
  send(response, 200, { success: true, transaction, network: 'eip155:8453', payer, ...more });
}

function refuse({ asked, response }: Call, status: number, errorReason: string, transaction = ''): void {
  const payer = asked.authorization.from;
  send(response, status, { success: false, errorReason, transaction, network: 'eip155:8453', payer });
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
