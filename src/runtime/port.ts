/**
 * A typed place for what a module opens and others read: its settings and its state, as its products need them. The port is a
 * constant of the module's own file, or of the core where the core reads it, too. The module fills it when it opens. A port is
 * found by the constant itself, so that two of one name are two.
 */
export interface Port<Value> {
  /** Names the port in faults of the program. */
  readonly name: string;
  /**
   * The value where no open module fills it: in a process in which the module has nothing to do, and in tests. It is an object
   * that answers with nothing, or undefined: the compiler then asks each reader for what it does without one.
   */
  readonly absent: Value;
}

/** A port with the value that a module gives it; made by `fill`. */
export interface FilledPort {
  readonly port: Port<unknown>;
  readonly value: unknown;
}

/** Reads what a port was filled with, else its value of absence. */
export type ReadPort = <Value>(port: Port<Value>) => Value;

/** A module's value for a port, for `OpenModule.ports`. */
export const fill = <Value>(port: Port<Value>, value: NoInfer<Value>): FilledPort => ({ port, value });

/** The ports that were filled. A port that is read before it is filled has its value of absence. */
export class FilledPorts {
  readonly #values = new Map<Port<unknown>, unknown>();

  /** @throws Error where a port is filled twice: a fault of the program */
  add(filled: Iterable<FilledPort>): void {
    for (const { port, value } of filled) {
      if (this.#values.has(port)) throw new Error(`the port ${port.name} is filled twice`);
      this.#values.set(port, value);
    }
  }

  // `fill` has held each value against the type of its port.
  readonly read: ReadPort = <Value>(port: Port<Value>) =>
    this.#values.has(port) ? (this.#values.get(port) as Value) : port.absent;
}

/** Reads these ports alone: for tests and benches, which open no module. */
export function readPorts(...filled: readonly FilledPort[]): ReadPort {
  const ports = new FilledPorts();
  ports.add(filled);
  return ports.read;
}
