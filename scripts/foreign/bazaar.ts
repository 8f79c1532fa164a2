import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { validateDiscoveryExtension } from '@x402/extensions/bazaar';
import { protectedRoutes } from '../../src/api/catalog.ts';
import { isWire, type Wire, wireArray } from '../../src/domain/read.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { type Case, type Row, rowOf } from './row.ts';

/** No network has this name; a service may refuse it with 400. */
const MALFORMED = '!!!';
const CATALOG = '/v1/x402/discovery/resources';

/** The reference implementation's verdict on every challenge and every entry of the catalog. */
export async function bazaarExtensions(url: string): Promise<Row> {
  const entry = createRequire(import.meta.url).resolve('@x402/extensions');
  const file = join(dirname(entry), '../../package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  const cases: Case[] = [];
  let without = 0;
  for (const { path } of protectedRoutes(ROUTES)) {
    const response = await fetch(url + path.replace(/\{[^}]+\}/g, 'btc'));
    await response.arrayBuffer();
    const header = response.headers.get('payment-required') ?? '';
    const challenge: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
    if (extensionOf(challenge) === undefined) without++;
    else cases.push({ name: `402 of ${path}`, fault: faultOf(challenge) });
  }
  for (const item of (await ask(`${url}${CATALOG}`, { limit: '100' })).items)
    cases.push({ name: `entry ${String(item.resource)}`, fault: faultOf(item) });
  return rowOf('Bazaar, validateDiscoveryExtension', version, cases, [
    `${without} challenges have no room for the extension beside the interface's fields: their catalog entries have it`,
  ]);
}

const extensionOf = (entry: unknown): unknown =>
  isWire(entry) && isWire(entry.extensions) ? entry.extensions.bazaar : undefined;

function faultOf(entry: unknown): string | undefined {
  const extension = extensionOf(entry);
  if (extension === undefined) return 'has no extension';
  const { valid, errors = [] } = validateDiscoveryExtension(extension as never);
  return valid ? undefined : errors.join('; ');
}

interface Listed {
  readonly status: number;
  readonly body: Wire;
  readonly items: readonly Wire[];
}

async function ask(address: string, query: Readonly<Record<string, string>>): Promise<Listed> {
  const response = await fetch(`${address}?${new URLSearchParams(query)}`);
  const body: unknown = await response.json();
  const wire = isWire(body) ? body : {};
  return { status: response.status, body: wire, items: (wireArray(wire.items) ?? []).filter(isWire) };
}

const accepts = ({ accepts: terms }: Wire): readonly Wire[] => (wireArray(terms) ?? []).filter(isWire);
const hasTerm = (name: string, value: string) => (item: Wire) =>
  accepts(item).some((term) => term[name] === value);

/** A filter with a value that a client may send, and what each item that is returned must then be. */
const VECTORS: readonly (readonly [
  id: string,
  name: string,
  value: string,
  holds: (item: Wire) => boolean,
])[] = [
  ['V1', 'type', 'mcp', ({ type }) => type === 'mcp'],
  ...(['payTo', 'scheme', 'network'] as const).map((name, i) => {
    const value = ['0x0000000000000000000000000000000000000001', 'batch-settlement', 'eip155:999999999'][i];
    return [`V${i + 2}`, name, value ?? '', hasTerm(name, value ?? '')] as const;
  }),
  [
    'V5',
    'extensions',
    'payment-identifier',
    ({ extensions }) => isWire(extensions) && 'payment-identifier' in extensions,
  ],
  ['V6', 'network', MALFORMED, hasTerm('network', MALFORMED)],
];

function judge(
  { status, body, items }: Listed,
  name: string,
  holds: (item: Wire) => boolean,
): string | undefined {
  if (status !== 200) return `answered ${status}`;
  if ((wireArray(body.unappliedFilters) ?? []).includes(name)) return undefined;
  if (!items.every(holds)) return 'an item that the filter excludes';
  const total = isWire(body.pagination) ? body.pagination.total : undefined;
  return items.length === 0 && total !== undefined && total !== 0 ? `no items, total ${total}` : undefined;
}

/** The vectors V0 to V7 of the conformance document for filters of a Bazaar catalog. */
export async function bazaarFilters(url: string): Promise<Row> {
  const first = await ask(`${url}${CATALOG}`, { limit: '50' });
  const isBase = first.status === 200 && first.items.length > 0;
  const cases: Case[] = [{ name: 'V0', fault: isBase ? undefined : `answered ${first.status}` }];
  for (const [id, name, value, holds] of VECTORS) {
    const listed = await ask(`${url}${CATALOG}`, { [name]: value });
    const isRefusedWell = value === MALFORMED && listed.status === 400 && Boolean(listed.body.error);
    cases.push({ name: id, fault: isRefusedWell ? undefined : judge(listed, name, holds) });
  }
  const networks = new Set(first.items.flatMap(accepts).map(({ network }) => String(network)));
  const some = [...networks].find((network) => !first.items.every(hasTerm('network', network)));
  if (some === undefined)
    return rowOf('Bazaar, filters', 'x402 31aa672', cases, ['V7 needs two networks: one is sold on']);
  const subset = await ask(`${url}${CATALOG}`, { network: some });
  cases.push({ name: 'V7', fault: judge(subset, 'network', hasTerm('network', some)) });
  return rowOf('Bazaar, filters', 'x402 31aa672', cases);
}
