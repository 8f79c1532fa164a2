import { describe, expect, it } from 'vitest';
import { runAdapter } from '../../../test/venues/sim-run.ts';
import {
  AT,
  contextFor,
  expectRefusal,
  expectSettled,
  paired,
  read,
  sim,
  world,
} from '../../../test/venues/simulated-reads.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { callsOf } from '../adapter.ts';

describe('simulated derive', () => {
  it('states the rates charged by candles', () => {
    // A candle is paid at the end of its hour; that of the hour that runs is not asked for.
    const start_timestamp = AT - 25 * HOUR_MS;
    const end_timestamp = AT - HOUR_MS;
    const question = { instrument_name: 'SOL-PERP', start_timestamp, end_timestamp };
    expectSettled('derive', 'SOL-PERP', '/public/get_funding_rate_history', question);
  });

  it('refuses a GET of a call in an error body', () => {
    expectRefusal('derive', '/v3/public/get_tickers', 200);
  });
});

describe('derive’s tickers', () => {
  it('one by REST or socket, wrapped or not: equals the bulk call', () => {
    const frames: unknown[] = [];
    const session = sim('derive').socket?.(
      {
        path: '/v3/ws',
        send: (frame) => void frames.push(JSON.parse(String(frame))),
        close: () => undefined,
      },
      world,
    );
    const channels = ['ticker_slim.SOL-PERP.1000'];
    session?.onTick(AT);
    session?.onMessage(JSON.stringify({ id: 1, method: 'subscribe', params: { channels } }));
    session?.onTick(AT);
    const [, wrapped, bare] = frames;
    expect(wrapped).toHaveProperty('params.data.instrument_ticker.M');
    expect(bare).toHaveProperty('params.data.M');
    const { adapter } = paired('derive');
    const call = callsOf(adapter).find((sample) => sample.name === 'frame');
    const bulk = runAdapter(paired('derive'), world, AT).quotes.get('SOL-PERP');
    const alone = read('derive', '/public/get_ticker', { instrument_name: 'SOL-PERP' });
    const decoded = [wrapped, bare].map((frame) =>
      call?.decode(frame, { instruments: contextFor('derive') }),
    );
    expect([alone, ...decoded].map((part) => part?.quotes)).toEqual([[bulk], [bulk], [bulk]]);
  });
});
