import type { Client } from '@modelcontextprotocol/client';
import { atomicOf, usdOf } from '../../packages/client/src/usd.ts';
import { isWire, readText, type Wire, wireArray } from '../../src/domain/read.ts';

/** Characters of a token, roughly, of JSON in common models. */
const TOKEN_CHARACTERS = 4;

const tokensOf = (text: string): number => Math.ceil(text.length / TOKEN_CHARACTERS);

/** A tool as the service lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Wire;
}

/** An answer of a tool: data, or a problem that cost nothing. */
export interface Answer {
  readonly product: string | undefined;
  readonly data: unknown;
  readonly problem: Wire | undefined;
  readonly text: string;
}

/** Pays what a tool asks for, as clients do in band; absent where the server pays by itself. */
export type Pay = (required: Wire) => Promise<unknown>;

/** The tools of one service, and a count of what they cost one policy. */
export class Shop {
  readonly tools: readonly ListedTool[];
  readonly #client: Client;
  readonly #prices: ReadonlyMap<string, string>;
  readonly #pay: Pay | undefined;
  readonly #budget: bigint;
  readonly #bought = new Set<string>();
  #spent = 0n;
  #twice = 0;
  #tokensIn = 0;
  #tokensOut = 0;

  private constructor(
    client: Client,
    tools: readonly ListedTool[],
    prices: ReadonlyMap<string, string>,
    budgetUsd: string,
    pay: Pay | undefined,
  ) {
    this.#client = client;
    this.tools = tools;
    this.#prices = prices;
    this.#budget = atomicOf(budgetUsd);
    this.#pay = pay;
  }

  static async open(client: Client, budgetUsd: string, pay?: Pay): Promise<Shop> {
    const { tools } = await client.listTools();
    const listed = tools.map(({ name, description = '', inputSchema }) => ({
      name,
      description,
      inputSchema: { ...inputSchema },
    }));
    const { structuredContent } = await client.callTool({ name: 'prices_and_budget', arguments: {} });
    const data = isWire(structuredContent) ? structuredContent.data : undefined;
    const entries = (wireArray(isWire(data) ? data.prices : undefined) ?? []).filter(isWire);
    const prices = new Map(
      entries.map(({ product, usd }) => [readText(product) ?? '', readText(usd) ?? '0'] as const),
    );
    return new Shop(client, listed, prices, budgetUsd, pay);
  }

  get spentUsd(): string {
    return usdOf(this.#spent);
  }

  /** Purchases of what this policy had bought before. */
  get boughtTwice(): number {
    return this.#twice;
  }

  get tokens(): { readonly read: number; readonly written: number } {
    return { read: this.#tokensIn, written: this.#tokensOut };
  }

  priceOf(product: string): string {
    return this.#prices.get(product) ?? '0';
  }

  /** Counts a text that the policy reads. */
  read(text: string): void {
    this.#tokensIn += tokensOf(text);
  }

  /** Counts a text that the policy writes. */
  write(text: string): void {
    this.#tokensOut += tokensOf(text);
  }

  /** Calls a tool, and pays within the budget. */
  async call(name: string, args: Wire): Promise<Answer> {
    const call = { name, arguments: { ...args } };
    const { isError, structured } = await this.#ask(call);
    const text = JSON.stringify(structured);
    if (isError) return { product: undefined, data: undefined, problem: structured, text };
    const product = readText(structured.product);
    this.#note(name, call.arguments, product);
    return { product, data: structured.data, problem: undefined, text };
  }

  /** Counts a purchase by the price of its product. */
  #note(name: string, args: Wire, product: string | undefined): void {
    const usd = atomicOf(this.priceOf(product ?? ''));
    if (usd === 0n) return;
    const key = JSON.stringify([name, Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1))]);
    if (this.#bought.has(key)) this.#twice += 1;
    this.#bought.add(key);
    this.#spent += usd;
  }

  async #ask(call: { name: string; arguments: Record<string, unknown> }) {
    const first = await this.#client.callTool(call);
    const asked = isWire(first.structuredContent) ? first.structuredContent : {};
    if (this.#pay === undefined || !Array.isArray(asked.accepts))
      return { isError: first.isError === true, structured: asked };
    const [terms] = asked.accepts.filter(isWire);
    if (this.#spent + BigInt(readText(terms?.amount) ?? '0') > this.#budget)
      return { isError: true, structured: { code: 'over_budget' } };
    const payment = await this.#pay(asked);
    const second = await this.#client.callTool({ ...call, _meta: { 'x402/payment': payment } });
    const structured = isWire(second.structuredContent) ? second.structuredContent : {};
    return { isError: second.isError === true, structured };
  }
}
