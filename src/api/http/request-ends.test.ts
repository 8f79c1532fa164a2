import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { RequestEnds } from './request-ends.ts';

const responseOf = (closed = false) => Object.assign(new EventEmitter(), { closed }) as ServerResponse;

/** A call that goes on until its signal aborts. */
const untilItEnds = (ends: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    if (ends.aborted) resolve('ended');
    ends.addEventListener('abort', () => resolve('ended'), { once: true });
  });

describe('the end of a response', () => {
  it('its connection closes: the signal aborts, and nothing is kept', () => {
    const ends = new RequestEnds();
    const [gone, stays] = [responseOf(), responseOf()].map((response) => ({
      response,
      signal: ends.ofResponse(response),
    }));
    expect(ends.open).toBe(2);
    gone?.response.emit('close');
    expect([gone?.signal.aborted, stays?.signal.aborted, ends.open]).toEqual([true, false, 1]);
    stays?.response.emit('close');
    expect(ends.open).toBe(0);
  });

  it('closed before, or after the stop: aborted at once', () => {
    const ends = new RequestEnds();
    expect(ends.ofResponse(responseOf(true)).aborted).toBe(true);
    const waiting = ends.ofResponse(responseOf());
    ends.stop();
    expect([waiting.aborted, ends.ofResponse(responseOf()).aborted, ends.open]).toEqual([true, true, 0]);
  });
});

describe('the end of a call', () => {
  it('it is answered: nothing is kept, of a caller that lives on neither', async () => {
    const ends = new RequestEnds();
    const caller = new AbortController();
    let signal: AbortSignal | undefined;
    const answer = ends.duringCall(caller.signal, async (given) => {
      signal = given;
      expect(ends.open).toBe(1);
      return 'answer';
    });
    expect([await answer, ends.open]).toEqual(['answer', 0]);
    caller.abort();
    expect(signal?.aborted).toBe(false);
  });

  it('it fails: nothing is kept', async () => {
    const ends = new RequestEnds();
    await expect(ends.duringCall(undefined, () => Promise.reject(new Error('broken')))).rejects.toThrow();
    expect(ends.open).toBe(0);
  });

  it.each([
    ['its caller goes', (caller: AbortController, _: RequestEnds) => caller.abort()],
    ['the service stops', (_: AbortController, ends: RequestEnds) => ends.stop()],
  ])('%s: its signal aborts', async (_, end) => {
    const ends = new RequestEnds();
    const caller = new AbortController();
    const answer = ends.duringCall(caller.signal, untilItEnds);
    end(caller, ends);
    expect([await answer, ends.open]).toEqual(['ended', 0]);
  });
});
