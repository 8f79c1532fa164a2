const FIRST = 'BTC';

/** The query that names the asset in every call of this view. */
export function assetQuery(params: URLSearchParams): { ticker: string; query: string } {
  const ticker = params.get('ticker') ?? FIRST;
  // Every route takes an identity as a ticker; not every one has a parameter for it.
  const query = new URLSearchParams({ ticker: params.get('id') ?? ticker });
  return { ticker, query: query.toString() };
}
