const WEI_PER_COIN = 1e18;

/**
 * US dollars that gas costs.
 *
 * @param wei what was paid, in the smallest unit of the network's coin
 * @param coinUsd price of the coin, US dollars
 */
export const gasCostUsd = (wei: number, coinUsd: number): number => (wei * coinUsd) / WEI_PER_COIN;
