import { describe, expect, it } from 'vitest';
import { lmdbBytesOfSale, SALE_KINDS } from './sale-bytes.ts';

describe('the embedded ledger', () => {
  it.each(SALE_KINDS)('a sale by %s with its receipts: at most 2.2 kB', async (kind) => {
    expect(await lmdbBytesOfSale({ kind, sales: 640, hasReceipts: true })).toBeLessThan(2_200);
  });
});
