import { Counter, Gauge, Registry } from 'prom-client';
import { DURATION_BOUNDS, type DurationCounts } from '../../domain/duration-counts.ts';

type Labels = Readonly<Record<string, string>>;
type Write = (labels: Labels, value: number) => void;

/** Name, help text and labels of a metric. */
export interface MetricText {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** A metric with what reads it: a counter where its name ends in `_total`, else a gauge. */
export interface MetricRow extends MetricText {
  readonly read: (write: Write) => void | Promise<void>;
}

/**
 * Metrics that are read from the service's own counts when they are asked for: between two readings they cost nothing.
 * Names and units are those that `promtool check metrics` wants.
 */
export class MetricSet {
  readonly registry = new Registry();
  readonly #durations: (() => string)[] = [];

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Metrics that modules declare. */
  add(rows: readonly MetricRow[]): void {
    for (const { read, ...text } of rows) {
      if (text.name.endsWith('_total')) this.counter(text, (add) => void read(add));
      else this.gauge(text, read);
    }
  }

  /** A value that goes up and down; it is absent while it is not set. */
  gauge({ name, help, labels = [] }: MetricText, read: (set: Write) => void | Promise<void>): void {
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [this.registry],
      collect() {
        this.reset();
        // A gauge without labels is reset to 0, which would be a value.
        if (labels.length === 0) this.remove();
        const reading = read((of, value) => this.set({ ...of }, value));
        // A metric that cannot be read now is absent, and does not hold up the others.
        return reading?.catch(() => {});
      },
    });
  }

  /** A value that only grows from the start of the process; its name ends in `_total`. */
  counter({ name, help, labels = [] }: MetricText, read: (add: Write) => void): void {
    new Counter({
      name,
      help,
      labelNames: [...labels],
      registers: [this.registry],
      collect() {
        this.reset();
        read((of, value) => this.inc({ ...of }, value));
      },
    });
  }

  /** A histogram of counted durations, by the value of one label. */
  durations(
    { name, help, label }: { readonly name: string; readonly help: string; readonly label: string },
    read: () => Iterable<readonly [value: string, counts: DurationCounts]>,
  ): void {
    this.#durations.push(() => {
      const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
      for (const [value, counts] of read())
        lines.push(...histogramLines(name, `${label}="${value}"`, counts));
      return lines.join('\n');
    });
  }

  /** All of them as Prometheus text. */
  async text(): Promise<string> {
    const text = await this.registry.metrics();
    return `${text}\n${this.#durations.map((write) => write()).join('\n\n')}\n`;
  }
}

function histogramLines(name: string, label: string, { buckets, sum }: DurationCounts): readonly string[] {
  let below = 0;
  const lines = buckets.map((count, i) => {
    below += count;
    return `${name}_bucket{le="${DURATION_BOUNDS[i] ?? '+Inf'}",${label}} ${below}`;
  });
  return [...lines, `${name}_sum{${label}} ${sum}`, `${name}_count{${label}} ${below}`];
}

/** Made again at most once a turn of the event loop: all metrics are collected in one. */
export function onceATurn<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    if (made === undefined) {
      made = { value: make() };
      setImmediate(() => {
        made = undefined;
      });
    }
    return made.value;
  };
}
