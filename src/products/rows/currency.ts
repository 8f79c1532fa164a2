import NAMES from './currency-names.json' with { type: 'json' };

const currencies: ReadonlyMap<string, string> = new Map(NAMES.map(({ name, currency }) => [name, currency]));

/**
 * The currency that a venue's name of one means: coins of one issuer that are redeemed 1:1 go by several names. Bridged
 * tokens of other issuers are currencies of their own, whose worth is measured.
 */
export const currencyOf = (quote: string): string => currencies.get(quote) ?? quote;
