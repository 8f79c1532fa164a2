import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A whole REST book that was recorded beside a session. */
export interface Seed {
  readonly symbol: string;
  readonly payload: {
    readonly lastUpdateId: number;
    readonly bids: readonly (readonly [string, string])[];
    readonly asks: readonly (readonly [string, string])[];
  };
}

/** Book frames of one recorded session, in the order and with the times in which they were received. */
export interface Session {
  readonly name: 'Kraken Futures' | 'Binance USD-M' | 'OKX';
  readonly frames: readonly string[];
  /** Receipt times, Unix ms. */
  readonly times: Float64Array;
  readonly symbols: readonly string[];
  readonly seeds: readonly Seed[];
}

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Folder of the recordings: `../shared/sessions` beside the repository, or PERPMETER_SESSIONS. */
export const SESSIONS_ROOT = process.env.PERPMETER_SESSIONS ?? join(repository, '../shared/sessions');

interface Line {
  readonly t: number;
  readonly frame: string;
}

function readLines<T>(file: string): T[] {
  const text = readFileSync(join(SESSIONS_ROOT, file), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

function session(
  name: Session['name'],
  lines: readonly Line[],
  symbolOf: (frame: string) => string | undefined,
  seeds: readonly Seed[] = [],
): Session {
  const kept = lines.filter(({ frame }) => symbolOf(frame) !== undefined);
  return {
    name,
    frames: kept.map(({ frame }) => frame),
    times: Float64Array.from(kept, ({ t }) => t),
    symbols: [...new Set(kept.map(({ frame }) => symbolOf(frame) ?? ''))],
    seeds,
  };
}

/** `book_snapshot` and `book`. */
function kraken(): Session {
  const lines = readLines<Line>('kraken-futures-2021-07.jsonl');
  return session('Kraken Futures', lines, (frame) => {
    return /^\{"feed":"book(?:_snapshot)?","product_id":"([^"]+)"/.exec(frame)?.[1];
  });
}

/** `depthUpdate` events that are not older than the REST book of their contract. */
function binance(): Session {
  const recorded = readLines<{ url: string; body: string }>('binance-usdm-2021-07.snapshots.jsonl');
  const seeds = recorded.map(({ url, body }): Seed => {
    const symbol = new URL(url).searchParams.get('symbol') ?? '';
    return { symbol, payload: JSON.parse(body) };
  });
  const seededAt = new Map(seeds.map(({ symbol, payload }) => [symbol, payload.lastUpdateId]));
  const lines = readLines<Line>('binance-usdm-2021-07.jsonl');
  const symbolOf = (frame: string): string | undefined => {
    const [, symbol, last] = /"e":"depthUpdate".*?"s":"([^"]+)".*?"u":(\d+)/.exec(frame) ?? [];
    const from = symbol === undefined ? undefined : seededAt.get(symbol);
    return from === undefined || Number(last) < from ? undefined : symbol;
  };
  return session('Binance USD-M', lines, symbolOf, seeds);
}

/** `books`, snapshots and updates. */
function okx(): Session {
  const lines = readLines<Line>('okx-2022-05.jsonl');
  return session('OKX', lines, (frame) => {
    return /^\{"arg":\{"channel":"books","instId":"([^"]+)"\},"action"/.exec(frame)?.[1];
  });
}

/** The recorded sessions; undefined where they are not on this machine. */
export function loadSessions(): readonly Session[] | undefined {
  const files = ['kraken-futures-2021-07', 'binance-usdm-2021-07', 'binance-usdm-2021-07.snapshots'];
  const needed = [...files, 'okx-2022-05'].map((file) => join(SESSIONS_ROOT, `${file}.jsonl`));
  return needed.every((path) => existsSync(path)) ? [kraken(), binance(), okx()] : undefined;
}
