export interface Metric {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The values of a metrics page in Prometheus text. */
export function readMetrics(text: string): readonly Metric[] {
  return text.split('\n').flatMap((line) => {
    const [, name, inside = '', value] = /^([a-z_]+)(?:\{([^}]*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', text = '']) => [key, text]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}
