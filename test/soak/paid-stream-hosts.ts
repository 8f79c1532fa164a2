import { join } from 'node:path';
import { systemTimer } from '../../src/runtime/timer.ts';
import { ServiceProcess } from './paid-stream-process.ts';
import type { Asked } from './paid-stream-protocol.ts';
import type { Random } from './random.ts';

/** Seconds that a process which was killed is away. */
export const AWAY = 6;

/** A process that serves, or is away. */
export interface Host {
  readonly at: number;
  readonly folder: string;
  process: ServiceProcess;
  base: string;
  isAway: boolean;
}

interface HostsOptions {
  readonly folder: string;
  readonly random: Random;
  /** Of the server that two hosts share; left out: one host, with a store of its own. */
  readonly postgres?: string | undefined;
}

/** The state of the service as a process of it starts. */
export interface Moment {
  readonly second: number;
  readonly silent: readonly string[];
}

/** The one process that serves, or the two that share a server. */
export class Hosts {
  readonly #options: HostsOptions;
  readonly #all: Host[] = [];
  /** Those that come back before a second. */
  readonly #back = new Map<Host, number>();

  constructor(options: HostsOptions) {
    this.#options = options;
  }

  get isOne(): boolean {
    return this.#options.postgres === undefined;
  }

  async start(moment: Moment): Promise<void> {
    for (let at = 0; at < (this.isOne ? 1 : 2); at += 1) {
      const folder = join(this.#options.folder, `host ${at}`);
      const process = await this.#begin(folder, moment);
      this.#all.push({ at, folder, process, base: await process.listening(), isAway: false });
    }
  }

  #begin(folder: string, { second, silent }: Moment): Promise<ServiceProcess> {
    return ServiceProcess.start(folder, second, silent, systemTimer, this.#options.postgres);
  }

  get serving(): readonly Host[] {
    return this.#all.filter(({ isAway }) => !isAway);
  }

  /** One that serves. */
  pick(): Host {
    const { serving } = this;
    const [only, other] = serving;
    if (only === undefined) throw new Error('nobody serves');
    return other === undefined ? only : this.#options.random.pick(serving);
  }

  tell(asked: Asked): void {
    for (const { process } of this.#all) process.tell(asked);
  }

  /**
   * Kills one. The only one is back at once, so that its seconds away are passed over; of two the other goes on.
   *
   * @param moment after the seconds away
   */
  async kill(at: number, moment: Moment): Promise<void> {
    const host = this.#all[at];
    if (host === undefined || host.isAway) return;
    await host.process.end('kill');
    host.isAway = true;
    if (this.isOne) await this.#comeBack(host, moment);
    else this.#back.set(host, moment.second);
  }

  /** Lets those come back that were away for long enough. */
  async returnBy(moment: Moment): Promise<void> {
    for (const [host, second] of this.#back) if (second <= moment.second) await this.#comeBack(host, moment);
  }

  async #comeBack(host: Host, moment: Moment): Promise<void> {
    this.#back.delete(host);
    host.process = await this.#begin(host.folder, moment);
    host.base = await host.process.listening();
    host.isAway = false;
  }

  async stop(): Promise<void> {
    for (const { process } of this.#all) if (!process.isGone) await process.end('stop');
  }
}
