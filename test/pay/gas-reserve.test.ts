import { describe, expect, it } from 'vitest';
import { CLAIM_GAS, createGasOracle } from '../../src/modules/self-settle/gas.ts';
import { type Rpc, RpcError } from '../../src/pay/rpc.ts';
import { fakeClock } from './fakes.ts';

const ADDRESS = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
/** Twice the base fee, and the tip: 3 wei per unit of gas are bid. */
const BID = 3n;

const clock = fakeClock();
let isAway = false;

function oracleOf(owned: bigint, largestGas?: bigint) {
  const answers: Readonly<Record<string, unknown>> = {
    eth_getBlockByNumber: { baseFeePerGas: '0x1' },
    eth_maxPriorityFeePerGas: '0x1',
    eth_getBalance: `0x${owned.toString(16)}`,
  };
  const rpc: Rpc = async (method) => {
    if (isAway) throw new RpcError(`${method}: no answer`);
    return answers[method];
  };
  return createGasOracle({ rpc, address: ADDRESS, maxFeePerGas: 10n, largestGas, clock });
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
    expect(oracle.reserve).toEqual({ address: ADDRESS, seenAt: clock.now(), ...reserve });
  });

  it('a node that is away: not known after five minutes, until it is back', async () => {
    const oracle = oracleOf(0n);
    await oracle.obstacle();
    const seenAt = clock.now();
    isAway = true;
    oracle.forget();
    clock.advance(300_000);
    await expect(oracle.obstacle()).rejects.toThrow('no answer');
    expect(oracle.reserve).toMatchObject({ seenAt, transactions: 0, isShort: true });
    clock.advance(1);
    const unknown = { address: ADDRESS, seenAt, transactions: undefined, isLow: false, isShort: false };
    expect(oracle.reserve).toEqual(unknown);
    isAway = false;
    await oracle.obstacle();
    expect(oracle.reserve).toMatchObject({ seenAt: clock.now(), transactions: 0, isShort: true });
  });

  it('without channels: counted in transfers', async () => {
    const oracle = oracleOf(10n * 150_000n * BID);
    expect(await oracle.obstacle()).toBeUndefined();
    expect(oracle.reserve).toMatchObject({ transactions: 10, isShort: false });
  });
});
