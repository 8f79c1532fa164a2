import { type Clock, iso } from '../../domain/clock.ts';
import { readText } from '../../domain/read.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { type DayRoot, dayNumber, HASH_BYTES, type Leaves, type SaleLog } from '../../pay/sale-log.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/duration.ts';
import type { MaybePromise } from '../../runtime/maybe-promise.ts';
import { readJws, signJws } from './jws.ts';
import { type KeyDocument, keyDocument, signerOf } from './key-document.ts';
import { blocksOf, countOf, pathOf, rootOf } from './merkle.ts';
import { dayText, ROOT_TYPE, ROOT_VERSION, type RootPayload } from './root-statement.ts';
import type { KeyRing } from './signing-keys.ts';

/** A day is closed so long after its end: what was settled in it is stored by then. */
const GRACE_MS = 5 * MINUTE_MS;

/** The place of a receipt in the tree of its day. */
export interface InclusionProof {
  readonly index: number;
  /** Hashes to the root, the lowest first, hex. */
  readonly path: readonly string[];
  /** The day's signed root. */
  readonly root: string;
}

export interface DailyRootsOptions {
  readonly keys: KeyRing;
  readonly baseUrl: string;
  readonly log: SaleLog;
  readonly clock: Clock;
}

/** The progress of signing. */
export interface SigningState {
  /** End of the last day that has a root; undefined before the first. */
  readonly rootsTo: UnixMs | undefined;
  /** Keys that are published, those that ended among them. */
  readonly keys: number;
  /** Since when the key of now signs; undefined where none does. */
  readonly keyFrom: UnixMs | undefined;
}

/** Closes days, and shows what is signed of them and of the keys. */
export class DailyRoots {
  readonly #options: DailyRootsOptions;
  readonly #signer: string;

  constructor(options: DailyRootsOptions) {
    this.#options = options;
    this.#signer = signerOf(options.baseUrl);
  }

  /** Reads the keys again where they were changed, and signs the roots of all days that are over. */
  async tick(): Promise<void> {
    const { keys, log, clock } = this.#options;
    keys.refresh();
    const today = dayNumber(clock.now() - GRACE_MS);
    for (let day = await log.firstOpen(); day !== undefined && day < today; day = await log.firstOpen()) {
      await log.close(day);
      const { hashes } = await log.leavesOf(day);
      const leaves = { hashes, blocks: blocksOf({ hashes }) };
      const statement = await this.#sign(day, leaves);
      if (statement === undefined) return;
      await log.seal({ day, statement }, leaves);
    }
  }

  async state(): Promise<SigningState> {
    const { keys, log, clock } = this.#options;
    const now = clock.now();
    const last = await log.rootBefore(dayNumber(now) + 1);
    return {
      rootsTo: last === undefined ? undefined : asMs((last.day + 1) * DAY_MS),
      keys: keys.keys.length,
      keyFrom: keys.at(now)?.from,
    };
  }

  async #sign(day: number, leaves: Leaves): Promise<string | undefined> {
    const { keys, log, clock } = this.#options;
    const now = clock.now();
    const key = keys.at(now);
    if (key === undefined) return undefined;
    const previous = (await log.rootBefore(day))?.statement;
    const payload: RootPayload = {
      version: ROOT_VERSION,
      day: dayText(day),
      size: countOf(leaves),
      root_sha256: rootOf(leaves).toString('hex'),
      previous_sha256: readText(readJws(previous ?? '')?.payload.root_sha256) ?? null,
      issued_at: iso(now),
    };
    return signJws(payload, { keyId: `${this.#signer}#${key.id}`, type: ROOT_TYPE }, key.secret);
  }

  /** The published keys. */
  keyDocument(): KeyDocument {
    return keyDocument(this.#signer, this.#options.keys.keys);
  }

  /** Signed roots of days before this one, the latest first. */
  roots(before: number, limit: number): MaybePromise<readonly DayRoot[]> {
    return this.#options.log.roots({ before, limit });
  }

  /**
   * The proof that a receipt stands in the tree of a day: undefined if it does not, `open` if the day has no tree yet.
   *
   * @param leaf hash of the receipt as a leaf (RFC 6962), hex
   */
  async proof(day: number, leaf: string): Promise<InclusionProof | 'open' | undefined> {
    const { log, clock } = this.#options;
    const tree = await log.tree(day);
    if (tree === undefined) return day >= dayNumber(clock.now() - GRACE_MS) ? 'open' : undefined;
    const index = indexOf(tree.leaves, Buffer.from(leaf, 'hex'));
    if (index === undefined) return undefined;
    const path = pathOf(tree.leaves, index).map((hash) => hash.toString('hex'));
    return { index, path, root: tree.statement };
  }
}

/** Leaves are sorted by their hashes. */
function indexOf(leaves: Leaves, leaf: Buffer): number | undefined {
  let low = 0;
  let high = countOf(leaves);
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = leaf.compare(leaves.hashes, middle * HASH_BYTES, (middle + 1) * HASH_BYTES);
    if (order === 0) return middle;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return undefined;
}
