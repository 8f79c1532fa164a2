import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { ResponseReceiver } from './response-receiver.ts';
import { TransportFailure } from './transport-failure.ts';

/** A request under way; `aborted` once the receiver has ended it. */
function begun(receiver: ResponseReceiver) {
  const request = { aborted: false };
  const controller = Object.assign(new Readable(), {
    abort: () => {
      request.aborted = true;
    },
  }) as unknown as Dispatcher.DispatchController;
  receiver.onRequestStart(controller);
  return { request, controller };
}

const LATE = new TransportFailure('timeout', 'no answer in time');

describe('a response whose body does not end', () => {
  it.each([
    [200, true, { ok: true }],
    [200, false, { ok: false, failure: LATE }],
    [500, false, { ok: true }],
  ])('status %s, head enough %s: settles as %j', async (status, isHeadEnough, expected) => {
    const receiver = new ResponseReceiver(100, { isHeadEnough });
    const { request, controller } = begun(receiver);
    receiver.onResponseStart(controller, status, {});
    receiver.onResponseData(controller, Buffer.from('ab'));
    receiver.stop(LATE);
    expect(await receiver.finished).toMatchObject(expected);
    expect(request.aborted).toBe(true);
  });

  it('no head yet: a failure, where the head is enough, too', async () => {
    const receiver = new ResponseReceiver(100, { isHeadEnough: true });
    begun(receiver);
    receiver.stop(LATE);
    expect(await receiver.finished).toEqual({ ok: false, failure: LATE });
  });
});

describe('answers of 1xx', () => {
  it('some: the answer follows', async () => {
    const receiver = new ResponseReceiver(100);
    const { controller } = begun(receiver);
    for (let count = 0; count < 16; count++) receiver.onResponseStart(controller, 103, {});
    receiver.onResponseStart(controller, 200, {});
    receiver.onResponseEnd();
    expect(await receiver.finished).toMatchObject({ ok: true, value: { status: 200 } });
  });

  it('more than anybody needs: a failure', async () => {
    const receiver = new ResponseReceiver(100);
    const { request, controller } = begun(receiver);
    for (let count = 0; count < 17; count++) receiver.onResponseStart(controller, 103, {});
    expect(await receiver.finished).toMatchObject({ ok: false, failure: { kind: 'reset' } });
    expect(request.aborted).toBe(true);
  });
});
