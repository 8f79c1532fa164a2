import type { EventStream } from '../api/http/event-stream.ts';
import type { RequestHandler } from '../api/http/http-server.ts';
import type { Mount } from '../api/server.ts';
import { SECOND_MS } from '../runtime/duration.ts';
import { type FilledPort, FilledPorts, type ReadPort } from '../runtime/port.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { systemTimer, type Timer, withTimeout } from '../runtime/timer.ts';
import type { Tape } from '../tape/tape.ts';
import type { MetricRow } from './metrics/metric-set.ts';
import type { Host, Listening, Module, OpenModule, ReadSettings, VenueSource } from './module.ts';
import type { Service } from './options.ts';
import { firstFlag, type RowJudge } from './row-judge.ts';
import { settingsOfOff } from './settings/all-settings.ts';
import type { SettingsOf } from './settings/settings.ts';

/** A module that takes longer to end is no longer waited for: the ledger has to be closed before the process is killed. */
const END_MS = 10 * SECOND_MS;

/** The settings of one module, out of those of all: a module declares by its specs what it reads. */
export const reading =
  (settings: Readonly<Record<string, unknown>>): ReadSettings =>
  (specs) =>
    Object.fromEntries(Object.keys(specs).map((name) => [name, settings[name]])) as SettingsOf<typeof specs>;

/** The modules that are on. */
export const modulesOn = <One extends Pick<Module, 'off'>>(
  modules: readonly One[],
  read: ReadSettings,
): readonly One[] => modules.filter(({ off }) => off?.(read) === undefined);

/** Everything that is wrong with the modules' settings, and with what they need of each other. */
export async function moduleFaults(
  modules: readonly Module[],
  read: ReadSettings,
  given: ReadonlySet<string>,
): Promise<readonly string[]> {
  const on = new Set(modulesOn(modules, read).map(({ id }) => id));
  const faults = modules.map(async (module) => {
    const hint = module.off?.(read);
    if (hint !== undefined) return settingsOfOff(module, hint, given);
    const missing = (module.needs ?? []).filter((id) => !on.has(id));
    const needs = missing.map((id) => `the module ${module.id} needs the module ${id}, which is off`);
    return [...needs, ...((await module.check?.(read)) ?? [])];
  });
  return (await Promise.all(faults)).flat();
}

/** The venues that modules add; of no module that is off. */
export async function moduleVenues(
  modules: readonly Module[],
  read: ReadSettings,
  given: Parameters<NonNullable<Module['venues']>>[1],
): Promise<VenueSource> {
  const opened = await Promise.all(modulesOn(modules, read).map(({ venues }) => venues?.(read, given)));
  const sources = opened.filter((source) => source !== undefined);
  return {
    adapters: sources.flatMap(({ adapters }) => adapters),
    transports: new Map(sources.flatMap(({ transports }) => [...transports])),
    errors: sources.flatMap(({ errors }) => errors),
    warnings: sources.flatMap(({ warnings }) => warnings),
  };
}

type Opened = readonly [id: string, module: OpenModule];

interface OpenGiven {
  readonly timer?: Timer;
  /** Filled by the modules' parts of the spine, which are open before. */
  readonly ports?: readonly FilledPort[];
}

/** Needed to end modules. */
interface Ending {
  readonly logger: Pick<Host['logger'], 'error'>;
  readonly timer: Timer;
}

/** The modules of a service that are on. */
export class OpenModules {
  #open: readonly Opened[];
  /** Reads what they have opened for products. */
  readonly readPort: ReadPort;
  readonly #ending: Ending;
  /** Ends what each listening module hears. */
  readonly #listening = new Map<string, () => void>();

  private constructor(open: readonly Opened[], readPort: ReadPort, ending: Ending) {
    this.#open = open;
    this.readPort = readPort;
    this.#ending = ending;
  }

  /**
   * Opens those that are on, in the order of the list.
   *
   * @throws Error that names the module which cannot be opened; those before it are stopped
   */
  static async open(
    modules: readonly Module[],
    host: Omit<Host, 'readPort'>,
    { timer = systemTimer, ports: filled = [] }: OpenGiven = {},
  ): Promise<OpenModules> {
    const open: Opened[] = [];
    const ports = new FilledPorts();
    ports.add(filled);
    const ending = { logger: host.logger, timer };
    for (const { id, open: openOne } of modulesOn(modules, host.settings)) {
      if (openOne === undefined) continue;
      try {
        const opened = await openOne({ ...host, readPort: ports.read });
        open.push([id, opened]);
        ports.add(opened.ports ?? []);
      } catch (cause) {
        await stopAll(open, ending);
        throw new Error(`the module ${id} cannot be opened: ${reasonOf(cause)}`, { cause });
      }
    }
    return new OpenModules(open, ports.read, ending);
  }

  get mounts(): readonly Mount[] {
    return this.#open.flatMap(([, { mounts = [] }]) => mounts);
  }

  get streams(): ReadonlyMap<string, EventStream> {
    return new Map(this.#open.flatMap(([, { streams = [] }]) => [...streams]));
  }

  get operatorHandlers(): readonly RequestHandler[] {
    return this.#open.flatMap(([, { operatorHandlers = [] }]) => operatorHandlers);
  }

  get metrics(): readonly MetricRow[] {
    return this.#open.flatMap(([, { metrics = [] }]) => metrics);
  }

  /** The first module's reason for which the service is not ready; undefined where all are. */
  unready(): string | undefined {
    for (const [, { unready }] of this.#open) {
      const reason = unready?.();
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** Adds those that judge rows to the tape, in the order of the list. Returns what flags a row. */
  judgeOn(tape: Pick<Tape, 'listen'>): RowJudge['flagOf'] {
    const judges = this.#open.flatMap(([id, { judges: judge }]) =>
      judge === undefined ? [] : [{ id, judge }],
    );
    for (const { id, judge } of judges) tape.listen(`judge ${id}`, judge.listens);
    return firstFlag(judges.map(({ judge }) => judge));
  }

  /** Adds those that listen to the tape, in the order of the list. */
  listenTo(tape: Pick<Tape, 'listen'>): void {
    for (const [id, { listens }] of this.#open)
      if (listens !== undefined) this.#listening.set(id, tape.listen(id, listens));
  }

  /**
   * Starts them in the order of the list.
   *
   * @returns names and addresses that they listen on
   * @throws Error that names the module which cannot start
   */
  async start(service: Service): Promise<Listening> {
    const listening: Record<string, string> = {};
    for (const [id, module] of this.#open) {
      try {
        Object.assign(listening, await module.start?.(service));
      } catch (cause) {
        throw new Error(`the module ${id} cannot start: ${reasonOf(cause)}`, { cause });
      }
    }
    return listening;
  }

  /**
   * Ends all that were opened, the last first; called again it does nothing. One that fails, or that does not end within ten
   * seconds, is logged and keeps nothing else from ending.
   */
  async stop(): Promise<void> {
    const open = this.#open;
    this.#open = [];
    await stopAll(open, this.#ending, (id) => this.#listening.get(id)?.());
  }
}

/** @param unlisten ends what a module hears: one that has ended hears nothing, though venues are still collected */
async function stopAll(
  modules: readonly Opened[],
  { logger, timer }: Ending,
  unlisten: (id: string) => void = () => {},
): Promise<void> {
  for (const [id, module] of [...modules].reverse()) {
    unlisten(id);
    const late = (): never => {
      throw new Error(`it did not end within ${END_MS / SECOND_MS} seconds`);
    };
    try {
      await withTimeout(Promise.resolve(module.stop?.()), END_MS, late, timer);
    } catch (cause) {
      logger.error({ module: id, reason: reasonOf(cause) }, 'a module did not end');
    }
  }
}
