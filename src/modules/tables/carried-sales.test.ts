import { describe, expect, it } from 'vitest';
import { StoreUnreachable } from '../../storage/remote-state.ts';
import { StoreOpenError } from '../../storage/store-folder.ts';
import { afterCarrying, carryFirst } from './carried-sales.ts';

const SALE = { key: 'sale' } as never;
const answerOf = (id: string, secret: string | null) =>
  ({ body: Buffer.from(JSON.stringify({ id, secret })) }) as never;

/** A desk of a store that has one thing, and may begin those whose names begin with "own". */
function desk() {
  const heard: string[] = [];
  return {
    heard,
    sold: (_: unknown, { body }: { readonly body: Buffer }): void => {
      heard.push(JSON.parse(body.toString()).id);
    },
    find: (id: string): unknown => (id === 'kept' ? {} : undefined),
  };
}
const store = { isOwn: (id: string) => id.startsWith('own') };

describe('sales while a folder cannot be carried', () => {
  it('of what is in the store, or begins in it: heard', async () => {
    const sales = desk();
    const hear = afterCarrying(() => Promise.reject(new Error('broken folder')), sales, store);
    await hear(SALE, answerOf('own-1', 'secret'));
    await hear(SALE, answerOf('kept', null));
    expect(sales.heard).toEqual(['own-1', 'kept']);
  });

  it('of what the folder may have: fails, to be heard again', async () => {
    const sales = desk();
    const hear = afterCarrying(() => Promise.reject(new Error('broken folder')), sales, store);
    for (const answer of [answerOf('other-1', 'secret'), answerOf('other-1', null)])
      await expect(hear(SALE, answer)).rejects.toThrow('broken folder');
    expect(sales.heard).toEqual([]);
  });

  it('carried: all are heard, at once where nothing is carried', async () => {
    const sales = desk();
    void afterCarrying(() => {}, sales, store)(SALE, answerOf('other-1', 'secret'));
    expect(sales.heard).toEqual(['other-1']);
    await afterCarrying(() => Promise.resolve(), sales, store)(SALE, answerOf('other-2', null));
    expect(sales.heard).toEqual(['other-1', 'other-2']);
  });
});

describe('the start of a host', () => {
  it('a folder that cannot be carried ends it, and the store is closed', async () => {
    let closed = 0;
    const close = async (): Promise<void> => {
      closed += 1;
    };
    const broken = (): Promise<void> => Promise.reject(new StoreOpenError('newer'));
    await expect(carryFirst(broken, { close }, () => {})).rejects.toThrow('newer');
    expect(closed).toBe(1);
  });

  it('a server that does not answer: told of, and it goes on', async () => {
    const told: unknown[] = [];
    const away = new StoreUnreachable('the store', new Error('cut'), false);
    const closing = { close: () => Promise.reject(new Error('closed')) };
    await carryFirst(
      () => Promise.reject(away),
      closing,
      (cause) => told.push(cause),
    );
    expect(told).toEqual([away]);
  });
});
