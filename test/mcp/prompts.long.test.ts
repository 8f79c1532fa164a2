import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOORS, type OpenShop } from '../../bench/agents/doors.ts';
import { type AgentMarket, openAgentMarket } from '../../bench/agents/market.ts';
import { paidShare } from '../../bench/agents/past.ts';
import type { Wire } from '../../src/domain/read.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import { inner, items } from '../truth/near.ts';

let market: AgentMarket;
let client: Client;
let open: OpenShop;
let from: string;
let to: string;
beforeAll(async () => {
  market = await openAgentMarket();
  client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${market.service.url}/mcp`)));
  open = await DOORS['/mcp'](market, '1');
  const end = Math.floor(market.world.now / DAY_MS) * DAY_MS;
  from = new Date(end - 3 * DAY_MS).toISOString().slice(0, 16).concat('Z');
  to = new Date(end).toISOString().slice(0, 16).concat('Z');
});
afterAll(async () => {
  await open.close();
  await client.close();
  await market.stop();
});

/** A call that a prompt tells its reader to make. */
interface PlannedCall {
  readonly name: string;
  readonly arguments: Wire;
}

/** `1. spread_and_carry, product perp-funding-spread, ticker BTC: …` */
const STEP = /^\d+\. (\w+), (.+?): /;

/** The calls in the steps of a prompt's text, read as they stand there and not as they were meant. */
function planOf(text: string): readonly PlannedCall[] {
  return text.split('\n').flatMap((line) => {
    const [, name, words] = STEP.exec(line) ?? [];
    if (name === undefined || words === undefined) return [];
    const pairs = words.split(', ').map((pair) => pair.split(' '));
    return [{ name, arguments: Object.fromEntries(pairs.map(([key, value]) => [key, value])) }];
  });
}

/** Each prompt with arguments, as they are read again in its text. */
const GIVEN: Readonly<Record<string, () => Record<string, string>>> = {
  funding_carry: () => ({ ticker: 'DOGE', days: '7' }),
  size_entry: () => ({ ticker: 'ETH', side: 'sell', size_usd: '10000' }),
  pair_backtest: () => ({ ticker: 'ETH', long_venue: 'okx', short_venue: 'binance', from, to }),
};

async function textOf(name: string): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: GIVEN[name]?.() ?? {} });
  const [message] = messages;
  return message?.content.type === 'text' ? message.content.text : '';
}

/** Buys what a prompt says, in its order. */
async function bought(name: string): Promise<readonly Wire[]> {
  const answers: Wire[] = [];
  for (const call of planOf(await textOf(name))) {
    const { data, problem } = await open.shop.call(call.name, call.arguments);
    expect([call, problem]).toEqual([call, undefined]);
    answers.push(data as Wire);
  }
  return answers;
}

/** Sums the payments of a contract in the window, straight from the world. */
function paidBy(venue: string): number {
  const row = market.world.table.of('crypto:ETH').find((each) => each.venue === venue);
  const step = Number(row?.intervalHours) * HOUR_MS;
  let sum = 0;
  for (let at = Date.parse(from); at < Date.parse(to); at += step)
    sum += Number(row?.fundingRate) * paidShare(at);
  return sum;
}

describe('the prompts', () => {
  it('each one: as many paid calls as it says, all of them taken', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name).sort()).toEqual(Object.keys(GIVEN).sort());
    for (const { name } of prompts) {
      const text = await textOf(name);
      const calls = planOf(text);
      const said = /(One|Two|Three) paid calls?\./.exec(text)?.[1];
      expect([name, { One: 1, Two: 2, Three: 3 }[said ?? '']]).toEqual([name, calls.length]);
      const { structuredContent } = await client.callTool({ name: 'estimate', arguments: { calls } });
      expect([name, structuredContent]).toMatchObject([name, { data: { accepted: true } }]);
    }
  });

  it('funding_carry: the spread, its past and its costs are in the answers', async () => {
    const [past = {}, costs = {}] = await bought('funding_carry');
    expect(past.spread_8h_bps).toBeGreaterThan(0);
    const [week] = items(past, 'windows');
    expect(week?.positive_pct).toBeGreaterThanOrEqual(0);
    for (const leg of ['short', 'long']) {
      const { venue } = inner(past, leg);
      const cost = items(costs, 'venues').find((row) => row.venue === venue);
      const types = [typeof cost?.slippage_bps, typeof cost?.taker_fee_bps];
      expect([venue, ...types]).toEqual([venue, 'number', 'number']);
    }
  });

  it('size_entry: both costs, the split no dearer', async () => {
    const [best = {}, route = {}] = await bought('size_entry');
    const single = Number(inner(best, 'best').all_in_bps);
    const split = inner(route, 'split');
    expect(single).toBeGreaterThan(0);
    expect(split.all_in_bps).toBeLessThanOrEqual(Number(inner(split, 'best_single').all_in_bps));
  });

  it('pair_backtest: the sum over joined rows is what the world paid', async () => {
    const [long = {}, short = {}] = await bought('pair_backtest');
    const paid = (answer: Wire): number =>
      items(answer, 'data').reduce(
        (sum, row) => sum + Number(row.settled_funding_rate ?? 0) * Number(row.settled_payments ?? 0),
        0,
      );
    expect(items(long, 'data').map(({ ts }) => ts)).toEqual(items(short, 'data').map(({ ts }) => ts));
    expect(paid(short) - paid(long)).toBeCloseTo(paidBy('binance') - paidBy('okx'), 8);
  });
});
