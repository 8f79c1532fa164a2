import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { systemTimer, type Timer, withTimeout } from '../../src/runtime/timer.ts';
import { bundle } from '../bundle.ts';
import type { Asked, Reply, Turned } from './paid-stream-protocol.ts';

const SERVICE = new URL('./paid-stream-service.ts', import.meta.url);

type Called = Extract<Asked, { readonly call: number }>;
type Call = Called extends infer One ? (One extends Called ? Omit<One, 'call'> : never) : never;

/** A process that does not answer for so long hangs: a busy machine takes a part of it. */
const HUNG_MS = 120_000;

/** A process that serves streams, which the test may kill. One that hangs fails every wait for it. */
export class ServiceProcess {
  readonly #child: ChildProcess;
  readonly #timer: Timer;
  /** Resolves with undefined once it runs no more. */
  readonly #gone: Promise<undefined>;
  readonly #calls = new Map<number, (value: unknown) => void>();
  #last = 0;
  #turned: (turned: Turned) => void = () => {};

  private constructor(child: ChildProcess, timer: Timer) {
    this.#child = child;
    this.#timer = timer;
    this.#gone = once(child, 'exit').then(() => undefined);
    child.on('message', (message: Reply | Turned) => {
      if (message.kind === 'turned') {
        this.#turned(message);
        return;
      }
      this.#calls.get(message.call)?.(message.value);
      this.#calls.delete(message.call);
    });
  }

  /**
   * @param second of the service at which it begins
   * @param timer of the waits for it
   * @param postgres of the server that hosts share; '' = the store is in the folder
   */
  static async start(
    folder: string,
    second: number,
    silent: readonly string[],
    timer: Timer = systemTimer,
    postgres = '',
  ): Promise<ServiceProcess> {
    const program = await bundle(SERVICE);
    const args = [folder, String(second), silent.join(), postgres];
    return new ServiceProcess(fork(program, args, { execArgv: [] }), timer);
  }

  /**
   * The address at which it listens; to be asked for once.
   *
   * @throws where it ends while it starts, or hangs
   */
  async listening(): Promise<string> {
    const said = new Promise<unknown>((resolve) => this.#calls.set(0, resolve));
    const url = await this.#within(said, 'its start');
    if (url === undefined) throw new Error(`the service ended while it started, by ${this.#ending}`);
    return String(url);
  }

  /** Waits for an answer; undefined where the process ends before it. */
  #within<T>(answer: Promise<T>, name: string): Promise<T | undefined> {
    const late = (): never => {
      throw new Error(`the service did not answer ${name} within ${HUNG_MS / 1000} s`);
    };
    return withTimeout(Promise.race([answer, this.#gone]), HUNG_MS, late, this.#timer);
  }

  get #ending(): string {
    return String(this.#child.signalCode ?? this.#child.exitCode);
  }

  get isGone(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Sends a signal, as one that makes it stand still. */
  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  tell(asked: Asked): void {
    if (this.#child.connected) this.#child.send(asked, () => {});
  }

  /**
   * Lets a second pass.
   *
   * @throws where the process ends in it, or hangs
   */
  async turn(): Promise<Turned> {
    const turned = new Promise<Turned>((resolve) => {
      this.#turned = resolve;
    });
    this.tell({ kind: 'turn' });
    const answer = await this.#within(turned, 'a turn');
    if (answer === undefined) throw new Error(`the service ended in a turn, by ${this.#ending}`);
    return answer;
  }

  /**
   * @returns undefined where the process ends before it answers
   * @throws where it hangs
   */
  async call(asked: Call): Promise<unknown> {
    this.#last += 1;
    const call = this.#last;
    const answered = new Promise<unknown>((resolve) => this.#calls.set(call, resolve));
    if (this.isGone) return undefined;
    this.tell({ ...asked, call } as Asked);
    return this.#within(answered, `the call ${asked.kind}`);
  }

  async end(how: 'kill' | 'stop'): Promise<void> {
    if (how === 'kill') this.#child.kill('SIGKILL');
    else this.tell({ kind: 'stop' });
    const late = (): void => {
      this.#child.kill('SIGKILL');
    };
    await withTimeout(this.#gone, HUNG_MS, late, this.#timer);
    await this.#gone;
  }
}
