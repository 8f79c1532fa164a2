import { atomicOf } from '../../packages/client/src/usd.ts';
import { isWire, type Wire, wireArray } from '../../src/domain/read.ts';
import type { Given, Question } from './question.ts';
import type { ListedTool, Shop } from './shop.ts';

/** A product as the list of tools describes it, and nothing else. */
export interface Offer {
  readonly tool: ListedTool;
  readonly product: string;
  readonly usd: bigint;
  /** Its line of the description. */
  readonly line: string;
  readonly takes: ReadonlySet<string>;
  readonly needs: readonly string[];
}

const LINE = /^([\w-]+) \((?:free|\$[\d.]+)\): (.+?)\.(?: Takes (.+)\.)?$/;

/** Reads the products out of the descriptions of the tools. */
export function offersOf(shop: Shop): readonly Offer[] {
  return shop.tools.flatMap((tool) => {
    const { required, properties } = tool.inputSchema;
    const names = Object.keys(isWire(properties) ? properties : {});
    const always = (wireArray(required) ?? []).map(String).filter((name) => name !== 'product');
    const lines = linesOf(tool.description);
    const owned = new Set(lines.flatMap(({ taken }) => taken.map((name) => name.replace('*', ''))));
    const shared = names.filter((name) => !owned.has(name) && name !== 'product');
    return lines.map(({ product, line, taken }) => ({
      tool,
      product,
      line,
      usd: atomicOf(shop.priceOf(product)),
      takes: new Set([...shared, ...taken.map((name) => name.replace('*', ''))]),
      needs: [...always, ...taken.filter((name) => name.endsWith('*')).map((name) => name.replace('*', ''))],
    }));
  });
}

function linesOf(description: string) {
  let before: readonly string[] = [];
  return description.split('\n').flatMap((text) => {
    const [, product, summary, words] = LINE.exec(text) ?? [];
    if (product === undefined || summary === undefined) return [];
    const taken = words === 'the same' ? before : (words?.split(' ') ?? []);
    before = taken;
    return [{ product, line: summary, taken }];
  });
}

/** Names under which tools take what a question names. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  ticker: ['ticker', 'symbol'],
  size_usd: ['size_usd', 'notional_usd'],
};

/** The arguments that a question's values make; `missing` are those that the product needs, `unplaced` those that it does not take. */
export function argumentsFor({ takes, needs, product, tool }: Offer, { given, among }: Question) {
  const args: Record<string, string | number> = {};
  const place = (values: Given): readonly string[] =>
    Object.entries(values).flatMap(([name, value]) => {
      const taken = (ALIASES[name] ?? [name]).find((alias) => takes.has(alias) && !(alias in args));
      if (taken === undefined) return [name];
      args[taken] = value;
      return [];
    });
  const unplaced = place(given);
  place(among);
  const missing = needs.filter((name) => !(name in args));
  const { properties } = tool.inputSchema;
  const isChosen = isWire(properties) && properties.product !== undefined;
  const call: Wire = isChosen ? { product, ...args } : args;
  return { args: call, missing, unplaced };
}
