import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import type { Scheme } from '../../src/pay/scheme.ts';
import type { FakeClock } from './fakes.ts';
import type { Steps } from './model-steps.ts';
import type { World } from './model-world.ts';

/** Something that may happen next. */
export interface Action {
  readonly name: string;
  readonly take: () => void;
}

export interface Scenario {
  readonly name: string;
  /** The first process hangs before this step for longer than its lease. */
  readonly stallsAt?: string;
  /** Processes on hosts of their own: the ledger is asked over networks that fail. */
  readonly hosts?: true;
  /** The store of payments, made to break its word: such a run must end in a breach. */
  readonly breaks?: (store: LedgerStore) => LedgerStore;
  /** Attempts to make the answer that fail. */
  readonly failures?: number;
  /** There is a second route, of another price. */
  readonly hasCheap?: true;
  /** The way in which the buyer pays. */
  open(setting: Setting): Way;
}

/** The parts of a run that its way of paying is built on. */
export type Setting = Pick<
  World,
  'steps' | 'clock' | 'ledger' | 'store' | 'routes' | 'seller' | 'priceOf'
> & {
  readonly isOnHosts: boolean;
  noteBreach(text: string): void;
};

/** A process as its way of paying sees it. */
export interface Acting {
  readonly actor: string;
  /** Name of this run of the process. */
  readonly owner: string;
  readonly steps: Steps;
  readonly clock: FakeClock;
}

/** A request with its payment. */
export interface Presented {
  /** Presentations of one purchase have one name: it is paid once, and has one product. */
  readonly purchase: string;
  readonly header: string;
  /** A request about the buyer's account. */
  readonly buysNothing?: boolean;
  /** Path and query; undefined: always the same. */
  readonly resource?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** The way in which the buyer of a run pays: its chain, its scheme in each process, what it signs, and its rules. */
export interface Way {
  /** Of this process, over its own view of the store. */
  scheme(process: Acting, store: World['store']): Scheme;
  /** Presentations in their order: by the first two processes, then by the one that stays. */
  present(index: number): Presented;
  /** Presentations to the process that stays. */
  readonly rounds: number;
  /** Once more when everything must have come to rest. */
  readonly asksInTheEnd?: true;
  /** The money has moved for a purchase. */
  isPaid(purchase: string): Promise<boolean> | boolean;
  /** So often may an answer arrive that no kill or lapse has hidden; undefined: as often as it is asked for. */
  readonly mostAnswers: number | undefined;
  /** Something was submitted, and is not in a block yet. */
  readonly isWaiting: boolean;
  mine(): void;
  /** Events of the chain and of its node, each at most once. */
  events(): readonly Action[];
  /** An answer is about to leave. */
  leaving?(purchase: string, status: number): void;
  /** Something was stored. */
  stored?(): void;
  /** Everything that was stored is on the disk. */
  flushed?(): void;
  /** A long time after. */
  over?(): void;
  /** A facilitator of the run refuses and submits all the same: the buyer's answer was true only then. */
  readonly misleads?: boolean;
  /** The state of its chain, its facilitators and its rules, as far as it decides what happens next. */
  state(): unknown;
  /** Breaches of the rules that only this way has. */
  breaches(world: World): Promise<readonly string[]>;
}
