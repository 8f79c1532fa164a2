import type { MarketSink } from '../../src/collect/ports.ts';
import { publishedFixture } from '../../src/domain/amount-fixture.ts';
import { emptyDecoded } from '../../src/domain/decoded.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { isWire, readMs, readPrice, readText, readUsd, wireArray } from '../../src/domain/read.ts';
import type { VenueInfo } from '../../src/domain/venue.ts';
import type { Decoder, Poll, VenueAdapter, VenueCall } from '../../src/venues/adapter.ts';

/** A made-up contract. */
export function instrument(venue: string, symbol: string): Instrument {
  const names = { base: symbol, ticker: symbol, quote: 'USDT', settle: 'USDT' };
  return { venue, symbol, ...names, multiplier: 1, contractSize: 1 };
}

/**
 * Payload: rows `{symbol, mark?, volume?, time?, open?, list?}`; a row with `list` is a contract as well, with `rfq` one of an
 * indicative book, with `listed` one that was listed then.
 */
function decodeRows(venue: string): Decoder {
  return (payload) => {
    const decoded = emptyDecoded();
    const rows = wireArray(payload);
    if (rows === undefined) {
      decoded.rejects.push({ symbol: null, reason: 'error_body' });
      return decoded;
    }
    for (const row of rows) {
      const symbol = isWire(row) ? readText(row.symbol) : undefined;
      if (!isWire(row) || symbol === undefined) {
        decoded.rejects.push({ symbol: null, reason: 'malformed' });
        continue;
      }
      if (row.list === true) {
        const quoted = row.rfq === true ? { indicativeBook: true } : {};
        const listedAt = readMs(row.listed);
        const since = listedAt === undefined ? {} : { listedAt };
        decoded.instruments.push({ ...instrument(venue, symbol), ...quoted, ...since });
      }
      const mark = readPrice(row.mark);
      const volume = readUsd(row.volume);
      const time = readMs(row.time);
      const patch: QuotePatch = {
        symbol,
        ...(mark === undefined ? {} : { markPrice: mark }),
        ...(volume === undefined ? {} : { volume24hUsd: volume }),
        ...(time === undefined ? {} : { venueTime: time }),
        ...(typeof row.open === 'boolean' ? { marketOpen: row.open } : {}),
      };
      if (Object.keys(patch).length > 1) decoded.quotes.push(patch);
    }
    return decoded;
  };
}

/** A call of the made-up format. */
export function tinyCall(venue: string, name: string): VenueCall {
  return { name, path: `/${name}`, decode: decodeRows(venue) };
}

/** A poll of `/<name>`. */
export function tinyPoll(venue: string, name: string, more: Partial<Poll> = {}): Poll {
  return {
    call: tinyCall(venue, name),
    kind: 'quotes',
    everyMs: 1000,
    weight: 1,
    requests: () => [{ method: 'GET', path: `/${name}` }],
    ...more,
  };
}

/** A made-up venue with a list of contracts every minute and marks every second. */
export function tinyVenue(id: string, rest: string, more: Partial<VenueAdapter> = {}): VenueAdapter {
  return {
    id,
    displayName: id,
    kind: 'cex',
    hasIndex: false,
    index: { family: 'none', description: 'made up', evidence: 'unknown' },
    ...publishedFixture,
    bases: { rest },
    budget: { id, pools: [{ name: 'default', limit: 1000, perMs: 1000 }] },
    refreshMs: 1000,
    polls: [tinyPoll(id, 'instruments', { kind: 'instruments', everyMs: 60_000 }), tinyPoll(id, 'marks')],
    baseOf: (symbol) => symbol,
    ...more,
  };
}

/** Remembers what came, as text in the order of arrival. */
export class RecordingSink implements MarketSink {
  readonly events: string[] = [];
  readonly quoteCounts = new Map<string, number>();

  venue(info: VenueInfo): void {
    this.events.push(`venue ${info.id}`);
  }

  instruments(venue: string, list: readonly Instrument[]): void {
    this.events.push(`instruments ${venue} ${list.map((i) => i.symbol).join(',')}`);
  }

  quotes(venue: string, patches: readonly QuotePatch[]): void {
    this.quoteCounts.set(venue, (this.quoteCounts.get(venue) ?? 0) + patches.length);
    const what = patches[0]?.restated === true ? 'restated' : 'quotes';
    this.events.push(`${what} ${venue} ${patches.map((p) => p.symbol).join(',')}`);
  }

  count(venue: string): number {
    return this.quoteCounts.get(venue) ?? 0;
  }
}
