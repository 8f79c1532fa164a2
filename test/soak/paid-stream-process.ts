import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { bundle } from '../bundle.ts';
import type { Asked, Reply, Turned } from './paid-stream-protocol.ts';

const SERVICE = new URL('./paid-stream-service.ts', import.meta.url);

type Called = Extract<Asked, { readonly call: number }>;
type Call = Called extends infer One ? (One extends Called ? Omit<One, 'call'> : never) : never;

/** A process that serves streams, which the test may kill. Calls to one that is gone are never answered. */
export class ServiceProcess {
  readonly #child: ChildProcess;
  /** Resolves with undefined once it runs no more. */
  readonly #gone: Promise<undefined>;
  readonly #calls = new Map<number, (value: unknown) => void>();
  readonly url: Promise<string>;
  #last = 0;
  #turned: (turned: Turned) => void = () => {};

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#gone = once(child, 'exit').then(() => undefined);
    this.url = new Promise((resolve) => this.#calls.set(0, (value) => resolve(String(value))));
    child.on('message', (message: Reply | Turned) => {
      if (message.kind === 'turned') {
        this.#turned(message);
        return;
      }
      this.#calls.get(message.call)?.(message.value);
      this.#calls.delete(message.call);
    });
  }

  /** @param second of the service at which it begins */
  static async start(folder: string, second: number, silent: readonly string[]): Promise<ServiceProcess> {
    const program = await bundle(SERVICE);
    return new ServiceProcess(fork(program, [folder, String(second), silent.join()], { execArgv: [] }));
  }

  get isGone(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  tell(asked: Asked): void {
    if (this.#child.connected) this.#child.send(asked, () => {});
  }

  /** Lets a second pass; undefined where the process ends in it. */
  async turn(): Promise<Turned | undefined> {
    const turned = new Promise<Turned>((resolve) => {
      this.#turned = resolve;
    });
    this.tell({ kind: 'turn' });
    return Promise.race([turned, this.#gone]);
  }

  /** @returns undefined where the process ends before it answers */
  async call(asked: Call): Promise<unknown> {
    this.#last += 1;
    const call = this.#last;
    const answered = new Promise<unknown>((resolve) => this.#calls.set(call, resolve));
    if (this.isGone) return undefined;
    this.tell({ ...asked, call } as Asked);
    return Promise.race([answered, this.#gone]);
  }

  async end(how: 'kill' | 'stop'): Promise<void> {
    if (how === 'kill') this.#child.kill('SIGKILL');
    else this.tell({ kind: 'stop' });
    await this.#gone;
  }
}
