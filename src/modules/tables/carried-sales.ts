import { isWire, readText } from '../../domain/read.ts';
import type { HeardSales, HeardSalesOptions } from '../../pay/heard-sales.ts';
import { StoreUnreachable, StoreWriteError } from '../../storage/remote-state.ts';
import type { Soon } from './soon.ts';

type Hear = HeardSalesOptions['hear'];
type Answer = Parameters<Hear>[1];

interface SaleDesk {
  sold(...sale: Parameters<Hear>): ReturnType<Hear>;
  find(id: string): unknown;
}

/** The store of several hosts. */
interface SaleStore {
  /** True of what was sold into it, or into one that it has adopted. */
  isOwn(id: string): boolean;
  close(): Promise<void>;
}

/**
 * Hears sales once what a host has kept for itself is carried, by which sales of before are known. Where it is not carried, those that
 * need nothing of it are heard all the same; the others are heard again.
 */
export const afterCarrying =
  (carry: () => Soon<void>, desk: SaleDesk, store: Pick<SaleStore, 'isOwn'>): Hear =>
  (...sale) => {
    const carried = carry();
    if (!(carried instanceof Promise)) return desk.sold(...sale);
    const heardWithout = (cause: unknown): ReturnType<Hear> => {
      if (!isIn(desk, store, sale[1])) throw cause;
      return desk.sold(...sale);
    };
    return carried.then(() => desk.sold(...sale), heardWithout);
  };

/** True where a sale is of what the store has, or begins in it; one that names nothing is refused by the desk itself. */
function isIn(desk: SaleDesk, store: Pick<SaleStore, 'isOwn'>, { body }: Answer): boolean {
  const answer: unknown = JSON.parse(body.toString());
  const id = isWire(answer) ? readText(answer.id) : undefined;
  if (id === undefined || !isWire(answer)) return true;
  return readText(answer.secret) === undefined ? desk.find(id) !== undefined : store.isOwn(id);
}

/**
 * Carries at the start of a host. A server that does not answer is asked again later.
 *
 * @throws what no later try mends, such as a StoreOpenError of a folder that cannot be carried: nothing is to be sold beside it
 */
export async function carryFirst(
  carry: () => Soon<void>,
  store: Pick<SaleStore, 'close'>,
  onError: (cause: unknown) => void,
): Promise<void> {
  try {
    await carry();
  } catch (cause) {
    if (cause instanceof StoreUnreachable || cause instanceof StoreWriteError) return onError(cause);
    await store.close();
    throw cause;
  }
}

/** Rounds that carry, where that is not done yet, and hear of sales. They reject never. */
export const carryAndHear =
  (carry: () => Soon<void>, sales: Pick<HeardSales, 'round'>, onError: (cause: unknown) => void) =>
  async (): Promise<void> => {
    await Promise.resolve(carry()).catch(onError);
    await sales.round();
  };
