import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DEFAULT_ASSETS } from '@x402/evm';
import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1';
import * as chains from 'viem/chains';
import { describe, expect, it } from 'vitest';
import { checksumAddress } from '../../src/pay/address.ts';
import data from '../../src/pay/networks.json' with { type: 'json' };
import { BASE, NETWORKS } from '../../src/pay/networks.ts';
import { domainSeparator } from '../../src/pay/typed-data.ts';

const V1_NAMES = new Map(Object.entries(EVM_NETWORK_CHAIN_ID_MAP).map(([name, id]) => [Number(id), name]));
const rows = data.networks.map((row) => [row.title, row] as const);

describe('the table of networks', () => {
  it.each(rows)('%s: the token and its domain are those of the official package', (_, row) => {
    const [official] = DEFAULT_ASSETS[`eip155:${row.chainId}`] ?? [];
    expect(official).toMatchObject({
      asset: row.asset,
      name: row.assetName,
      version: row.assetVersion,
      decimals: 6,
      symbol: 'USDC',
    });
    expect(official).not.toHaveProperty('assetTransferMethod');
    expect(checksumAddress(row.asset)).toBe(row.asset);
  });

  it.each(rows)('%s: name and version give the separator of the contract', (_, row) => {
    const { assetName: name, assetVersion: version, chainId, asset: contract } = row;
    const separator = domainSeparator({ name, version, chainId, contract });
    expect(`0x${separator.toString('hex')}`).toBe(row.domainSeparator);
  });

  it.each(rows)('%s: the first generation’s name, or none', (_, row) => {
    expect(row.v1Name ?? undefined).toBe(V1_NAMES.get(row.chainId));
  });

  it.each(rows)('%s: coin and time of a block are those of viem', (_, row) => {
    const chain = Object.values(chains).find(({ id }) => id === row.chainId);
    expect(chain?.nativeCurrency.symbol).toBe(row.coin);
    expect(chain?.blockTime).toBe(row.blockSeconds * 1_000);
  });

  it('by CAIP-2 name: each once, Base among them', () => {
    expect(Object.keys(NETWORKS)).toHaveLength(rows.length);
    for (const [id, network] of Object.entries(NETWORKS)) expect(network.id).toBe(id);
    expect(NETWORKS[BASE]?.v1Name).toBe('base');
  });

  it('docs/networks.md: its table is made from it', () => {
    const cwd = fileURLToPath(new URL('../..', import.meta.url));
    const args = ['--import', 'tsx', 'scripts/network-table.ts', '--check'];
    expect(() => execFileSync(process.execPath, args, { cwd, stdio: 'pipe' })).not.toThrow();
  });
});
