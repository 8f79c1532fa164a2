import { readdirSync, readFileSync } from 'node:fs';

const OPS = new URL('../ops/', import.meta.url);
const DASHBOARDS = new URL('grafana/dashboards/', OPS);

/** One alert of `ops/prometheus/rules.yml`. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly severity: string;
  readonly summary: string;
}

/** One query of a panel. */
export interface PanelQuery {
  readonly dashboard: string;
  readonly panel: string;
  readonly expr: string;
}

/** The cases of an alert in `rules.test.yml`. */
export interface AlertCase {
  readonly alert: string;
  readonly fires: boolean;
}

/** Text of a file of the kit, such as `prometheus/rules.yml`. */
export const opsText = (path: string): string => readFileSync(new URL(path, OPS), 'utf8');

const FIELDS = [
  /^ {6}- (alert): (\w+)$/,
  /^ {8}(expr): (.+)$/,
  /^ {8}(for): (\d+[mh])$/,
  /^ {10}(severity): (critical|warning)$/,
  /^ {10}(summary): "?(.+?)"?$/,
];
const FRAME = /^(#.*|groups:| {2}- name: perpmeter| {4}rules:| {8}(labels|annotations):)?$/;

/** The alerts of a rules file in the form that ours has: one field a line. Throws on a line of any other form. */
export function readAlerts(text: string): readonly AlertRule[] {
  const alerts: Record<string, string>[] = [];
  for (const line of text.split('\n')) {
    if (FRAME.test(line)) continue;
    const [, name = '', value = ''] = FIELDS.map((field) => field.exec(line)).find(Boolean) ?? [];
    if (name === '') throw new Error(`rules.yml: not understood: ${line}`);
    if (name === 'alert') alerts.push({});
    const last = alerts.at(-1);
    if (last === undefined || last[name] !== undefined) throw new Error(`rules.yml: out of place: ${line}`);
    last[name] = value;
  }
  return alerts.map(({ alert, expr, severity, summary }) => {
    if (alert === undefined || expr === undefined || severity === undefined || summary === undefined) {
      throw new Error(`rules.yml: ${alert} lacks an expression, a severity or a summary`);
    }
    return { alert, expr, severity, summary };
  });
}

/** The cases of a rules test, which are named `<alert> fires` and `<alert> stays silent`, and assert so. */
export function readCases(text: string): readonly AlertCase[] {
  const [, ...groups] = text.split(/^ {2}- name: /m);
  return groups.map((group) => {
    const [, alert = '', says] = /^(\w+) (fires|stays silent)\n/.exec(group) ?? [];
    const fires = says === 'fires';
    const asserts = fires ? /exp_alerts:\n +- exp_labels:/ : /exp_alerts: \[\]/;
    if (!group.includes(`alertname: ${alert}\n`) || !asserts.test(group)) {
      throw new Error(`rules.test.yml: a case does not assert what its name says: ${group.slice(0, 60)}`);
    }
    return { alert, fires };
  });
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

/** All dashboards of the kit. */
export function readDashboards(): readonly Dashboard[] {
  return readdirSync(DASHBOARDS).map(
    (file) => JSON.parse(opsText(`grafana/dashboards/${file}`)) as Dashboard,
  );
}

/** The query of every panel of every dashboard. */
export function panelQueries(): readonly PanelQuery[] {
  return readDashboards().flatMap(({ uid, panels }) =>
    panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ dashboard: uid, panel: title, expr })),
    ),
  );
}

const SUFFIX = /_(bucket|sum|count)$/;

/** Names of metrics in a query, histograms by their own name. */
export function metricsIn(expr: string, histograms: ReadonlySet<string>): readonly string[] {
  const names = expr.replaceAll(/"[^"]*"/g, '""').match(/\b(perpmeter|nodejs|process)_[a-z0-9_]+/g) ?? [];
  return names.map((name) => {
    const base = name.replace(SUFFIX, '');
    return histograms.has(base) ? base : name;
  });
}

/** Name and type of every metric in Prometheus text. */
export function metricTypes(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type] as const),
  );
}
