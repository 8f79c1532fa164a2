const WEI_PER_COIN = 1e18;

/**
 * US dollars that gas costs.
 *
 * @param weiPerGas the effective price of a unit, wei
 * @param coinUsd price of the coin in which the network's gas is paid, US dollars
 */
export function gasCostUsd(gas: number, weiPerGas: number, coinUsd: number): number {
  return (gas * weiPerGas * coinUsd) / WEI_PER_COIN;
}
