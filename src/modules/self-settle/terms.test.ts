import { describe, expect, it } from 'vitest';
import { reading } from '../../host/open-modules.ts';
import { selfSettle } from './module.ts';
import { readTerms } from './terms.ts';

/** The faults that the module finds in these settings. */
const faultsOf = async (settings: Readonly<Record<string, unknown>>) =>
  (await selfSettle.check?.(reading(settings))) ?? [];

const WRONG = { gasPriceCap: '0', confirmations: '65', network: 'eip155:8453' };

describe('the terms of settling in this process', () => {
  it('nothing is set: one gwei, one block', () => {
    expect(readTerms({})).toEqual({ maxFeePerGas: 10n ** 9n, confirmations: 1, errors: [] });
  });

  it('both are wrong: both are named', async () => {
    expect(await faultsOf({ ...WRONG, payments: 'self', role: ['sell'] })).toEqual([
      'GAS_PRICE_CAP_GWEI must be a positive decimal with at most 9 decimal places',
      'CONFIRMATIONS must be a whole number from 1 to 64',
    ]);
  });

  it('the process does not settle itself: they are not looked at', async () => {
    expect(await faultsOf({ ...WRONG, payments: 'remote', role: ['all'] })).toEqual([]);
    expect(await faultsOf({ ...WRONG, payments: 'self', role: ['collect'] })).toEqual([]);
  });

  it('a cap of another network: checked as well', async () => {
    const network = 'eip155:8453,eip155:137';
    const given = { payments: 'self', role: ['sell'], network };
    expect(await faultsOf({ ...given, gasPriceCap: '1,eip155:137=200' })).toEqual([]);
    expect(await faultsOf({ ...given, gasPriceCap: '1,eip155:137=0' })).toHaveLength(1);
  });
});
