import type { JSX } from 'preact';
import { PATHS } from '../../../packages/client/src/route-facts.ts';
import type { Parameter, RouteEntry } from '../../data/service.ts';
import { AssetChoices } from '../../parts/asset-names.tsx';
import { change } from '../../place.ts';
import { amountOf } from '../../text/amount.ts';

/** Parameters stand in the address under names of their own: `route` is taken. */
const PREFIX = 'p.';

const said = (parameter: Parameter, params: URLSearchParams): string =>
  params.get(PREFIX + parameter.name) ?? (parameter.required === true ? String(parameter.example ?? '') : '');

export const missingOf = ({ parameters }: RouteEntry, params: URLSearchParams): readonly string[] =>
  parameters
    .filter((parameter) => parameter.required === true && said(parameter, params) === '')
    .map(({ name }) => name);

/** The path and query of a call as it is filled in; what is left empty is left to the service. */
export function callPath({ path, parameters }: RouteEntry, params: URLSearchParams): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const parameter of parameters) {
    const value = said(parameter, params);
    if (parameter.in === 'path') filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (value !== '') query.set(parameter.name, numberOf(parameter, value));
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** A number as the service reads it, where the reader wrote an amount: `20m`. */
function numberOf({ schema: { type } }: Parameter, value: string): string {
  const amount = type === 'integer' || type === 'number' ? amountOf(value) : undefined;
  return amount === undefined ? value : String(amount);
}

/**
 * Values that may stand in a program as they are: an address may hold anything, and its sender is not the one
 * who runs the program.
 */
const BARE = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?|true|false)$/;

/** A value as a program writes it. */
const literal = ({ schema: { type } }: Parameter, value: string): string =>
  (type === 'integer' || type === 'number' || type === 'boolean') && BARE.test(value)
    ? value
    : JSON.stringify(value);

/** The call as a program with the service's own client, which has a function for every route. */
export function clientCall(route: RouteEntry, params: URLSearchParams): string {
  const { path, parameters } = route;
  const [name] = Object.entries(PATHS).find(([, one]) => one === path) ?? [];
  const asked = parameters.flatMap((parameter) => {
    const value = said(parameter, params);
    return value === '' ? [] : [`${parameter.name}: ${literal(parameter, value)}`];
  });
  const call =
    name === undefined
      ? `request(${JSON.stringify(callPath(route, params))})`
      : `${name}(${asked.length === 0 ? '' : `{ ${asked.join(', ')} }`})`;
  return `import { createClient } from '@perpmeter/client';
import { keySigner } from '@perpmeter/client/key-signer';

const client = createClient({
  baseUrl: ${JSON.stringify(location.origin)},
  wallet: { signer: keySigner(key), caps: { perCall: '0.05', total: '1' } },
});
const answer = await client.${call};`;
}

function Control({ parameter, value }: { parameter: Parameter; value: string }): JSX.Element {
  const { name, schema } = parameter;
  const set = (text: string): void => change({ [PREFIX + name]: text });
  const words = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  const fallback = schema.default === undefined ? '' : `default ${schema.default}`;
  if (words !== undefined) {
    return (
      <select
        id={`parameter-${name}`}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
        aria-describedby={`about-${name}`}
      >
        <option value="">{fallback === '' ? '–' : fallback}</option>
        {words.map((word) => (
          <option key={word} value={word}>
            {word}
          </option>
        ))}
      </select>
    );
  }
  const namesAsset = name === 'ticker' || name === 'symbol';
  return (
    <>
      {namesAsset && <AssetChoices id={`assets-${name}`} typed={value} />}
      <input
        id={`parameter-${name}`}
        list={namesAsset ? `assets-${name}` : undefined}
        type="text"
        inputMode={schema.type === 'integer' || schema.type === 'number' ? 'decimal' : 'text'}
        placeholder={fallback}
        spellcheck={false}
        value={value}
        onInput={(event) => set(event.currentTarget.value)}
        aria-describedby={`about-${name}`}
      />
    </>
  );
}

/** The parameters of a route, from its schema. */
export function Parameters({ route, params }: { route: RouteEntry; params: URLSearchParams }): JSX.Element {
  const { parameters } = route;
  if (parameters.length === 0) return <p class="fine">It takes no parameters.</p>;
  return (
    <div class="parameters">
      {parameters.map((parameter) => (
        <div key={parameter.name}>
          <label htmlFor={`parameter-${parameter.name}`}>
            {parameter.name} {parameter.required === true && <small>required</small>}
          </label>
          <Control parameter={parameter} value={said(parameter, params)} />
          <p class="fine" id={`about-${parameter.name}`}>
            {parameter.description}
          </p>
        </div>
      ))}
    </div>
  );
}
