import type { QuotePatch } from '../domain/quote.ts';
import type { UnixMs } from '../domain/units.ts';

/** Time between two statements that earlier values still stand, ms; a third of the least limit of freshness. */
export const RESTATE_MS = 20_000;

interface Connection {
  /** All values stated on it, by contract. */
  readonly said: Map<string, QuotePatch>;
  restatedAt: UnixMs;
}

/**
 * The values that a stream of changes has stated, by connection. They stand while the connection delivers, so
 * that a quiet contract does not grow old beside busy ones; the values of a closed connection do not stand.
 */
export class StandingQuotes {
  readonly #connections = new Map<number, Connection>();

  /**
   * Takes what a frame says.
   *
   * @returns earlier values that stand as of this frame; none until the next statement is due
   */
  take(connection: number, quotes: readonly QuotePatch[], at: UnixMs): readonly QuotePatch[] {
    const known = this.#connections.get(connection) ?? {
      said: new Map<string, QuotePatch>(),
      restatedAt: at,
    };
    this.#connections.set(connection, known);
    const { said } = known;
    // A clock that was set back says nothing of when that was.
    const isDue = Math.abs(at - known.restatedAt) >= RESTATE_MS;
    if (isDue) known.restatedAt = at;
    const standing = isDue ? [...said.values()].flatMap((patch) => stands(patch, at) ?? []) : [];
    for (const patch of quotes) said.set(patch.symbol, merged(said.get(patch.symbol), patch));
    return standing;
  }

  /** The connection is gone, and with it all values stated on it. */
  forget(connection: number): void {
    this.#connections.delete(connection);
  }

  /**
   * These contracts are asked for again, or have an unreadable statement: their earlier values stand no more.
   */
  doubt(symbols: Iterable<string>): void {
    for (const symbol of symbols) {
      for (const { said } of this.#connections.values()) said.delete(symbol);
    }
  }

  /** Contracts that are listed no more, or followed no more, are not spoken of. */
  keepOnly(symbols: ReadonlyMap<string, unknown>): void {
    for (const { said } of this.#connections.values()) {
      for (const symbol of said.keys()) {
        if (!symbols.has(symbol)) said.delete(symbol);
      }
    }
  }
}

/** A side of the touch that is named alone may be the only one left: what stood of the other is not certain. */
function merged(before: QuotePatch | undefined, { venueTime: _stamp, ...values }: QuotePatch): QuotePatch {
  const isOneSided = (values.bestBid === undefined) !== (values.bestAsk === undefined);
  if (!isOneSided || before === undefined) return { ...before, ...values };
  const { bestBid: _bid, bestAsk: _ask, ...rest } = before;
  return { ...rest, ...values };
}

/** The part of a patch that still holds: a rate whose settlement has passed is no rate of the coming one. */
function stands(patch: QuotePatch, at: UnixMs): QuotePatch | undefined {
  const { nextFundingTime: next, fundingRate, ...rest } = patch;
  if (next !== undefined && next <= at) return { ...rest, restated: true };
  return { ...patch, restated: true };
}
