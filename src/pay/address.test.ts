import fc from 'fast-check';
import { getAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { checksumAddress, isAddress, isChecksumAddress, sameAddress } from './address.ts';
import { keccak256 } from './keccak.ts';

describe('keccak256', () => {
  it('gives the published digest of the empty message', () => {
    expect(keccak256(new Uint8Array()).toString('hex')).toBe(
      'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    );
  });
});

describe('addresses', () => {
  it('writes the EIP-55 form as viem does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const address = `0x${Buffer.from(bytes).toString('hex')}`;
        expect(checksumAddress(address)).toBe(getAddress(address));
        expect(isChecksumAddress(checksumAddress(address))).toBe(true);
        expect(sameAddress(address, checksumAddress(address))).toBe(true);
      }),
    );
  });

  it('refuses a wrong case, a wrong length and other types', () => {
    expect(isChecksumAddress('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')).toBe(true);
    expect(isChecksumAddress('0x833589fcD6eDb6E08f4c7C32D4f71b54bdA02913')).toBe(false);
    expect(isAddress('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA0291')).toBe(false);
    expect(isAddress('833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')).toBe(false);
    expect(isAddress(0x833589)).toBe(false);
  });
});
