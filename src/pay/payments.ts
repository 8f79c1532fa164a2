import type { Clock } from '../domain/clock.ts';
import type { FilledPort } from '../runtime/port.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import type { ChargingConfig, OffConfig, PaymentConfig } from './config.ts';
import type { GasReserve } from './facilitator.ts';
import type { FacilitatorState } from './facilitator-list.ts';
import { createFreePaywall } from './free-paywall.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerKind } from './ledger-store.ts';
import type { PaidWay } from './margin.ts';
import { anyBehind, type NodeState, type NodeWatch, nodeWatches } from './node-watch.ts';
import type { LedgerPlace } from './open-ledger.ts';
import { backgroundLoop, type Loop, lookLoop } from './payment-loops.ts';
import { endParts, type OpenParts, openLedgerOf, openSchemes, saleOf } from './payment-parts.ts';
import { createPaywall, type RunningPaywall } from './paywall.ts';
import type { PaymentEvent } from './paywall-context.ts';
import type { PriceSchedule } from './prices.ts';
import type { PaymentRecord } from './record.ts';
import type { SaleHook, SaleOpener } from './sale.ts';
import type { SchemeCounter } from './scheme.ts';
import type { OpenSchemeOptions } from './schemes/entry.ts';
import { SCHEMES } from './schemes/list.ts';
import type { Paywall, ProtectedRoute, RenderProblem } from './types.ts';
import { unattended } from './unattended.ts';

/** The effect of an offer that is not in a header. */
const UNNAMED =
  'the catalog and MCP name it, and payments by it are taken; offer fewer networks, or a shorter BASE_URL';

/** The part of `/v1/health` about payments. */
export interface PaymentHealth {
  readonly mode: PaymentConfig['mode'];
  /** True if the facilitator last answered sensibly; null before the first answer, and in mode `off`. */
  readonly facilitator_ok: boolean | null;
  /** The source of the proof that a payment is settled; null in mode `off`. */
  readonly settlement_proof: 'rpc' | 'facilitator' | null;
  /** Kind of the store of payments; null in mode `off`. */
  readonly ledger: LedgerKind | null;
  /** True if the ledger last answered; null in mode `off`. */
  readonly ledger_ok: boolean | null;
  /** True if the node of some network is behind its chain; null where none is asked, or none was yet. */
  readonly node_behind: boolean | null;
}

export interface PaymentsOptions {
  readonly config: PaymentConfig;
  /** The place of payments; undefined: the folder of the configuration. */
  readonly ledgerPlace?: LedgerPlace | undefined;
  readonly prices: PriceSchedule;
  readonly routes: readonly ProtectedRoute[];
  readonly renderProblem: RenderProblem;
  /** Version of the route table, for what is signed of sales. */
  readonly routeTable: string;
  /** Signs offers and sales; nothing of them is signed without it. */
  readonly openSale?: SaleOpener | undefined;
  /** Opens the facilitator of mode `self`, which cannot be without it. */
  readonly ownFacilitator?: OpenSchemeOptions['ownFacilitator'];
  readonly clock?: Clock;
  readonly observe?: (event: PaymentEvent) => void;
  /** Told of each payment that a facilitator found good. */
  readonly onVerified?: () => void;
  /** Told of payments that were closed in the background. */
  readonly onClosed?: (record: PaymentRecord) => void;
  /** Told of failures that the buyer only sees as a status, and of those in the background. */
  readonly onError?: (cause: unknown) => void;
}

/** A facilitator, and the way of paying for which it is asked. */
export interface AskedFacilitator extends FacilitatorState {
  readonly scheme: string;
  /** CAIP-2. */
  readonly network: string;
}

/** The gas of the operator's account on a network. */
export interface NetworkGas extends GasReserve {
  /** CAIP-2. */
  readonly network: string;
}

/** A count of a scheme on a network. */
export interface NetworkCounter extends SchemeCounter {
  /** CAIP-2. */
  readonly network: string;
}

/** The payment side of the running service. */
export interface Payments {
  readonly paywall: Paywall;
  /** Undefined in mode `off`. */
  readonly ledger: Ledger | undefined;
  /** Ports for products and modules, opened by the signing of sales. */
  readonly ports: readonly FilledPort[];
  /** From now on `hook` hears the sales of a route; of mode `off`, which sells nothing, it hears none. */
  hearSales(routeId: string, hook: SaleHook): void;
  /** Counts of the open schemes. */
  readonly counters: readonly NetworkCounter[];
  health(): PaymentHealth;
  /** Facilitators of each scheme on each network, in order of preference; none in mode `off`. */
  facilitators(): readonly AskedFacilitator[];
  /** The node of each network that has one and whose chain goes on by itself. */
  nodes(): readonly NodeState[];
  /** The gas of the operator's account on each network where that settles, once it is known. */
  gas(): readonly NetworkGas[];
  /** Each scheme with what has settled its sales; none in mode `off`. */
  ways(): readonly PaidWay[];
  /**
   * Looks at a payment now whose outcome is not known, without waiting for its time; one that somebody works on stays as
   * it is. The record afterwards.
   */
  look(record: PaymentRecord): Promise<PaymentRecord | undefined>;
  /** Takes up what an earlier run left open, and goes on closing unknown payments until `stop`. */
  start(): void;
  /** Takes no more payments, ends those in flight, closes the ledger. */
  stop(): Promise<void>;
}

export type PaymentsResult =
  | { readonly ok: true; readonly value: Payments }
  | { readonly ok: false; readonly errors: readonly string[] };

/** Puts the payment side together as configured; all faults of routes and prices are returned at once. */
export async function createPayments(options: PaymentsOptions): Promise<PaymentsResult> {
  const { config } = options;
  if (config.mode === 'off') return { ok: true, value: freePayments(config, options.renderProblem) };
  const { seller } = config;
  const obstacle = modeObstacle(options);
  if (obstacle !== undefined) return { ok: false, errors: [obstacle] };
  const ledger = await openLedgerOf(config, options);
  if (typeof ledger === 'string') return { ok: false, errors: [ledger] };
  const { clock } = ledger;
  const onError = options.onError ?? (() => {});
  const nodes = nodeWatches(config, clock);
  const schemes = await openSchemes({ ...options, config, ledger, clock }, nodes);
  if (typeof schemes === 'string') {
    await ledger.close();
    return { ok: false, errors: [schemes] };
  }
  const sale = await saleOf(options, { ...options, seller, schemes, clock, log: ledger.saleLog, onError });
  if (typeof sale === 'string') {
    await endParts({ ledger, schemes });
    return { ok: false, errors: [sale] };
  }
  const signing = sale === undefined ? {} : { sale };
  const saleHooks = new Map<string, SaleHook>();
  const paywall = createPaywall({ ...options, seller, clock, ledger, schemes, saleHooks, ...signing });
  if (!paywall.ok) {
    await endParts({ ledger, schemes, sale });
    return paywall;
  }
  const ledgerKind = options.ledgerPlace?.kind ?? 'embedded';
  const parts = {
    mode: config.mode,
    ledgerKind,
    ledger,
    schemes,
    nodes,
    sale,
    saleHooks,
    onError,
  };
  return { ok: true, value: new ChargedPayments({ ...parts, paywall: paywall.value }) };
}

/** The reason for which nothing can be settled in this mode; undefined where it can. */
function modeObstacle({ config, ownFacilitator }: PaymentsOptions): string | undefined {
  if (config.mode !== 'self' || ownFacilitator !== undefined) return undefined;
  return 'PAYMENTS_MODE=self: this service has no facilitator of its own';
}

interface ChargedParts extends OpenParts {
  readonly mode: ChargingConfig['mode'];
  readonly ledgerKind: LedgerKind;
  readonly saleHooks: Map<string, SaleHook>;
  readonly paywall: RunningPaywall;
  readonly nodes: readonly NodeWatch[];
  readonly onError: (cause: unknown) => void;
}

/** Payments of a service that charges. */
class ChargedPayments implements Payments {
  readonly paywall: RunningPaywall;
  readonly ledger: Ledger;
  readonly ports: readonly FilledPort[];
  readonly counters: readonly NetworkCounter[];
  readonly #parts: ChargedParts;
  readonly #loops: readonly Loop[];
  #warned: Promise<void> = Promise.resolve();

  constructor(parts: ChargedParts) {
    const { ledger, paywall, schemes, nodes, sale, onError } = parts;
    this.#parts = parts;
    this.paywall = paywall;
    this.ledger = ledger;
    this.ports = sale?.ports ?? [];
    this.counters = schemes.flatMap(({ counters = [], seller }) =>
      counters.map((counter) => ({ ...counter, network: seller.network.id })),
    );
    const settlements = schemes.map(({ settlement }) => settlement);
    const rounds = backgroundLoop(paywall, () => this.#recover(), settlements, onError);
    const watches = schemes.flatMap(({ watch }) => (watch === undefined ? [] : [watch]));
    this.#loops = [rounds, ...[...nodes, ...watches].map((watch) => lookLoop(watch, onError))];
  }

  hearSales(routeId: string, hook: SaleHook): void {
    this.#parts.saleHooks.set(routeId, hook);
  }

  health(): PaymentHealth {
    const { mode, ledgerKind, schemes } = this.#parts;
    const known = schemes.map(({ settlement }) => settlement.ok).filter((ok) => ok !== undefined);
    return {
      mode,
      facilitator_ok: known.length === 0 ? null : known.includes(true),
      settlement_proof: schemes[0]?.settlement.proof ?? null,
      ledger: ledgerKind,
      ledger_ok: this.ledger.remote?.ok ?? true,
      node_behind: anyBehind(this.nodes()),
    };
  }

  nodes(): readonly NodeState[] {
    return this.#parts.nodes.map((node) => node.state());
  }

  facilitators(): readonly AskedFacilitator[] {
    return this.#parts.schemes.flatMap(({ name: scheme, seller, settlement }) =>
      settlement.states().map((state) => ({ ...state, scheme, network: seller.network.id })),
    );
  }

  gas(): readonly NetworkGas[] {
    const known = new Map<string, NetworkGas>();
    for (const { seller, settlement } of this.#parts.schemes) {
      const reserve = settlement.gas?.();
      const { id: network } = seller.network;
      if (reserve !== undefined) known.set(network, { ...reserve, network });
    }
    return [...known.values()];
  }

  ways(): readonly PaidWay[] {
    return this.#parts.schemes.map(({ name, seller, accounts, settlement }) => ({
      scheme: name,
      network: seller.network.id,
      isAlone: accounts === undefined,
      costs: settlement.costs(),
    }));
  }

  look(record: PaymentRecord): Promise<PaymentRecord | undefined> {
    return this.paywall.reconciler.look(record);
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
    // A ledger that cannot be read is reported by the rounds.
    this.#warned = this.#warn().catch(() => {});
  }

  async stop(): Promise<void> {
    await this.paywall.drain();
    for (const loop of this.#loops) await loop.stop();
    await this.#warned;
    await endParts(this.#parts);
  }

  /** Tells the operator once of offers that few buyers see, and of what nobody looks after. */
  async #warn(): Promise<void> {
    const { schemes, onError } = this.#parts;
    for (const { name, seller } of this.paywall.unnamed)
      onError(
        new Error(`${name} on ${seller.network.id} has no room in the header of every 402: ${UNNAMED}`),
      );
    for (const sentence of await unattended(this.ledger, SCHEMES, schemes)) onError(new Error(sentence));
  }

  /** Each step whether or not the one before failed: rejects with the first failure. */
  async #recover(): Promise<void> {
    const { reconciler } = this.paywall;
    const { sale } = this.#parts;
    const steps = [() => reconciler.recover(), () => this.ledger.sweep(), async () => sale?.tick?.()];
    const failures: unknown[] = [];
    for (const step of steps) await step().catch((cause: unknown) => failures.push(cause));
    if (failures.length > 1) throw new AggregateError(failures, failures.map(reasonOf).join('; '));
    if (failures.length > 0) throw failures[0];
  }
}

function freePayments(config: OffConfig, renderProblem: RenderProblem): Payments {
  return {
    paywall: createFreePaywall(renderProblem),
    ledger: undefined,
    ports: [],
    hearSales: () => {},
    counters: [],
    health: () => ({
      mode: config.mode,
      facilitator_ok: null,
      settlement_proof: null,
      ledger: null,
      ledger_ok: null,
      node_behind: null,
    }),
    facilitators: () => [],
    nodes: () => [],
    gas: () => [],
    ways: () => [],
    look: async (record) => record,
    start: () => {},
    stop: async () => {},
  };
}
