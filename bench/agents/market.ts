import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asMs } from '../../src/domain/units.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { createExampleHistory } from '../../test/api/example-history.ts';
import { type McpService, startMcpService } from '../../test/mcp/mcp-service.ts';
import { TruthTable } from '../../test/truth/truth-table.ts';
import { fillBooks } from '../../test/world/world-books.ts';
import { createWorldMarket } from '../../test/world/world-market.ts';
import type { TrueWorld } from './truths.ts';

/** The service over the simulated world at one moment, selling on a sandbox chain, beside what is true of that world. */
export interface AgentMarket {
  readonly service: McpService;
  readonly world: TrueWorld;
  /** A folder in which `perpmeter mcp` finds the key of the buyer. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** A second passes whenever the clock is read: the limit of messages is not what is measured. */
function hurriedClock() {
  let now = 0;
  return {
    now: () => {
      now += 1000;
      return asMs(now);
    },
  };
}

export async function openAgentMarket(): Promise<AgentMarket> {
  const source = createWorldMarket();
  const { clock, market } = source;
  const rows = [...market.view.eachRow()];
  const books = createBookStore({ clock });
  fillBooks(books, source);
  const history = createExampleHistory(() => rows, clock);
  const over = { market: market.view, clock, books: books.view, history };
  const service = await startMcpService(over, hurriedClock());
  const folder = mkdtempSync(join(tmpdir(), 'agents-'));
  mkdirSync(join(folder, 'var'));
  const demo = { base_url: service.url, buyer_private_key: service.chain.buyer.privateKey };
  writeFileSync(join(folder, 'var/demo.json'), JSON.stringify(demo));
  return {
    service,
    folder,
    world: { table: new TruthTable(source, () => clock.now()), now: clock.now() },
    stop: async () => {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
