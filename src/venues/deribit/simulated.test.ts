import { simDeribit } from '@perpmeter/sim/venues/deribit';
import { describe, expect, it } from 'vitest';
import { reasons } from '../../../test/venues/decode-call.ts';
import type { Pairing } from '../../../test/venues/sim-run.ts';
import { AT, describeSimulatedCalls, read, world } from '../../../test/venues/simulated-calls.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { deribit } from './index.ts';

const PATH = '/public';

describeSimulatedCalls({
  adapter: deribit,
  sim: simDeribit,
  funding: [],
  book: `${PATH}/get_order_book?instrument_name=*&depth=50`,
  singles: [
    `${PATH}/ticker?instrument_name=*`,
    `${PATH}/get_book_summary_by_instrument?instrument_name=*`,
    `${PATH}/get_order_book?instrument_name=*&depth=5`,
  ],
  unknown: `${PATH}/ticker?instrument_name=NONE_USDC-PERPETUAL`,
});

describe('simulated funding and contracts of deribit', () => {
  const pairing: Pairing = { adapter: deribit, sim: simDeribit, served: [simDeribit] };
  const contract = world.contracts(simDeribit.listing).find(({ base }) => base === 'BTC');
  const window = `start_timestamp=${AT - 24 * HOUR_MS}&end_timestamp=${AT}`;

  it('accrues by the hour: the hours of a window add up to its value', () => {
    const asked = `instrument_name=*&${window}`;
    const { funding } = read(pairing, contract, `${PATH}/get_funding_rate_history?${asked}`, true);
    expect(funding.map(({ intervalHours }) => intervalHours)).toEqual(Array(24).fill(1));
    const exact = `instrument_name=*&start_timestamp=${(funding[0]?.time ?? 0) - HOUR_MS}&end_timestamp=${funding[23]?.time}`;
    const [value] = read(pairing, contract, `${PATH}/get_funding_rate_value?${exact}`, true).funding;
    expect(value?.intervalHours).toBe(24);
    expect(funding.reduce((sum, { rate }) => sum + rate, 0)).toBeCloseTo(value?.rate ?? Number.NaN, 12);
  });

  it('has inverse perpetuals on other currencies, which are none of ours', () => {
    const url = `${PATH}/get_book_summary_by_currency?currency=BTC&kind=future`;
    expect(reasons(read(pairing, contract, url, true))).toEqual([['BTC-PERPETUAL', 'inverse']]);
    const list = read(pairing, contract, `${PATH}/get_instruments`, false);
    expect(new Set(list.rejects.map(({ reason }) => reason))).toEqual(
      new Set(['inverse', 'dated', 'option', 'spot']),
    );
  });
});
