import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { contractsOf, fixed, rateText } from '../format.ts';
import { capOf } from '../funding.ts';
import { settlementsBefore } from '../history.ts';
import type { SimRequest, SimResponse } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { tradedTwice } from './htx-rows.ts';

/** Contracts that one funding call takes. */
const CODES = 10;

const answer = (data: unknown, ts: number): SimResponse => ({
  status: 200,
  body: JSON.stringify({ code: 200, message: 'Success', data, ts }),
});

const refused = (code: number, message: string, ts: number): SimResponse => ({
  status: 200,
  body: JSON.stringify({ code, message, data: null, ts }),
});

function fundingRow(contract: SimContract, world: World, t: number) {
  const next = world.nextFunding(contract, t);
  return {
    contract_code: contract.symbol,
    funding_rate: `${rateText(world.fundingRate(contract, t))}0000000000`,
    funding_time: String(next),
    next_funding_time: String(next + contract.intervalHours * HOUR_MS),
    min_funding_rate: `${rateText(-capOf(contract))}0000000000`,
    max_funding_rate: `${rateText(capOf(contract))}0000000000`,
  };
}

function interest(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const open = world.openInterest(contract, t);
  const traded = tradedTwice(contract, world, t);
  return {
    amount: fixed(open, 8),
    volume: String(contractsOf(contract, open)),
    value: fixed(open * mark, 4),
    contract_code: contract.symbol,
    trade_amount: fixed(traded.coins, 8),
    trade_volume: String(traded.contracts),
    trade_turnover: fixed(traded.value, 4),
  };
}

function history(contract: SimContract, { query, now }: SimRequest, world: World) {
  const limit = Math.min(100, Number(query.get('limit') ?? 20));
  const from = Number(query.get('start_time') ?? 0);
  const to = Math.min(now, Number(query.get('end_time') ?? now) + 1);
  return settlementsBefore(world, contract, to, limit)
    .filter(({ time }) => time >= from)
    .map(({ time, rate }, i) => ({
      id: String(i + 1),
      contract_code: contract.symbol,
      funding_rate: rateText(rate),
      funding_time: String(time),
    }));
}

/** Market calls of the fifth version. */
export function htxFifth(
  call: string,
  request: SimRequest,
  contracts: readonly SimContract[],
  world: World,
): SimResponse | undefined {
  const { query, now } = request;
  const codes = (query.get('contract_code') ?? '').split(',');
  if (codes.length > CODES) return refused(1067, 'too many contract codes', now);
  const asked = contracts.filter(
    ({ symbol, status, kind }) => codes.includes(symbol) && status === 'live' && kind === 'perp',
  );
  const [one] = asked;
  if (one === undefined) return refused(1332, 'The contract doesnt exist.', now);
  switch (call) {
    case 'funding_rate':
      return answer(
        asked.map((contract) => fundingRow(contract, world, now)),
        now,
      );
    case 'funding_rate_history':
      return answer(history(one, request, world), now);
    case 'open_interest':
      return answer(interest(one, world, now), now);
    default:
      return undefined;
  }
}
