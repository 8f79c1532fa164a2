import Type, { type TObject } from 'typebox';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { type RenderedAnswer, withField, withRenamed } from '../answer/product-answer.ts';
import { type Renamed, renamedBy, renamedSchema } from '../answer/renamed.ts';
import type { Plan, Ports, Product, Production } from '../define-product.ts';
import { chosenMarket } from './chosen-market.ts';
import {
  assetsParameter,
  choiceParameters,
  contradiction,
  nothingToScan,
  type ReadChoice,
  readChoice,
  statedChoiceSchema,
} from './market-choice.ts';
import { severally } from './several.ts';

/** `venues` = some venues and quote currencies; `assets` = of a scan over all assets some of these, too. */
type ChoiceOf = 'venues' | 'assets';

const PARAMETERS = {
  venues: choiceParameters,
  assets: { ...assetsParameter, ...choiceParameters },
} as const;

const STATED = { filters: Type.Optional(statedChoiceSchema) };
/** Fields that repeat a choice. Beside an asset that the product asks for itself, the product says where that was renamed. */
const SAID = { venues: STATED, assets: { ...STATED, renamed: Type.Optional(renamedSchema) } } as const;

/** Lets an answer about one asset be held to some venues and quote currencies, and be asked of several assets at once. */
export const choosesVenues = <P>(product: Product<P>): Product<P> => severally(choosesVenuesOfOne(product));

/** The same of one asset. */
export const choosesVenuesOfOne = <P>(product: Product<P>): Product<P> => choosing(product, 'venues');

/** The same of a scan over all assets, which can be held to some of these, too. */
export const choosesAssets = <P>(product: Product<P>): Product<P> => choosing(product, 'assets');

/** The same of a scan that may be held to one venue, as it compares two markets of it. */
export const choosesAssetsOfOne = <P>(product: Product<P>): Product<P> => choosing(product, 'assets', 1);

/**
 * A product whose answer can be held to a part of the market, and repeats what it was held to. It is answered over that part
 * alone, so whatever it chooses is the best of it.
 *
 * @param fewest venues that a scan compares
 */
function choosing<P>(product: Product<P>, of: ChoiceOf, fewest = 2): Product<P> {
  const { properties } = product.answer as TObject;
  return {
    ...product,
    query: Type.Object({ ...product.query.properties, ...PARAMETERS[of] }),
    answer: Type.Object({ ...properties, ...SAID[of] }),
    plan: (asked, ports) => {
      const { rest, ...words } = taken(asked, of);
      const { market } = ports as Pick<Ports, 'market'>;
      const read = readChoice(market, words);
      if (!read.ok) return read;
      if (read.value === undefined) return product.plan(rest, ports);
      const { choice, stated } = read.value;
      const part = chosenMarket(market, { ...choice, isScan: of === 'assets' });
      // Of a venue that a scan is of, its rates are looked at one by one.
      const isCompared = of === 'assets' && rest.venue === undefined;
      const impossible =
        contradiction(choice, rest) ?? (isCompared ? nothingToScan(part, stated, fewest) : undefined);
      if (impossible !== undefined) return fail(impossible);
      const plan = product.plan(rest, { ...ports, market: part });
      // Of a list, `filters` names each as it is called now.
      const renamed = renamedBy(market, { symbol: words.symbol });
      return plan.ok ? ok(repeating(plan.value, stated, renamed)) : plan;
    },
  };
}

type Asked = Readonly<Record<string, unknown>>;

/** The words of the choice, and all that is asked beside it: `symbol` is the product's own where it is no scan. */
function taken({ venues, exclude, quote, ...others }: Asked, of: ChoiceOf) {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const words = { venues: textOf(venues), exclude: textOf(exclude), quote: textOf(quote) };
  if (of === 'venues') return { ...words, symbol: undefined, rest: others };
  const { symbol, ...rest } = others;
  return { ...words, symbol: textOf(symbol), rest };
}

/** A plan whose answer says what it was held to. */
function repeating(
  { produce, books }: Plan,
  stated: ReadChoice['stated'],
  renamed: Renamed | undefined,
): Plan {
  const said = (made: Result<RenderedAnswer>): Result<RenderedAnswer> => {
    if (!made.ok) return made;
    const answer = withField(made.value, 'filters', stated);
    return ok(renamed === undefined ? answer : withRenamed(answer, renamed));
  };
  return {
    ...(books !== undefined && { books }),
    produce: (): Production => {
      const made = produce();
      return made instanceof Promise ? made.then(said) : said(made);
    },
  };
}
