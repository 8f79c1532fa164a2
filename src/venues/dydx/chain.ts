import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readNumber, readRate, readText, type Wire, wireArray } from '../../domain/read.ts';
import { asHours } from '../../domain/units.ts';
import type { Decoder } from '../call.ts';
import { rejectError, rejectShape } from '../grammar/answer.ts';
import { takeEach } from '../grammar/rows.ts';
import { open, unitsOf } from './wire.ts';

/** The chain counts in parts per million of an eight-hour rate, and pays an eighth of it each hour. */
const PER_HOUR = 1e-6 / 8;
const HOURLY = asHours(1);

function sampled(
  payload: unknown,
  out: Decoded,
): { readonly count: number; readonly rows: Wire[] } | undefined {
  const answer = open(payload, out);
  if (out.rejects.length > 0) return undefined;
  const { premium_samples: samples, perpetual, code, message }: Wire = isWire(answer) ? answer : {};
  if (message !== undefined) return rejectError(out, code, message);
  const lists = isWire(samples) ? wireArray(samples.all_market_premiums) : undefined;
  const perpetuals = wireArray(perpetual);
  const count = isWire(samples) ? readNumber(samples.num_premiums) : undefined;
  if (lists === undefined || perpetuals === undefined || count === undefined)
    return rejectShape(out, 'no samples of perpetuals');
  const premiums = new Map(
    lists.filter(isWire).map((item) => [readNumber(item.perpetual_id), wireArray(item.premiums) ?? []]),
  );
  const params = perpetuals.flatMap((perpetual) =>
    isWire(perpetual) && isWire(perpetual.params) ? [perpetual.params] : [],
  );
  return {
    count,
    rows: params.map((param) => ({ ...param, premiums: premiums.get(readNumber(param.id)) ?? [] })),
  };
}

/**
 * The estimate of the coming payment by the rule of the protocol and its indexer (dydxprotocol/v4-chain,
 * next-funding-cache.ts): the mean of the hour's premium samples and the market's default. The chain keeps samples
 * other than zero and how many there were. Nothing follows from no sample.
 */
export const decodePremiums: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const { count, rows } = sampled(payload, out) ?? { count: 0, rows: [] };
  if (count === 0) return out;
  takeEach(rows, 'ticker', unitsOf, context, out, ({ wire, symbol }) => {
    const samples = (wireArray(wire.premiums) ?? []).map(readNumber);
    const standing = readNumber(wire.default_funding_ppm ?? 0);
    const sum = samples.reduce<number>((total, premium) => total + (premium ?? Number.NaN), 0);
    const fundingRate = readRate((sum / count + (standing ?? Number.NaN)) * PER_HOUR);
    if (fundingRate !== undefined) out.quotes.push({ symbol, fundingRate, fundingIntervalHours: HOURLY });
    else
      out.rejects.push({
        symbol,
        reason: 'malformed',
        detail: readText(wire.default_funding_ppm) ?? 'samples',
      });
  });
  return out;
};
