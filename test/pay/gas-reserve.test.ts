import { describe, expect, it } from 'vitest';
import { CLAIM_GAS, createGasOracle } from '../../src/modules/self-settle/gas.ts';
import type { Rpc } from '../../src/pay/rpc.ts';

const ADDRESS = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
/** Twice the base fee, and the tip: 3 wei per unit of gas are bid. */
const BID = 3n;

function oracleOf(owned: bigint, largestGas?: bigint) {
  const answers: Readonly<Record<string, unknown>> = {
    eth_getBlockByNumber: { baseFeePerGas: '0x1' },
    eth_maxPriorityFeePerGas: '0x1',
    eth_getBalance: `0x${owned.toString(16)}`,
  };
  const rpc: Rpc = async (method) => answers[method];
  return createGasOracle({ rpc, address: ADDRESS, maxFeePerGas: 10n, largestGas });
}

describe('the gas of the account that settles', () => {
  it('before the first look: not known', () => {
    expect(oracleOf(1n).reserve).toBeUndefined();
  });

  it.each([
    [20n * CLAIM_GAS * BID, { transactions: 20, isLow: false, isShort: false }, undefined],
    [20n * CLAIM_GAS * BID - 1n, { transactions: 19, isLow: true, isShort: false }, undefined],
    [10n * CLAIM_GAS * BID, { transactions: 10, isLow: true, isShort: false }, undefined],
    [10n * CLAIM_GAS * BID - 1n, { transactions: 9, isLow: true, isShort: true }, 'facilitator_out_of_gas'],
    [0n, { transactions: 0, isLow: true, isShort: true }, 'facilitator_out_of_gas'],
  ])('%s wei, claims: what it pays for, and the obstacle', async (owned, reserve, obstacle) => {
    const oracle = oracleOf(owned, CLAIM_GAS);
    expect(await oracle.obstacle()).toBe(obstacle);
    expect(oracle.reserve).toEqual({ address: ADDRESS, ...reserve });
  });

  it('without channels: counted in transfers', async () => {
    const oracle = oracleOf(10n * 150_000n * BID);
    expect(await oracle.obstacle()).toBeUndefined();
    expect(oracle.reserve).toMatchObject({ transactions: 10, isShort: false });
  });
});
