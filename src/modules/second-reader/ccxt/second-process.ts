import type { ChildProcess } from 'node:child_process';
import { failed, type Outcome } from '../../../collect/transport-failure.ts';
import type { Answer } from '../../../collect/venue-caller.ts';
import type { VenueId } from '../../../domain/venue.ts';
import { type FromCcxt, type Question, received, type ToCcxt } from './second-messages.ts';
import type { OpenSecondVenue, SecondMarket, SecondSend } from './second-venue.ts';

export interface SecondProcessOptions {
  /** Starts `second-main.ts` with a channel to this process. */
  readonly start: () => ChildProcess;
  /** Called once for each end that nobody asked for; the next question starts it again. */
  readonly onEnd: (reason: string) => void;
}

/**
 * ccxt in a process of its own: it weighs as much as the service itself, and what it does with long answers would hold
 * up the event loop. Its requests are sent here, within the budgets of the venues.
 */
export class SecondProcess {
  readonly #options: SecondProcessOptions;
  readonly #waiting = new Map<number, (outcome: Outcome<unknown>) => void>();
  readonly #sends = new Map<VenueId, SecondSend>();
  #process: ChildProcess | undefined;
  #asked = 0;
  #isStopped = false;

  constructor(options: SecondProcessOptions) {
    this.#options = options;
  }

  readonly open: OpenSecondVenue = async (adapter, send) => {
    const venue = adapter.id;
    this.#sends.set(venue, send);
    const there = await this.#ask<boolean>(venue, { kind: 'open' });
    // Of a process that has ended nothing is known: it is asked again with the list.
    if (there.ok && !there.value) return undefined;
    return {
      load: () => this.#ask<readonly SecondMarket[]>(venue, { kind: 'load' }),
      ask: (call, symbol) =>
        this.#ask<Answer>(venue, { kind: 'call', call, ...(symbol !== undefined && { symbol }) }),
    };
  };

  /** Ends the process; what it was asked fails. */
  stop(): void {
    this.#isStopped = true;
    this.#process?.kill();
  }

  /** @typeParam T what the program answers such a question with */
  #ask<T>(venue: VenueId, question: Question): Promise<Outcome<T>> {
    if (this.#isStopped) return Promise.resolve(failed('aborted', 'stopped'));
    this.#process ??= this.#start();
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(id, (outcome) => resolve(outcome as Outcome<T>));
      this.#tell({ kind: 'question', id, venue, question });
    });
  }

  #start(): ChildProcess {
    const process = this.#options.start();
    let isOver = false;
    process.on('message', (message: FromCcxt) => {
      // Messages that were on the channel at its end may arrive after it; nobody waits for their requests.
      if (isOver) return;
      if (message.kind === 'send') void this.#send(process, message);
      else this.#answer(message.id, received(message.outcome));
    });
    const over = (reason: string): void => {
      if (isOver) return;
      isOver = true;
      this.#process = undefined;
      for (const id of [...this.#waiting.keys()]) this.#answer(id, failed('reset', reason));
      if (!this.#isStopped) this.#options.onEnd(reason);
    };
    process.once('error', () => over('the process of ccxt cannot be started'));
    process.once('exit', (code, signal) => over(`the process of ccxt has ended (${signal ?? code})`));
    return process;
  }

  #answer(id: number, outcome: Outcome<unknown>): void {
    this.#waiting.get(id)?.(outcome);
    this.#waiting.delete(id);
  }

  async #send(from: ChildProcess, message: Extract<FromCcxt, { kind: 'send' }>): Promise<void> {
    const { id, venue, request } = message;
    const send = this.#sends.get(venue);
    const outcome = send === undefined ? failed('refused', 'nobody asked') : await send(request);
    // Each process counts its requests from 1: the next one would take this answer for that of its own.
    if (from === this.#process) this.#tell({ kind: 'received', id, outcome });
  }

  /** A channel that has closed says so by the end of the process. */
  #tell(message: ToCcxt): void {
    this.#process?.send(message, () => undefined);
  }
}
