import { fakeFacilitator } from '../pay/fakes.ts';
import { startPaidServer } from '../pay/paid-server.ts';
import { encodeHeader, newAccount, signAuthorization, v2Payload } from '../pay/wallet.ts';

const SOLD = '/v1/perp/basis?ticker=BTC';
const PRICE = '5000';
/** Between two paid calls, ms. */
const EVERY_MS = 50;

/** A buyer at a paid route of this process; its facilitator answers at once, so that what is timed is the path itself. */
export interface PaidBeside {
  /** Pays until `done` resolves, at least `least` times. @returns how long each call took, ms */
  payUntil(done: Promise<unknown>, least: number): Promise<readonly number[]>;
  stop(): Promise<void>;
}

export async function paidBeside(): Promise<PaidBeside> {
  const server = await startPaidServer({ facilitator: fakeFacilitator(), payTo: newAccount().address });
  const buyer = newAccount();
  const payOnce = async (): Promise<number> => {
    const signed = await signAuthorization(buyer, server.seller, { value: PRICE });
    const headers = { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(server.seller, signed)) };
    const began = performance.now();
    const response = await fetch(server.url + SOLD, { headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`a paid call was answered with ${response.status}`);
    return performance.now() - began;
  };
  return {
    async payUntil(done, least) {
      const times: number[] = [];
      let isDone = false;
      void done.finally(() => {
        isDone = true;
      });
      while (!isDone || times.length < least) {
        times.push(await payOnce());
        await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
      }
      return times;
    },
    stop: () => server.stop(),
  };
}
