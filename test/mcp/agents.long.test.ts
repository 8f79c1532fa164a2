import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentMarket, openAgentMarket } from '../../bench/agents/market.ts';
import { modelOf, modelPolicy } from '../../bench/agents/model.ts';
import { POLICIES, type Policy } from '../../bench/agents/policies.ts';
import { isRight, QUESTIONS, type Question, readPlace } from '../../bench/agents/question.ts';
import { runPolicy } from '../../bench/agents/run.ts';
import { truthOf } from '../../bench/agents/truths.ts';
import { isWire, type Wire } from '../../src/domain/read.ts';

/** Every fifth question: of nearly each kind one. */
const SHORT = QUESTIONS.filter((_, at) => at % 5 === 0);
const BUDGET_USD = '1';

let market: AgentMarket;
beforeAll(async () => {
  market = await openAgentMarket();
});
afterAll(() => market.stop());

const questionOf = (id: string): Question => {
  const found = QUESTIONS.find((question) => question.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};

const run = (policy: Policy, questions: readonly Question[], door: '/mcp' | 'perpmeter mcp' = '/mcp') =>
  runPolicy({ market, door, name: 'test', policy, questions, budgetUsd: BUDGET_USD });

describe('the questions of bench agents', () => {
  it('sixty, each with a truth in the world and a way to it', () => {
    expect(QUESTIONS).toHaveLength(60);
    expect(new Set(QUESTIONS.map(({ id }) => id)).size).toBe(60);
    for (const question of QUESTIONS) {
      const truth = truthOf(question, market.world);
      expect([question.id, truth === undefined || Number.isNaN(truth)]).toEqual([question.id, false]);
      expect(Object.keys(question.ways).length).toBeGreaterThan(0);
    }
  });

  it('a wrong answer, or none: not right', () => {
    const venue = questionOf('eth-short');
    expect([isRight(venue, 'OKX', 'okx'), isRight(venue, 'okx', 'gate')]).toEqual([true, false]);
    const cost = questionOf('btc-binance-rate');
    expect([isRight(cost, 0.0001, 0.0001), isRight(cost, 0.0002, 0.0001)]).toEqual([true, false]);
    for (const none of [undefined, null, 'unknown']) expect(isRight(cost, none, 0.0001)).toBe(false);
    const rows = {
      rates: [
        { venue: 'okx', rate: 1 },
        { venue: 'binance', rate: 2 },
      ],
    };
    expect(readPlace(rows, 'rates[venue=$venue].rate', cost)).toBe(2);
    expect(readPlace(rows, 'rates#', cost)).toBe(2);
    expect(readPlace(rows, 'nosuch[0].rate', cost)).toBeUndefined();
  });
});

describe('a scripted reader of the list of tools', () => {
  it('the cheapest fitting product: all right, nothing bought twice', async () => {
    const outcome = await run(POLICIES.cheapest(), SHORT);
    expect([outcome.wrong, outcome.boughtTwice]).toEqual([[], 0]);
    expect(outcome.spentUsd).toBe(outcome.earnedUsd);
  });

  it('by words alone: nine of ten right', async () => {
    const outcome = await run(POLICIES.overlap(), SHORT);
    expect(outcome.right / SHORT.length).toBeGreaterThanOrEqual(0.9);
    expect(outcome.spentUsd).toBe(outcome.earnedUsd);
  });

  it.each(['cheapest', 'overlap'] as const)('%s, ETH short after fees: one call', async (name) => {
    const outcome = await run(POLICIES[name](), [questionOf('eth-short')]);
    expect([outcome.wrong, outcome.spentUsd]).toEqual([[], name === 'cheapest' ? '0.005' : outcome.spentUsd]);
    expect(['0.005', '0.01']).toContain(outcome.spentUsd);
  });

  it('at random: the counts hold, and the budget', async () => {
    const outcome = await run(POLICIES.random(), SHORT.slice(0, 4));
    expect(outcome.right + outcome.wrong.length).toBe(4);
    expect(outcome.spentUsd).toBe(outcome.earnedUsd);
    expect(Number(outcome.spentUsd)).toBeLessThanOrEqual(Number(BUDGET_USD));
  });

  it('over perpmeter mcp: the same answers at the same cost', async () => {
    const questions = SHORT.slice(0, 4);
    const there = await run(POLICIES.cheapest(), questions);
    const here = await run(POLICIES.cheapest(), questions, 'perpmeter mcp');
    expect(here).toEqual({ ...there, door: 'perpmeter mcp', tokens: here.tokens });
  });
});

/** The scripted model makes this call, and then names the venue of its answer. */
const CALL = {
  name: 'execution',
  args: { product: 'orderbook-best-execution', ticker: 'ETH', side: 'sell', rank_by: 'all_in' },
};

function venueIn(text: string): unknown {
  const told: unknown = JSON.parse(text);
  const data = isWire(told) ? told.data : undefined;
  const best = isWire(data) ? data.best : undefined;
  return isWire(best) ? best.venue : undefined;
}

function openaiTurn({ messages }: Wire): Wire {
  const last = (messages as readonly Wire[]).at(-1);
  if (last?.role !== 'tool') {
    const called = { name: CALL.name, arguments: JSON.stringify(CALL.args) };
    const tool_calls = [{ id: 'one', type: 'function', function: called }];
    return { choices: [{ message: { role: 'assistant', content: null, tool_calls } }] };
  }
  const content = `It is {"answer": "${venueIn(String(last.content))}"}.`;
  return { choices: [{ message: { role: 'assistant', content } }] };
}

function anthropicTurn({ messages }: Wire): Wire {
  const content = (messages as readonly Wire[]).at(-1)?.content;
  const [told] = Array.isArray(content) ? content : [];
  if (!isWire(told)) return { content: [{ type: 'tool_use', id: 'one', name: CALL.name, input: CALL.args }] };
  return { content: [{ type: 'text', text: `{"answer": "${venueIn(String(told.content))}"}` }] };
}

describe('a model behind an interface', () => {
  let server: Server;
  let url: string;
  const asked: { readonly path: string | undefined; readonly headers: unknown; readonly body: Wire }[] = [];
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const body = (await json(request)) as Wire;
      asked.push({ path: request.url, headers: request.headers, body });
      const turn = request.url === '/v1/messages' ? anthropicTurn(body) : openaiTurn(body);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(turn));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  });
  afterAll(() => server.close());

  it.each([
    ['openai', '/v1/chat/completions', { authorization: 'Bearer secret' }],
    ['anthropic', '/v1/messages', { 'x-api-key': 'secret' }],
  ])('%s: given the tools, asked, told, and its answer counted', async (api, path, headers) => {
    const model = modelOf({
      BENCH_AGENT_URL: url,
      BENCH_AGENT_API: api,
      BENCH_AGENT_KEY: 'secret',
      BENCH_AGENT_MODEL: 'script',
    });
    if (model === undefined) throw new Error('no model');
    const outcome = await run(modelPolicy(model), [questionOf('eth-short')]);
    expect([outcome.wrong, outcome.spentUsd, outcome.earnedUsd]).toEqual([[], '0.01', '0.01']);
    const turns = asked.splice(0);
    expect(turns.map((turn) => turn.path)).toEqual([path, path]);
    expect(turns[0]).toMatchObject({ headers, body: { model: 'script' } });
    const characters = turns.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0);
    expect(Math.abs(outcome.tokens.read - characters / 4)).toBeLessThanOrEqual(turns.length);
    expect(turns[0]?.body.tools).toHaveLength(16);
  });

  it('none is named, or by half: none, or why not', () => {
    expect(modelOf({})).toBeUndefined();
    expect(() => modelOf({ BENCH_AGENT_URL: url })).toThrow('needs BENCH_AGENT_MODEL');
    const other = { BENCH_AGENT_URL: url, BENCH_AGENT_MODEL: 'x', BENCH_AGENT_API: 'other' };
    expect(() => modelOf(other)).toThrow('is openai or anthropic, not other');
  });
});
