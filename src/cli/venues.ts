import { isWire, type Wire, wireArray } from '../domain/read.ts';
import type { VenueInfo } from '../domain/venue.ts';
import { serviceToAsk } from '../host/process/demo-file.ts';
import { tableText } from '../host/process/table-text.ts';
import { KNOWN_VENUES } from '../venues/registry.ts';

export interface VenuesOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** A service that is there and hangs is as good as none. */
const ANSWER_MS = 5_000;

interface Live {
  readonly status: string;
  readonly symbols: string;
}

/** A running service's entry for a venue: its state, and its entry in the list. */
interface ServiceAnswer {
  readonly live: Live;
  readonly entry: Wire;
}

async function rowsAt(path: string, base: string): Promise<readonly Wire[]> {
  const body: unknown = await (
    await fetch(new URL(path, base), { signal: AbortSignal.timeout(ANSWER_MS) })
  ).json();
  const rows = wireArray(body);
  if (rows === undefined) throw new Error(`${path} is no list`);
  return rows.filter(isWire);
}

/** Asks a running service for its venues; undefined when none answers. */
async function askService(base: string): Promise<ReadonlyMap<string, ServiceAnswer> | undefined> {
  try {
    const [health, list] = await Promise.all([
      rowsAt('/v1/venues/health', base),
      rowsAt('/v1/venues/list', base),
    ]);
    const entries = new Map(list.map((entry) => [String(entry.name), entry]));
    return new Map(
      health.map(({ venue, status, tracked_symbols: symbols }) => [
        String(venue),
        {
          live: { status: String(status), symbols: String(symbols) },
          entry: entries.get(String(venue)) ?? {},
        },
      ]),
    );
  } catch {
    return undefined;
  }
}

/** A venue that only the running service knows: a sub-venue it discovered, or one it reads through ccxt. */
function outOfScopeRow(id: string, { live, entry }: ServiceAnswer): Record<string, string> {
  const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
  return {
    id,
    source_id: text(entry.source_id),
    name: text(entry.display_name),
    type: text(entry.type),
    parent: text(entry.parent),
    taker_fee_bps: text(entry.taker_fee_bps),
    index: entry.has_index === true ? 'unknown' : 'none',
    source: text(entry.source),
    ...live,
  };
}

function row(venue: VenueInfo, live: Live | undefined): Record<string, string> {
  return {
    id: venue.id,
    source_id: String(venue.sourceId ?? ''),
    name: venue.displayName,
    type: venue.kind,
    parent: venue.parent ?? '',
    taker_fee_bps: String(venue.takerFeeBps ?? ''),
    index: venue.hasIndex ? venue.index.family : 'none',
    source: 'native',
    ...(live === undefined ? {} : { status: live.status, symbols: live.symbols }),
  };
}

/**
 * Lists the venues this build knows; with a running service also their state, those it discovered and those it
 * reads through ccxt.
 * @returns exit code: 0, or 1 when the service named by --url does not answer
 */
export async function venuesCommand(options: VenuesOptions): Promise<number> {
  const base = serviceToAsk(options.url);
  const states = await askService(base);
  if (states === undefined && options.url !== undefined) {
    process.stderr.write(`venues: no answer from ${base}\n`);
    return 1;
  }
  if (states === undefined)
    process.stderr.write(`venues: without their state, no service answers at ${base}\n`);
  const rows = KNOWN_VENUES.map((venue) => row(venue, states?.get(venue.id)?.live));
  const known = new Set(KNOWN_VENUES.map(({ id }) => id));
  for (const [id, answer] of states ?? []) {
    if (!known.has(id)) rows.push(outOfScopeRow(id, answer));
  }
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return 0;
  }
  const header = [
    'id',
    'source_id',
    'name',
    'type',
    'taker_fee_bps',
    'index',
    'source',
    ...(states ? ['status', 'symbols'] : []),
  ];
  process.stdout.write(
    tableText(
      header,
      rows.map((cells) => header.map((key) => cells[key] ?? '')),
    ),
  );
  const count = (kind: string) => KNOWN_VENUES.filter((venue) => venue.kind === kind).length;
  process.stderr.write(`${count('cex')} centralized, ${count('dex')} decentralized\n`);
  return 0;
}
