import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { hashDomain, hashTypedData } from 'viem';
import { describe, expect, it } from 'vitest';
import { type CheckSigner, loadCheckSigner, loadNativeCheck, loadPureCheck } from '../../src/pay/recover.ts';
import { authorizationDigest } from '../../src/pay/schemes/exact/authorization-digest.ts';
import { createSignatureFilter } from '../../src/pay/schemes/exact/signature.ts';
import { tokenSeparator } from '../../src/pay/typed-data.ts';
import { sellerAt } from './routes.ts';
import { newAccount, paymentOf, signAuthorization } from './wallet.ts';

const seller = sellerAt();
const DOMAIN = {
  name: 'USD Coin',
  version: '2',
  chainId: 8453,
  verifyingContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
} as const;
const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

const hex = (bytes: number): fc.Arbitrary<`0x${string}`> =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((b): `0x${string}` => `0x${Buffer.from(b).toString('hex')}`);

const DOMAIN_TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
} as const;

describe('the signed digest', () => {
  it('is the one wallets compute', () => {
    const separator = tokenSeparator(seller);
    expect(`0x${separator.toString('hex')}`).toBe(
      hashDomain({ domain: { ...DOMAIN, chainId: 8453n }, types: DOMAIN_TYPES }),
    );
    const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    fc.assert(
      fc.property(
        hex(20),
        hex(20),
        uint,
        uint,
        uint,
        hex(32),
        (from, to, value, validAfter, validBefore, nonce) => {
          const message = { from, to, value, validAfter, validBefore, nonce };
          const expected = hashTypedData({
            domain: DOMAIN,
            types: TYPES,
            primaryType: 'TransferWithAuthorization',
            message,
          });
          const digest = authorizationDigest(separator, {
            from,
            to,
            value: value.toString(),
            validAfter: validAfter.toString(),
            validBefore: validBefore.toString(),
            nonce,
          });
          expect(`0x${digest.toString('hex')}`).toBe(expected);
        },
      ),
      { numRuns: 50 },
    );
  });
});

const checks: readonly (readonly [string, () => Promise<CheckSigner | undefined>])[] = [
  ['native', loadNativeCheck],
  ['pure', loadPureCheck],
  ['whatever loads', loadCheckSigner],
];

// The package falls back to elliptic, whose signatures can give the key away (GHSA-848j-6mx2-7j84).
it('the native module does not load: secp256k1 signs nothing', () => {
  const script = `
    const { loadNativeSign } = await import('./src/pay/sign.ts');
    const { loadNativeCheck } = await import('./src/pay/recover.ts');
    console.log(await loadNativeSign('0x${'1'.repeat(64)}'), await loadNativeCheck());`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script];
  // Where the loader looks for a build of another machine, there is none.
  const env = { ...process.env, npm_config_arch: 'none' };
  const said = execFileSync(process.execPath, args, { env, encoding: 'utf8' });
  expect(said).toBe('undefined undefined\n');
});

describe.each(checks)('the signature filter, %s', (_, load) => {
  it('accepts valid signatures only', async () => {
    const isSigner = await load();
    if (isSigner === undefined) throw new Error('the optional module secp256k1 is not installed here');
    const filter = createSignatureFilter(seller, isSigner);
    const account = newAccount();
    const good = paymentOf(await signAuthorization(account, seller)).signed;
    expect(await filter.check({ ...good, signature: otherRecovery(good.signature) })).toBe('mismatch');
    expect(await filter.check(good)).toBe('match');
    // A token recovers the key of each signature, also of one that it has seen.
    expect(await filter.check({ ...good, signature: otherRecovery(good.signature) })).toBe('mismatch');
    expect(await filter.check(paymentOf(await signAuthorization(account, seller)).signed)).toBe('match');
    const thirdParty = paymentOf(await signAuthorization(newAccount(), seller)).signed;
    const stolen = { ...thirdParty.authorization, from: good.authorization.from };
    expect(await filter.check({ ...thirdParty, authorization: stolen })).toBe('mismatch');

    for (const signature of badSignatures(good.signature)) {
      expect(await filter.check({ ...good, signature })).toBe('mismatch');
    }
    for (const change of [{ value: '1001' }, { validBefore: '1' }, { nonce: `0x${'0'.repeat(64)}` }]) {
      const forged = { ...good, authorization: { ...good.authorization, ...change } };
      expect(await filter.check(forged)).toBe('mismatch');
    }
    for (const domain of [
      { name: 'USDC' },
      { version: '1' },
      { chainId: 1 },
      { verifyingContract: account.address },
    ]) {
      expect(await filter.check(paymentOf(await signAuthorization(account, seller, {}, domain)).signed)).toBe(
        'mismatch',
      );
    }
  });
});

/** Wrong lengths, v outside 27 and 28, zero r or s, the high-s twin, a flipped bit, out-of-range numbers. */
function badSignatures(good: string): readonly string[] {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const r = good.slice(2, 66);
  const s = good.slice(66, 130);
  const v = good.slice(130);
  const high = (order - BigInt(`0x${s}`)).toString(16).padStart(64, '0');
  const zero = '0'.repeat(64);
  const flipped = (r.startsWith('0') ? '1' : '0') + r.slice(1);
  return [
    '0x00',
    `0x${r}${s}`,
    `0x${r}${s}${v}00`,
    `0x${r}${s}00`,
    `0x${r}${s}01`,
    `0x${r}${s}1d`,
    `0x${zero}${s}${v}`,
    `0x${r}${zero}${v}`,
    `0x${r}${high}${v === '1b' ? '1c' : '1b'}`,
    `0x${flipped}${s}${v}`,
    `0x${'f'.repeat(64)}${s}${v}`,
  ];
}

function otherRecovery(good: string): string {
  return `${good.slice(0, 130)}${good.endsWith('1b') ? '1c' : '1b'}`;
}
