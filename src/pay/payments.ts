import type { Clock } from '../domain/clock.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { ChainWatch, type ChainWatchState } from './chain-watch.ts';
import type { OffConfig, PaymentConfig, RemoteConfig, SandboxConfig, SelfConfig } from './config.ts';
import type { RemoteEndpoint } from './config-facilitators.ts';
import type { Facilitator } from './facilitator.ts';
import { FacilitatorList, type FacilitatorState } from './facilitator-list.ts';
import { DEFAULT_TIMES } from './facilitators/client.ts';
import { createFreePaywall } from './free-paywall.ts';
import type { Ledger } from './ledger.ts';
import { openLedgerAt } from './open-ledger.ts';
import { createPaywall, type RunningPaywall } from './paywall.ts';
import type { PaymentEvent } from './paywall-context.ts';
import type { PriceBook } from './prices.ts';
import { createRpcProof } from './proof.ts';
import { DailyRoots } from './receipts/daily-roots.ts';
import { KeyRing } from './receipts/signing-keys.ts';
import type { PaymentRecord } from './record.ts';
import { loadCheckSigner } from './recover.ts';
import { createRpc } from './rpc.ts';
import { createSignatureFilter, type SignatureFilter } from './signature.ts';
import type { Paywall, ProtectedRoute, RenderProblem } from './types.ts';

/** What `/v1/health` says about payments. */
export interface PaymentHealth {
  readonly mode: PaymentConfig['mode'];
  /** Whether the facilitator last answered sensibly; null before the first answer, and in mode `off`. */
  readonly facilitator_ok: boolean | null;
  /** Who says that a payment is settled; null in mode `off`. */
  readonly settlement_proof: 'rpc' | 'facilitator' | null;
  /** Where payments are kept; null in mode `off`. */
  readonly ledger: 'embedded' | 'postgres' | null;
  /** Whether the ledger last answered; null in mode `off`. */
  readonly ledger_ok: boolean | null;
}

export interface PaymentsOptions {
  readonly config: PaymentConfig;
  readonly prices: PriceBook;
  readonly routes: readonly ProtectedRoute[];
  readonly renderProblem: RenderProblem;
  /** Version of the route table, for receipts. */
  readonly routeTable: string;
  readonly clock?: Clock;
  readonly observe?: (event: PaymentEvent) => void;
  /** Told of each payment that a facilitator found good. */
  readonly onVerified?: () => void;
  /** Told of payments that were closed in the background. */
  readonly onClosed?: (record: PaymentRecord) => void;
  /** Told of failures that the buyer only sees as a status, and of those in the background. */
  readonly onError?: (cause: unknown) => void;
}

/** The payment side of the running service. */
export interface Payments {
  readonly paywall: Paywall;
  /** Undefined in mode `off`. */
  readonly ledger: Ledger | undefined;
  /** What is published of receipts; undefined in mode `off`. */
  readonly receipts: DailyRoots | undefined;
  /** Sales for which receipts were made, since the start. */
  receiptsIssued(): number;
  health(): PaymentHealth;
  /** Who settles, in order of preference; none in mode `off`. */
  facilitators(): readonly FacilitatorState[];
  /**
   * Looks at a payment now whose outcome is not known, without waiting for its time; one that somebody works on stays as
   * it is. The record afterwards.
   */
  look(record: PaymentRecord): Promise<PaymentRecord | undefined>;
  /** What the ledger's comparison with the chain has found; undefined without a node to ask. */
  chain(): ChainWatchState | undefined;
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
/** What other processes of this host left behind is looked for so often, in ticks. */
const RECOVER_TICKS = 5;
/** Ledger and chain are compared so often. */
const LOOK_MS = 300_000;

/** Puts the payment side together as configured; all faults of routes and prices are returned at once. */
export async function createPayments(options: PaymentsOptions): Promise<PaymentsResult> {
  const { config } = options;
  if (config.mode === 'off') return { ok: true, value: freePayments(config, options.renderProblem) };
  const signatures = createSignatureFilter(config.seller, await loadCheckSigner());
  const facilitators = new FacilitatorList(await facilitatorsOf(config, signatures));
  const confirmations = config.mode === 'self' ? config.confirmations : 1;
  const rpc = config.rpcUrl === undefined ? undefined : createRpc(config.rpcUrl);
  const proof = rpc && createRpcProof(rpc, confirmations);
  const named = config.ledgerUrl === undefined ? 'LEDGER_PATH' : 'LEDGER_URL';
  const ledger = await opened(`${named}: the ledger`, () =>
    openLedgerAt({ ...config, mayBeAway: true }, options.clock),
  );
  if (typeof ledger === 'string') return { ok: false, errors: [ledger] };
  const { clock } = ledger;
  const keys = await opened('RECEIPT_KEYS_FILE: the file', () => new KeyRing(config.receiptKeysPath, clock));
  if (typeof keys === 'string') {
    await ledger.close();
    return { ok: false, errors: [keys] };
  }
  const { seller } = config;
  const paywall = createPaywall({
    ...{ ...options, seller, clock, ledger, facilitators, proof, signatures },
    receipts: { keys, routeTable: options.routeTable },
  });
  if (!paywall.ok) {
    await ledger.close();
    return paywall;
  }
  const { receiptLog: log } = ledger;
  const receipts = log && new DailyRoots({ keys, baseUrl: seller.baseUrl, log, clock });
  const recover = async (): Promise<void> => {
    await paywall.value.reconciler.recover();
    await ledger.sweep();
    await receipts?.tick();
  };
  const onError = options.onError ?? (() => {});
  const loop = backgroundLoop(paywall.value, recover, facilitators, onError);
  const watch = rpc && new ChainWatch({ rpc, ledger, seller, clock });
  const looks = watch && lookLoop(watch, onError);
  return {
    ok: true,
    value: {
      paywall: paywall.value,
      ledger,
      receipts,
      receiptsIssued: () => paywall.value.receiptsIssued,
      health: () => ({
        mode: config.mode,
        facilitator_ok: facilitators.ok ?? null,
        settlement_proof: proof === undefined ? 'facilitator' : 'rpc',
        ledger: ledger.remote === undefined ? 'embedded' : 'postgres',
        ledger_ok: ledger.remote?.ok ?? true,
      }),
      facilitators: () => facilitators.states(),
      look: (record) => paywall.value.reconciler.look(record),
      chain: () => watch?.state(),
      start() {
        loop.start();
        looks?.start();
      },
      async stop() {
        await paywall.value.drain();
        await loop.stop();
        await looks?.stop();
        facilitators.stop();
        await ledger.close();
      },
    },
  };
}

/** What is opened, or why it cannot be. */
async function opened<T>(what: string, open: () => T | Promise<T>): Promise<T | string> {
  try {
    return await open();
  } catch (cause) {
    return `${what} cannot be opened: ${reasonOf(cause)}`;
  }
}

function freePayments(config: OffConfig, renderProblem: RenderProblem): Payments {
  return {
    paywall: createFreePaywall(renderProblem),
    ledger: undefined,
    receipts: undefined,
    receiptsIssued: () => 0,
    health: () => ({
      mode: config.mode,
      ...{ facilitator_ok: null, settlement_proof: null, ledger: null, ledger_ok: null },
    }),
    facilitators: () => [],
    look: async (record) => record,
    chain: () => undefined,
    start: () => {},
    stop: async () => {},
  };
}

type Facilitators = readonly [Facilitator, ...Facilitator[]];

/** Loads only the facilitator that is configured: those with a chain client bring a lot of code. */
async function facilitatorsOf(
  config: RemoteConfig | SelfConfig | SandboxConfig,
  signatures: SignatureFilter,
): Promise<Facilitators> {
  if (config.mode === 'remote') return remoteFacilitators(config);
  if (config.mode === 'self') return [await selfFacilitator(config, signatures)];
  const { createSandboxFacilitator } = await import('./facilitators/sandbox.ts');
  const { rpcUrl, facilitatorKey: privateKey, seller } = config;
  return [
    await createSandboxFacilitator({ rpcUrl, privateKey, network: `eip155:${seller.network.chainId}` }),
  ];
}

async function remoteFacilitators(config: RemoteConfig): Promise<Facilitators> {
  const { createRemoteFacilitator } = await import('./facilitators/remote.ts');
  const { facilitators, seller, verifyTimeoutMs: verifyMs, settleTimeoutMs: settleMs } = config;
  const times = { ...DEFAULT_TIMES, verifyMs, settleMs };
  const [first, ...others] = facilitators;
  const made = ({ url, auth }: RemoteEndpoint): Facilitator =>
    createRemoteFacilitator({ url, auth, network: seller.network.id, times });
  return [made(first), ...others.map(made)];
}

async function selfFacilitator(config: SelfConfig, signatures: SignatureFilter): Promise<Facilitator> {
  const [{ createSelfFacilitator }, { createWallet }, { loadSign }] = await Promise.all([
    import('./facilitators/self/self.ts'),
    import('./facilitators/self/wallet.ts'),
    import('./sign.ts'),
  ]);
  const { seller, facilitatorKey, rpcUrl, maxFeePerGas, confirmations } = config;
  const wallet = await createWallet(facilitatorKey, seller.network.chainId, await loadSign(facilitatorKey));
  const rpc = createRpc(rpcUrl);
  return createSelfFacilitator({ rpc, seller, wallet, signatures, maxFeePerGas, confirmations });
}

interface Loop {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** One round at a time; the next begins a tick after the last has ended. */
function backgroundLoop(
  paywall: RunningPaywall,
  recover: () => Promise<void>,
  facilitators: FacilitatorList,
  onError: (cause: unknown) => void,
): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = true;
  let ticks = 0;
  /** Why the last round failed: said once, until a round succeeds or fails for another reason. */
  let failing: string | undefined;
  const round = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      if (facilitators.ok !== true && ticks % PROBE_TICKS === 0) await facilitators.probe();
      if (++ticks % RECOVER_TICKS === 0) await recover();
      failing = undefined;
    } catch (cause) {
      if (reasonOf(cause) !== failing) onError(cause);
      failing = reasonOf(cause);
    }
    if (stopped) return;
    timer = setTimeout(() => {
      running = round(() => paywall.reconciler.run());
    }, TICK_MS);
    timer.unref();
  };
  return {
    start() {
      stopped = false;
      running = round(recover);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** One look at a time; one that fails is made again with the next. */
function lookLoop(watch: ChainWatch, onError: (cause: unknown) => void): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  return {
    start() {
      timer = setInterval(() => {
        running = running.then(() => watch.look()).catch(onError);
      }, LOOK_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
