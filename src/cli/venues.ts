import { isWire, wireArray } from '../domain/read.ts';
import type { VenueInfo } from '../domain/venue.ts';
import { KNOWN_VENUES } from '../venues/registry.ts';
import { readDemoFile } from './demo-file.ts';
import { tableText } from './table-text.ts';

export interface VenuesOptions {
  readonly url?: string;
  readonly json?: boolean;
}

interface Live {
  readonly status: string;
  readonly symbols: string;
}

/** State of each venue at a running service; undefined when none answers. */
async function liveStates(base: string): Promise<ReadonlyMap<string, Live> | undefined> {
  try {
    const body: unknown = await (await fetch(new URL('/v1/venues/health', base))).json();
    const states = new Map<string, Live>();
    for (const row of wireArray(body) ?? []) {
      if (!isWire(row)) continue;
      states.set(String(row.venue), { status: String(row.status), symbols: String(row.tracked_symbols) });
    }
    return states;
  } catch {
    return undefined;
  }
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
    ...(live === undefined ? {} : { status: live.status, symbols: live.symbols }),
  };
}

/**
 * Lists the venues this build knows; with a running service also their state and those it discovered.
 * @returns exit code: 0, or 1 when the service named by --url does not answer
 */
export async function venuesCommand(options: VenuesOptions): Promise<number> {
  const base = options.url ?? readDemoFile()?.base_url;
  const states = base === undefined ? undefined : await liveStates(base);
  if (options.url !== undefined && states === undefined) {
    process.stderr.write(`venues: no answer from ${options.url}\n`);
    return 1;
  }
  const rows = KNOWN_VENUES.map((venue) => row(venue, states?.get(venue.id)));
  const known = new Set(KNOWN_VENUES.map(({ id }) => id));
  for (const [id, live] of states ?? []) {
    if (!known.has(id)) rows.push({ id, type: 'dex', ...live });
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
