import type { ProductAnswer } from '../../analytics/product-answer.ts';
import { type AssetRows, type Pair, selectAsset, selectPair } from '../../analytics/select.ts';
import { ok, type Result } from '../../domain/errors.ts';
import { handlerResult } from '../answers/handler-result.ts';
import type { HandlerResult, Services } from '../route.ts';

interface AssetInput {
  readonly ticker: string;
  readonly canonical_id?: string | undefined;
}

interface PairInput extends AssetInput {
  readonly venue: string;
}

interface VenueSymbolInput {
  readonly venue: string;
  readonly symbol: string;
}

/** The two halves of a handler. The asset is looked up again for the answer: verifying a payment takes time. */
interface Halves<Input> {
  readonly resolve: (input: Input, services: Services) => Result<Input>;
  readonly answer: (input: Input, services: Services) => Result<HandlerResult>;
}

function halves<Input, Subject>(
  find: (input: Input, services: Services) => Result<Subject>,
  product: (subject: Subject, services: Services, input: Input) => Result<ProductAnswer<unknown>>,
): Halves<Input> {
  return {
    resolve: (input, services) => {
      const found = find(input, services);
      return found.ok ? ok(input) : found;
    },
    answer: (input, services) => {
      const found = find(input, services);
      return found.ok ? handlerResult(product(found.value, services, input)) : found;
    },
  };
}

/** A product about one asset on all venues. */
export const aboutAsset = <Input extends AssetInput = AssetInput>(
  product: (asset: AssetRows, services: Services, input: Input) => Result<ProductAnswer<unknown>>,
): Halves<Input> =>
  halves(
    ({ ticker, canonical_id }, { market }) => selectAsset(market, { ticker, canonicalId: canonical_id }),
    product,
  );

/** The same, named in the path. */
export const aboutSymbol = (
  product: (asset: AssetRows, services: Services) => Result<ProductAnswer<unknown>>,
): Halves<{ readonly symbol: string }> =>
  halves(({ symbol }, { market }) => selectAsset(market, { ticker: symbol }), product);

/** A product about one asset on one venue. */
export const aboutPair = (
  product: (pair: Pair, services: Services) => Result<ProductAnswer<unknown>>,
): Halves<PairInput> =>
  halves(
    ({ ticker, venue, canonical_id }, { market }) =>
      selectPair(market, { ticker, venue, canonicalId: canonical_id }),
    product,
  );

/** The same, named in the path. */
export const aboutVenueSymbol = <Input extends VenueSymbolInput = VenueSymbolInput>(
  product: (pair: Pair, services: Services, input: Input) => Result<ProductAnswer<unknown>>,
): Halves<Input> =>
  halves(({ symbol, venue }, { market }) => selectPair(market, { ticker: symbol, venue }), product);
