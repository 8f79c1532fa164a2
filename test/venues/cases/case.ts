import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { decodedLines } from '../../../src/modules/decode/decoded-lines.ts';
import { callRef, callsOf, type VenueAdapter } from '../../../src/venues/adapter.ts';
import { adapterOf } from '../../../src/venues/registry.ts';
import { namedCall } from '../named-call.ts';

/** A record that `perpmeter decode` prints. */
export type Line = Readonly<Record<string, unknown>>;

/** A payload as a venue sends it, and what each of its facts is to be read as. */
export interface Case {
  /** "condition: result", the name of the test. */
  readonly name: string;
  readonly venue: string;
  /** As a user names the call: path with query, or a channel. */
  readonly call: string;
  readonly payloads: readonly unknown[];
  /** A list of contracts that is known before, as the venue sends it, and its call. */
  readonly listed?: readonly [call: string, payload: unknown];
  /** In the order of printing; fields that are not named may be anything, null is a field that may not be there. */
  readonly lines: readonly Line[];
}

export function adapterFor(venue: string): VenueAdapter {
  const adapter = adapterOf(venue);
  if (adapter === undefined) throw new Error(`no venue ${venue}`);
  return adapter;
}

function contractsOf(adapter: VenueAdapter, [call, payload]: readonly [string, unknown]): Instrument[] {
  const found = namedCall(callsOf(adapter), callRef(call));
  return found?.decode(payload, { instruments: new Map() }).instruments ?? [];
}

/** The records of payloads, read one after the other by the call that a text names; undefined where it names none. */
export function linesOf(
  venue: string,
  named: string,
  payloads: readonly unknown[],
  contracts: readonly Instrument[] = [],
): readonly Line[] | undefined {
  const adapter = adapterFor(venue);
  const ref = callRef(named);
  const call = namedCall(callsOf(adapter), ref);
  const instruments = new Map(contracts.map((contract) => [contract.symbol, contract]));
  const path = ref.query.size > 0 ? `${ref.path}?${ref.query}` : ref.path;
  const request = {
    method: ref.body === undefined ? 'GET' : 'POST',
    path,
    ...(ref.body !== undefined && { body: ref.body }),
  } as const;
  return (
    call &&
    payloads.flatMap((payload) => [
      ...decodedLines(adapter, call.decode(payload, { instruments, request }), instruments),
    ])
  );
}

/** Fields that are expected, of which null is one that is not there. */
export const shaped = (line: Line, like: Line): Line =>
  Object.fromEntries(Object.keys(like).map((name) => [name, line[name] ?? null]));

/** A test of each case: every record, in order, and none besides. */
export function describeCases(subject: string, cases: readonly Case[]): void {
  describe(subject, () => {
    it.each(cases.map((example) => [example.name, example] as const))(
      '%s',
      (_, { venue, call, payloads, listed, lines }) => {
        const contracts = listed === undefined ? [] : contractsOf(adapterFor(venue), listed);
        const found = linesOf(venue, call, payloads, contracts) ?? [];
        expect(found.map((line, at) => shaped(line, lines[at] ?? line))).toEqual(lines);
      },
    );
  });
}

export const quote = (symbol: string, more: Line): Line => ({ type: 'quote', symbol, ...more });
export const contract = (symbol: string, more: Line = {}): Line => ({ type: 'instrument', symbol, ...more });
export const paid = (time: string, rate: number, more: Line = {}): Line => ({
  type: 'funding_point',
  time,
  funding_rate: rate,
  ...more,
});
export const reject = (symbol: string | null, reason: string, more: Line = {}): Line => ({
  type: 'reject',
  symbol,
  reason,
  ...more,
});
