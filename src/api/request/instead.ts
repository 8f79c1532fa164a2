import type { Correction, Failure, Result } from '../../domain/errors.ts';
import type { Route } from '../route.ts';
import type { RawParameters } from './parameters.ts';

/** Parameters of a request as they were sent, decoded. */
export interface Sent {
  readonly path: RawParameters;
  readonly query: RawParameters;
}

/** A value that is mended may be of a parameter that was misnamed, and be in need of mending itself. */
const ROUNDS = 3;
const MAX_LENGTH = 400;

function withTyped(given: RawParameters, corrections: readonly Correction[]): RawParameters {
  const values = new Map(
    corrections.flatMap((correction) =>
      'typed' in correction ? [[correction.typed, correction.value] as const] : [],
    ),
  );
  return given.map(([name, value]) => [name, values.get(value) ?? value]);
}

function corrected(sent: Sent, corrections: readonly Correction[]): Sent {
  const path = new Map(withTyped(sent.path, corrections));
  const query = new Map<string, string>();
  for (const [name, value] of withTyped(sent.query, corrections))
    if (!query.has(name)) query.set(name, value);
  for (const correction of corrections) {
    if ('typed' in correction) continue;
    const { parameter, name, value } = correction;
    const given = query.get(parameter);
    if (path.has(parameter)) path.set(parameter, value ?? '');
    else if (name !== undefined) {
      query.delete(parameter);
      if (!query.has(name)) query.set(name, given ?? '');
    } else if (value !== undefined) {
      // One that was missing may have been sent under another name.
      if (given === undefined || sent.query.some(([sentName]) => sentName === parameter))
        query.set(parameter, value);
    } else if (!isRepeated(sent.query, parameter)) query.delete(parameter);
  }
  return { path: [...path], query: [...query] };
}

/** Of a parameter that was sent twice the first is kept. */
const isRepeated = (query: RawParameters, parameter: string): boolean =>
  query.filter(([name]) => name === parameter).length > 1;

/** The characters that names of assets, times and lists have may stand in a query as they are. */
const readable = (text: string): string => encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2C/g, ',');

function addressOf({ path: template }: Route, { path, query }: Sent): string {
  const filled = path.reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => readable(value)),
    template,
  );
  const asked = query.map(([name, value]) => `${readable(name)}=${readable(value)}`);
  return asked.length === 0 ? filled : `${filled}?${asked.join('&')}`;
}

/**
 * A failure that names the nearest request that is served, where its corrections lead to one: as `instead`, and at the end
 * of `detail`.
 *
 * @param isServed whether what was read would be answered
 */
export function withInstead(
  route: Route,
  sent: Sent,
  failure: Failure,
  isServed: (asked: Readonly<Record<string, unknown>>) => Result<unknown>,
): Failure {
  let { corrections } = failure;
  let asked = sent;
  for (let round = 0; round < ROUNDS && corrections !== undefined; round++) {
    asked = corrected(asked, corrections);
    const read = route.read(asked.path, asked.query);
    const served = read.ok ? isServed(read.value) : read;
    if (served.ok) return naming(failure, addressOf(route, asked));
    ({ corrections } = served.error);
  }
  return failure;
}

function naming(failure: Failure, instead: string): Failure {
  if (instead.length > MAX_LENGTH) return failure;
  const said = failure.detail.endsWith('?') ? failure.detail : `${failure.detail.replace(/\.$/, '')}.`;
  return { ...failure, detail: `${said} Try ${instead}`, instead };
}
