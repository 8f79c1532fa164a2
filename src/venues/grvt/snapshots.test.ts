import { expect, it, vi } from 'vitest';
import { BookFrame } from '../book-frame.ts';
import { snapshotScanner } from './snapshots.ts';

it('brackets without end in a snapshot or answer: left unparsed', () => {
  const scan = snapshotScanner();
  const into = new BookFrame();
  const parse = vi.spyOn(JSON, 'parse');
  try {
    for (const head of [
      '{"stream":"v1.book.d","sequence_number":"0","feed":',
      '{"jsonrpc":"2.0","result":{"latest_sequence_number":',
    ]) {
      const frame = Buffer.from(head + '['.repeat(500_000));
      expect(scan(frame, frame.length, into)).toBe(false);
    }
    expect(parse).not.toHaveBeenCalled();
  } finally {
    parse.mockRestore();
  }
});
