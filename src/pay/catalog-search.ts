import { lowerAscii } from '../domain/ascii-case.ts';
import type { CatalogItem } from './catalog-item.ts';

/** The filters of the x402 discovery interface. Undefined: any. */
export interface CatalogFilter {
  readonly type?: string | undefined;
  readonly payTo?: string | undefined;
  readonly scheme?: string | undefined;
  readonly network?: string | undefined;
  /** Key of an extension that the item carries. */
  readonly extensions?: string | undefined;
}

/** True if the item is sold on the requested terms; text is compared without case. */
export function matchesFilter(item: CatalogItem, filter: CatalogFilter): boolean {
  const { type, extensions, payTo, scheme, network } = filter;
  if (!same(type, item.type)) return false;
  if (extensions !== undefined && !Object.keys(item.extensions).some((key) => same(extensions, key)))
    return false;
  if (payTo === undefined && scheme === undefined && network === undefined) return true;
  return item.accepts.some(
    (entry) => same(payTo, entry.payTo) && same(scheme, entry.scheme) && same(network, entry.network),
  );
}

function same(wanted: string | undefined, actual: string): boolean {
  return wanted === undefined || lowerAscii(wanted) === lowerAscii(actual);
}

/**
 * The items in which words of the query begin words of their path, tags or description; best first, ties in the order of
 * the catalog. A word counts the more, the fewer items have it, and three times where a path or a tag does.
 */
export function searchCatalog(items: readonly CatalogItem[], query: string): readonly CatalogItem[] {
  const texts = items.map((item) => ({
    item,
    title: wordsOf([new URL(item.resource).pathname, ...item.tags].join(' ')),
    description: wordsOf(item.description),
    score: 0,
  }));
  for (const word of new Set(wordsOf(query))) {
    const begins = (words: readonly string[]): boolean => words.some((term) => term.startsWith(word));
    const found = texts.map(({ title, description }) => (begins(title) ? 3 : begins(description) ? 1 : 0));
    const having = found.filter((times) => times > 0).length;
    texts.forEach((text, i) => {
      text.score += (found[i] ?? 0) * Math.log1p(items.length / Math.max(having, 1));
    });
  }
  return texts
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

/** Letters and digits of two and more. */
function wordsOf(text: string): readonly string[] {
  return lowerAscii(text).match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}
