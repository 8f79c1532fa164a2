import { type Clock, systemClock } from '../domain/clock.ts';
import type { OffConfig, PaymentConfig, RemoteConfig, SandboxConfig } from './config.ts';
import type { Facilitator } from './facilitator.ts';
import { createFreeGate } from './free-gate.ts';
import { createGate, type PaymentGate } from './gate.ts';
import type { PaymentEvent } from './gate-context.ts';
import type { Ledger } from './ledger.ts';
import { openLedger } from './ledger-lmdb.ts';
import type { PriceBook } from './prices.ts';
import { createRpcProof } from './proof.ts';
import type { PaymentRecord } from './record.ts';
import { loadRecover } from './recover.ts';
import { createRpc } from './rpc.ts';
import { createSignatureFilter } from './signature.ts';
import type { Gate, ProtectedRoute, RenderProblem } from './types.ts';

/** What `/v1/health` says about payments. */
export interface PaymentHealth {
  readonly mode: PaymentConfig['mode'];
  /** Whether the facilitator last answered sensibly; null before the first answer, and in mode `off`. */
  readonly facilitator_ok: boolean | null;
  /** Who says that a payment is settled; null in mode `off`. */
  readonly settlement_proof: 'rpc' | 'facilitator' | null;
}

export interface PaymentsOptions {
  readonly config: PaymentConfig;
  readonly prices: PriceBook;
  readonly routes: readonly ProtectedRoute[];
  readonly renderProblem: RenderProblem;
  readonly clock?: Clock;
  readonly observe?: (event: PaymentEvent) => void;
  /** Told of payments that were closed in the background. */
  readonly onClosed?: (record: PaymentRecord) => void;
  /** Told of failures that the buyer only sees as a status, and of those in the background. */
  readonly onError?: (cause: unknown) => void;
}

/** The payment side of the running service. */
export interface Payments {
  readonly gate: Gate;
  /** Undefined in mode `off`. */
  readonly ledger: Ledger | undefined;
  health(): PaymentHealth;
  /** Takes up what an earlier run left open, and goes on closing unknown payments until `stop`. */
  start(): void;
  /** Takes no more payments, ends those in flight, closes the ledger. */
  stop(): Promise<void>;
}

export type PaymentsResult =
  | { readonly ok: true; readonly value: Payments }
  | { readonly ok: false; readonly errors: readonly string[] };

const TICK_MS = 2_000;
/** A facilitator that does not answer is asked again so often, in ticks. */
const PROBE_TICKS = 15;

/** Puts the payment side together as configured; all faults of routes and prices are returned at once. */
export async function createPayments(options: PaymentsOptions): Promise<PaymentsResult> {
  const { config } = options;
  if (config.mode === 'off') return { ok: true, value: freePayments(config, options.renderProblem) };
  const facilitator = await facilitatorOf(config);
  const proof = config.rpcUrl === undefined ? undefined : createRpcProof(createRpc(config.rpcUrl));
  const clock = options.clock ?? systemClock;
  const ledger = openedLedger(config.ledgerPath, clock);
  if (typeof ledger === 'string') return { ok: false, errors: [ledger] };
  const signatures = createSignatureFilter(config.seller, await loadRecover());
  const gate = createGate({
    ...options,
    seller: config.seller,
    clock,
    ledger,
    facilitator,
    proof,
    signatures,
  });
  if (!gate.ok) {
    await ledger.close();
    return gate;
  }
  const loop = backgroundLoop(gate.value, facilitator, options.onError ?? (() => {}));
  return {
    ok: true,
    value: {
      gate: gate.value,
      ledger,
      health: () => ({
        mode: config.mode,
        facilitator_ok: facilitator.ok ?? null,
        settlement_proof: proof === undefined ? 'facilitator' : 'rpc',
      }),
      start: loop.start,
      async stop() {
        await gate.value.drain();
        await loop.stop();
        await ledger.close();
      },
    },
  };
}

function openedLedger(folder: string, clock: Clock): Ledger | string {
  try {
    return openLedger(folder, clock);
  } catch (cause) {
    return `LEDGER_PATH: the ledger cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

function freePayments(config: OffConfig, renderProblem: RenderProblem): Payments {
  return {
    gate: createFreeGate(renderProblem),
    ledger: undefined,
    health: () => ({ mode: config.mode, facilitator_ok: null, settlement_proof: null }),
    start: () => {},
    stop: async () => {},
  };
}

/** Loads only the facilitator that is configured: the sandbox's brings a whole chain client. */
async function facilitatorOf(config: RemoteConfig | SandboxConfig): Promise<Facilitator> {
  if (config.mode === 'remote') {
    const { createRemoteFacilitator } = await import('./facilitators/remote.ts');
    const { facilitatorUrl: url, facilitatorAuth: auth, seller } = config;
    return createRemoteFacilitator({ url, auth, network: seller.network.id });
  }
  const { createSandboxFacilitator } = await import('./facilitators/sandbox.ts');
  const { rpcUrl, facilitatorKey: privateKey, seller } = config;
  return createSandboxFacilitator({ rpcUrl, privateKey, network: `eip155:${seller.network.chainId}` });
}

interface Loop {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** One round at a time; the next begins a tick after the last has ended. */
function backgroundLoop(
  gate: PaymentGate,
  facilitator: Facilitator,
  onError: (cause: unknown) => void,
): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = true;
  let ticks = 0;
  const round = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      if (facilitator.ok !== true && ticks++ % PROBE_TICKS === 0) await facilitator.probe();
    } catch (cause) {
      onError(cause);
    }
    if (stopped) return;
    timer = setTimeout(() => {
      running = round(() => gate.reconciler.run());
    }, TICK_MS);
    timer.unref();
  };
  return {
    start() {
      stopped = false;
      running = round(() => gate.reconciler.recover());
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
