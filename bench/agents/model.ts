import { isWire, type Wire } from '../../src/domain/read.ts';
import { ANTHROPIC } from './anthropic.ts';
import type { CallResult, Dialect, ModelCall, ModelTurn, Prompt } from './dialect.ts';
import { OPENAI } from './openai.ts';
import type { Policy } from './policies.ts';
import type { Shop } from './shop.ts';

/** A model behind an interface; `url` is the part of its address before `/chat/completions` or `/messages`. */
export interface ModelOptions {
  readonly api: 'openai' | 'anthropic';
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

const DIALECTS: Readonly<Record<ModelOptions['api'], Dialect>> = { openai: OPENAI, anthropic: ANTHROPIC };
const MOST_TURNS = 8;
const TURN_MS = 120_000;

const SYSTEM = `You answer questions of traders about perpetual futures from the data that the tools sell. Each paid call costs money: buy as little as answers the question, and nothing twice. Now is the moment of the data. Answer with JSON alone, {"answer": value}: a number without its unit and without rounding, a venue by its lower-case id, an asset as class:TICKER, a time in ISO 8601; null if it cannot be known.`;

/** The model that the environment names; undefined: none. Throws where it is named by half. */
export function modelOf(env: Readonly<Record<string, string | undefined>>): ModelOptions | undefined {
  const { BENCH_AGENT_URL: url, BENCH_AGENT_KEY: key = '', BENCH_AGENT_MODEL: model } = env;
  const { BENCH_AGENT_API: api = 'openai' } = env;
  if (url === undefined) return undefined;
  if (model === undefined) throw new Error('BENCH_AGENT_URL needs BENCH_AGENT_MODEL');
  if (api !== 'openai' && api !== 'anthropic')
    throw new Error(`BENCH_AGENT_API is openai or anthropic, not ${api}`);
  return { api, url: url.replace(/\/$/, ''), key, model };
}

async function nextTurn(options: ModelOptions, prompt: Prompt, shop: Shop): Promise<ModelTurn> {
  const dialect = DIALECTS[options.api];
  const body = JSON.stringify(dialect.body(prompt));
  shop.read(body);
  const response = await fetch(`${options.url}${dialect.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...dialect.headers(options.key) },
    body,
    signal: AbortSignal.timeout(TURN_MS),
  });
  const reply: unknown = await response.json();
  const turn = response.ok && isWire(reply) ? dialect.turn(reply) : undefined;
  if (turn === undefined) throw new Error(`the model answers ${response.status}: ${JSON.stringify(reply)}`);
  shop.write(JSON.stringify(turn.message));
  return turn;
}

/** Makes a call of a model; a call of no tool is an error, which the model sees. */
async function made(shop: Shop, call: ModelCall): Promise<CallResult> {
  try {
    const { text, problem } = await shop.call(call.name, call.args);
    return { call, text, isError: problem !== undefined };
  } catch (error) {
    return { call, text: String(error), isError: true };
  }
}

/** The value in what a model says; undefined where it says none. */
function answerIn(text: string): unknown {
  const [json] = /\{[^{}]*"answer"[^{}]*\}/.exec(text) ?? [];
  if (json === undefined) return undefined;
  try {
    const said: unknown = JSON.parse(json);
    return isWire(said) ? said.answer : undefined;
  } catch {
    return undefined;
  }
}

/** A policy that leaves each question to a model, in a conversation of its own. */
export function modelPolicy(options: ModelOptions): Policy {
  const { results } = DIALECTS[options.api];
  return async ({ ask }, shop) => {
    const messages: Wire[] = [{ role: 'user', content: ask }];
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      const prompt = { model: options.model, system: SYSTEM, messages, tools: shop.tools };
      const { text, calls, message } = await nextTurn(options, prompt, shop);
      if (calls.length === 0) return answerIn(text);
      const told: CallResult[] = [];
      for (const call of calls) told.push(await made(shop, call));
      messages.push(message, ...results(told));
    }
    return undefined;
  };
}
