import { WORLDS_APART } from '../feed/cluster.ts';
import { healthOf, listedRows, type Member, type SoldRow, soldRows } from '../feed/member.ts';
import type { ClusterMarket } from './cluster-market.ts';

type Parts = Pick<ClusterMarket, 'cluster' | 'collectors' | 'sellers' | 'random'>;

/** Of an answer. */
const HEARD_MS = 2000;
const ASSETS = ['BTC', 'ETH', 'SOL'] as const;

/** Checks what is sold against what the holders of the latest epochs have published. */
export class SoldLooks {
  readonly #parts: Parts;
  readonly #problems: string[];
  /** Rows that were looked at. */
  rows = 0;
  /** Rows whose numbers the holder of the latest epoch never published. */
  wrongRows = 0;
  /** Books that were looked at, beside a row of their contract. */
  books = 0;
  /** Books whose prices are not of the world of that row. */
  wrongBooks = 0;

  constructor(parts: Parts, problems: string[]) {
    this.#parts = parts;
    this.#problems = problems;
  }

  /** Of everybody, as they see it. */
  async #state(): Promise<string> {
    const { collectors, sellers } = this.#parts;
    const said = await Promise.all(
      [...collectors, ...sellers].map(async (collector) => {
        const { feed } = await healthOf(collector);
        return `${collector.name} at ${collector.feed.server()} holds ${feed.holds} behind ${feed.behind.join(' ')}`;
      }),
    );
    const rows = await Promise.all(sellers.map((seller) => listedRows(seller, 'BTC')));
    return [...said, ...rows.map((list) => list.join(', '))].join('; ');
  }

  /** Checks what is sold against what the holders of the latest epochs have published. */
  async look(fault: string, epochs: readonly number[]): Promise<void> {
    const { sellers, random, cluster } = this.#parts;
    for (const seller of sellers) {
      const asset = random.pick(ASSETS);
      for (const row of await soldRows(seller, asset)) {
        const { venue, mark } = row;
        const published = cluster.published.get(venue);
        // A take-over meanwhile changes what is right; an answer may be older than what was heard first.
        if (published === undefined || !epochs.includes(published.epoch)) continue;
        if (performance.now() - published.since < HEARD_MS) continue;
        this.rows += 1;
        if (published.marks.has(mark)) {
          await this.#lookAtBook(fault, seller, asset, row);
          continue;
        }
        this.wrongRows += 1;
        const { epoch, sequence, since } = published;
        console.log(`  ${fault}: ${await this.#state()}`);
        this.#problems.push(
          `${fault}: ${seller.name} sold ${mark} of ${venue}, not of epoch ${epoch}, heard for ${(performance.now() - since).toFixed(0)} ms to ${sequence}`,
        );
      }
    }
  }

  /** A book of the row's venue: its prices are of the world that the row is of. */
  async #lookAtBook(fault: string, seller: Member, asset: string, { venue, mark }: SoldRow): Promise<void> {
    const { published } = this.#parts.cluster;
    const epoch = published.get(venue)?.epoch;
    const middle = await soldMiddle(seller, venue, asset);
    if (middle === undefined || epoch === undefined || published.get(venue)?.epoch !== epoch) return;
    this.books += 1;
    if (Math.abs(middle / mark - 1) < WORLDS_APART / 2) return;
    this.wrongBooks += 1;
    this.#problems.push(
      `${fault}: ${seller.name} sold a book of ${venue} at ${middle} beside ${mark} of epoch ${epoch}`,
    );
  }
}

/** The middle of a book that a seller would sell; undefined where it has none in order. */
async function soldMiddle({ admin }: Member, venue: string, symbol: string): Promise<number | undefined> {
  const response = await fetch(`${admin}/v1/orderbook/${venue}/${symbol}/top`);
  if (!response.ok) return undefined;
  const { bid_price, ask_price } = (await response.json()) as {
    readonly bid_price: number;
    readonly ask_price: number;
  };
  return (bid_price + ask_price) / 2;
}
