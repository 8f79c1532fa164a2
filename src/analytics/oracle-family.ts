/** What stands behind a family of index prices. */
export interface OracleFamily {
  /** The feed that all members read; undefined where each has its own. */
  readonly upstream?: string;
  readonly description?: string;
}

const FAMILIES: Readonly<Record<string, OracleFamily>> = {
  'own-cex-basket': {
    description: 'Basket of spot prices that the venue weights itself; constituents overlap between venues',
  },
  'validator-cex-basket': {
    description: 'Median over validators, each of which weights spot prices of centralized venues',
  },
  pyth: { upstream: 'Pyth', description: 'Pyth Network price feeds' },
  chainlink: { upstream: 'Chainlink', description: 'Chainlink data feeds or streams' },
  'pyth-stork': { upstream: 'Pyth and Stork', description: 'Pyth and Stork feeds together' },
  stork: { upstream: 'Stork', description: 'Stork oracle network' },
};

export function familyOf(family: string): OracleFamily {
  return FAMILIES[family] ?? {};
}
