/**
 * Writes docs/venues.md from the adapters and their VENUE.md: `npm run docs venues`. With `--check` it writes
 * nothing and exits 1 where the file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AmountUnit, PublishedAmount } from '../src/domain/amount.ts';
import type { TermName } from '../src/domain/contract-terms.ts';
import { SECOND_FIELD_NAMES, secondByCcxt } from '../src/modules/second-reader/ccxt/second-fields.ts';
import type { VenueAdapter } from '../src/venues/adapter.ts';
import { KNOWN_VENUES } from '../src/venues/registry.ts';
import { secondWaysOf } from '../src/venues/second-way.ts';
import { intervalSource, readVenuePage } from '../test/venues/venue-page.ts';
import { markdownTable } from './markdown-table.ts';
import { VERIFIED_FOR_DAYS } from './verified-age.ts';

const PATH = fileURLToPath(new URL('../docs/venues.md', import.meta.url));

function fee({ takerFeeBps }: VenueAdapter): string {
  return takerFeeBps === undefined ? 'by contract' : String(takerFeeBps);
}

function index({ hasIndex, index: { family, evidence } }: VenueAdapter): string {
  if (!hasIndex) return `none (mark: ${family})`;
  return evidence === 'documented' ? family : `${family} (undocumented)`;
}

function transport({ streams = [], polls }: VenueAdapter): string {
  const polled = polls.some(({ kind }) => kind === 'quotes');
  const names = streams.map(({ name }) => `\`${name}\``).join(', ');
  if (names === '') return 'polls';
  return polled ? `stream ${names}, polls` : `stream ${names}`;
}

function row(adapter: VenueAdapter): string[] {
  const { id, kind, sourceId, refreshMs, parent } = adapter;
  const page = readVenuePage(adapter);
  const link = `[${id}](../src/venues/${parent ?? id}/VENUE.md)`;
  return [
    link,
    kind,
    String(sourceId ?? ''),
    fee(adapter),
    (page && intervalSource(page)) ?? '',
    index(adapter),
    transport(adapter),
    `${refreshMs / 1000} s`,
  ];
}

/** Where a venue is asked, and how it is known that this is current. */
function interfaceRow({ id, bases, verified: { version, date, source, ends } }: VenueAdapter): string[] {
  const addresses = [...new Set(Object.values(bases))].map((address) => `\`${address}\``);
  const end = ends === undefined ? '' : `; ends on ${ends.date}: ${ends.what} (${ends.source})`;
  return [id, addresses.join(' '), version, date, source + end];
}

const UNITS: Readonly<Record<AmountUnit, string>> = {
  contracts: 'contracts',
  base: 'base units',
  quote: 'quote currency',
  mixed: 'by contract',
};

function amountRow({ id }: VenueAdapter, figure: string, amount: PublishedAmount): string[] {
  const { field, unit, sides, confidence, evidence, date } = amount;
  return [id, figure, field, UNITS[unit], sides, confidence, evidence, date];
}

function amountRows(adapter: VenueAdapter): string[][] {
  const { openInterest, historicalOpenInterest, volume } = adapter;
  return [
    amountRow(adapter, 'open interest', openInterest),
    ...(historicalOpenInterest === undefined
      ? []
      : [amountRow(adapter, 'past open interest', historicalOpenInterest)]),
    amountRow(adapter, 'volume 24 h', volume),
  ];
}

/** By what else a venue is asked what its row says, and which fields only that has which serves the row. */
function secondRow(adapter: VenueAdapter): string[] {
  const ways = [...new Set(secondWaysOf(adapter).map(({ call }) => `\`${call.name}\``))];
  const read = secondByCcxt(adapter)?.calls.flatMap(({ fields }) => fields) ?? [];
  const names = [...new Set(read.map((field) => SECOND_FIELD_NAMES[field]))];
  return [adapter.id, ways.join(', '), adapter.second?.missing ?? '', names.join(', ')];
}

/** The terms by the columns of the table; one that is stated in two units has one column. */
const TERM_COLUMNS: readonly (readonly [title: string, terms: readonly TermName[]])[] = [
  ['tick', ['tick']],
  ['lot', ['lot']],
  ['least size', ['minSize']],
  ['least value', ['minNotionalUsd']],
  ['leverage', ['maxLeverage']],
  ['initial margin', ['initialMargin']],
  ['maintenance', ['maintenanceMargin']],
  ['position limit', ['positionLimit', 'positionLimitUsd']],
  ['open interest limit', ['openInterestLimit', 'openInterestLimitUsd']],
  ['hours', ['tradingHours']],
  ['end', ['delistsAt']],
];

function termRow({ id, terms, fundingBounds }: VenueAdapter): string[] {
  const cells = TERM_COLUMNS.map(([, names]) => {
    const stated = names.flatMap((name) => terms?.fields[name] ?? []);
    if (names.some((name) => terms?.besideMetrics?.fields[name] !== undefined)) return 'metrics';
    if (stated.length === 0) return '';
    return stated.every(({ unit }) => unit === 'rule') ? 'rule' : 'yes';
  });
  const bounds = fundingBounds?.field === undefined ? '' : 'yes';
  return [id, terms?.call ?? 'not read', terms?.confidence ?? '', ...cells, bounds];
}

/** The venues' lists of contracts by the terms that they state. */
function contractTerms(venues: readonly VenueAdapter[]): string {
  const header = [
    'venue',
    'call',
    'confidence',
    ...TERM_COLUMNS.map(([title]) => title),
    'funding cap, floor',
  ];
  return `## Terms of contracts

The terms that each venue states of its contracts to everybody, which [contracts.md](contracts.md) is about: \`yes\` is a field of
the list, \`metrics\` stands beside the contract's metrics, \`rule\` is the venue's rule for all contracts, blank is not stated. Fields,
units and evidence are on the venue's page.

${markdownTable(header, venues.map(termRow))}`;
}

/** Each venue's units of open interest and volume, from its declaration. */
function amounts(venues: readonly VenueAdapter[]): string {
  const header = ['venue', 'figure', 'field', 'unit', 'sides', 'confidence', 'evidence', 'date'];
  return `## Units and sides

What the venues publish. Two sides are long plus short, or both sides of each trade: such a figure is halved, so that what
is served counts each contract once. A figure whose sides are unknown is served as published. \`…_raw\` is always the
venue's own number.

${markdownTable(header, venues.flatMap(amountRows))}`;
}

function document(): string {
  const bySource = [...KNOWN_VENUES].sort((a, b) => (a.sourceId ?? 0) - (b.sourceId ?? 0));
  const count = (kind: string) => bySource.filter((venue) => venue.kind === kind).length;
  const header = [
    'venue',
    'kind',
    'source id',
    'taker fee, bps',
    'funding interval from',
    'index family',
    'metrics by',
    'refresh',
  ];
  return `# Venues

Written by \`npm run docs venues\` from the adapters and their pages; do not edit. ${count('cex')} centralized and
${count('dex')} decentralized venues. The fee is the base tier's; where it is by contract, the list of contracts states it.
Refresh is how old quotes are at most when all is well: three times that is \`stale\`.

${markdownTable(header, bySource.map(row))}
${amounts(bySource)}
${contractTerms(bySource)}
## Second ways

What the [second reader](quality-checks.md#a-second-reader) asks beside the calls and streams that a row is made of, which fields
no other call states, and which of these ccxt reads, where it is installed.

${markdownTable(['venue', 'second ways', 'without one', 'read by ccxt'], bySource.map(secondRow))}
## Interfaces

Default addresses (\`PERPMETER_VENUE_BASES\` names others), the version that is read, and the newest public evidence that it
is current. \`npm run check verified\` lists what was last verified more than ${VERIFIED_FOR_DAYS} days ago, and what
its venue has announced to switch off.

${markdownTable(['venue', 'addresses', 'version', 'verified', 'source'], bySource.map(interfaceRow))}`;
}

const wanted = document();
if (process.argv.includes('--check')) {
  let found = '';
  try {
    found = readFileSync(PATH, 'utf8');
  } catch {
    // A missing file is out of date.
  }
  if (found !== wanted) {
    console.error('docs/venues.md is out of date: npm run docs venues');
    process.exitCode = 1;
  }
} else {
  writeFileSync(PATH, wanted);
}
