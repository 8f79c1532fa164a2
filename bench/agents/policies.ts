import { isWire, wireArray } from '../../src/domain/read.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { Random } from '../../test/soak/random.ts';
import { argumentsFor, type Offer, offersOf } from './offers.ts';
import { type Question, readPlace } from './question.ts';
import type { Answer, Shop } from './shop.ts';

/** Finds the answer of a question by way of the tools; undefined where it gives up. */
export type Policy = (question: Question, shop: Shop) => Promise<unknown>;

/** A reader that found nothing in so many answers gives up. */
const MOST_CALLS = 3;

/** Every name of a field in a schema. */
function fieldsIn(schema: unknown, found = new Set<string>()): ReadonlySet<string> {
  for (const inner of wireArray(schema) ?? []) fieldsIn(inner, found);
  if (!isWire(schema)) return found;
  for (const [name, inner] of Object.entries(schema)) {
    if (name === 'properties' && isWire(inner)) for (const field of Object.keys(inner)) found.add(field);
    fieldsIn(inner, found);
  }
  return found;
}

const FIELDS = new Map(ROUTES.map(({ id, answer }) => [id, fieldsIn(answer)] as const));

const hasFields = ({ product }: Offer, { wants }: Question): boolean =>
  wants.every((names) => names.split('|').some((name) => FIELDS.get(product)?.has(name)));

/** Asks one offer after another for what a question wants; each answer is kept, and asked for once. */
async function askInTurn(
  offers: readonly Offer[],
  question: Question,
  shop: Shop,
  kept: Map<string, Answer>,
): Promise<unknown> {
  shop.read(JSON.stringify(shop.tools));
  let calls = 0;
  for (const offer of offers) {
    const { args, missing } = argumentsFor(offer, question);
    if (missing.length > 0) continue;
    if (calls++ === MOST_CALLS) return undefined;
    const key = JSON.stringify([offer.tool.name, args]);
    shop.write(key);
    const answer = kept.get(key) ?? (await shop.call(offer.tool.name, args));
    shop.read(answer.text);
    if (answer.problem === undefined) kept.set(key, answer);
    const place = question.ways[offer.product];
    const found = place === undefined ? undefined : readPlace(answer.data, place, question);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

/**
 * The cheapest product whose declared answer has the fields that are wanted and whose declared arguments take all that the
 * call has to carry; of equals the one that takes more of what it may carry, and then the shorter answer.
 */
function cheapest(): Policy {
  const kept = new Map<string, Answer>();
  return (question, shop) => {
    const fitting = offersOf(shop).filter(
      (offer) => hasFields(offer, question) && argumentsFor(offer, question).unplaced.length === 0,
    );
    const length = ({ product }: Offer): number => FIELDS.get(product)?.size ?? 0;
    const placed = (offer: Offer): number => Object.keys(argumentsFor(offer, question).args).length;
    const inOrder = fitting.toSorted(
      (a, b) => Number(a.usd - b.usd) || placed(b) - placed(a) || length(a) - length(b),
    );
    return askInTurn(inOrder, question, shop, kept);
  };
}

const STOP = new Set(
  'a an and are as at by for from how i in is it its many much now of off on or per right that the to what where which who with'.split(
    ' ',
  ),
);

/** The words of a text by their stems. */
const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    .filter((word) => !STOP.has(word))
    .map((word) => word.replace(/(?:ing|ed|es|s)$/, ''));

/** The words of an offer: of itself, and of its tool but for what that is no use for. */
interface Reading {
  readonly offer: Offer;
  readonly own: ReadonlySet<string>;
  readonly tool: ReadonlySet<string>;
}

const spaced = (text: string): string => text.replaceAll('_', ' ').replaceAll('symbol', 'ticker');

function readingOf(offer: Offer): Reading {
  const { tool, product, line, takes } = offer;
  const [about = ''] = tool.description.split('\n');
  const use = /^Use (.+?);/m.exec(tool.description)?.[1] ?? '';
  return {
    offer,
    own: new Set(wordsOf(spaced([product, line, ...takes].join(' ')))),
    tool: new Set(wordsOf(spaced([tool.name, about, use].join(' ')))),
  };
}

/** A word of the offer itself counts as two of its tool. */
const countOf = ({ own, tool }: Reading, word: string): number =>
  own.has(word) ? 2 : tool.has(word) ? 1 : 0;

/** A naive reader: the offer whose description shares most words with the question, rare words counting for more. */
function overlap(): Policy {
  const kept = new Map<string, Answer>();
  return (question, shop) => {
    const readings = offersOf(shop).map(readingOf);
    const asked = [...new Set([...wordsOf(question.ask), ...valueNames(question)])];
    const weights = asked.map((word) => {
      const known = readings.filter((reading) => countOf(reading, word) > 0).length;
      return { word, weight: known === 0 ? 0 : Math.log(1 + readings.length / known) };
    });
    const score = (reading: Reading): number =>
      weights.reduce((sum, { word, weight }) => sum + countOf(reading, word) * weight, 0);
    const ranked = readings.toSorted((first, second) => score(second) - score(first));
    return askInTurn(
      ranked.map(({ offer }) => offer),
      question,
      shop,
      kept,
    );
  };
}

/** Words for the kinds of values that a question names: a reader knows okx for a venue. */
const valueNames = ({ given, among }: Question): readonly string[] =>
  wordsOf(spaced(Object.keys({ ...given, ...among }).join(' ')));

/** Any offers whose arguments can be filled, and no memory. */
function random(seed: number): Policy {
  const draws = new Random(seed);
  return (question, shop) => {
    const shuffled = offersOf(shop)
      .map((offer) => ({ offer, at: draws.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ offer }) => offer);
    return askInTurn(shuffled, question, shop, new Map());
  };
}

/** The scripted policies, each new for a run. */
export const POLICIES = { cheapest, overlap, random: () => random(7) } as const;
export type PolicyName = keyof typeof POLICIES;
