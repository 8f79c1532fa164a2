import { randomBytes } from 'node:crypto';
import { simBases } from '@perpmeter/sim/bases';
import { envNames, type SettingSpecs } from '../../host/settings/settings.ts';
import type { SandboxChain } from '../../pay/sandbox/chain.ts';
import { VENUES } from '../../venues/registry.ts';

/** The simulated venues' past is requested for so many contracts each, the priority assets first. */
const BACKFILL_DAYS = 8;
const BACKFILL_CONTRACTS = 20;
/** Books that are streamed of each venue: one process plays all of them. */
const BOOKS = 40;
/** The service ends what it is doing; with its other parts a demo is gone in less than three seconds. */
const SERVICE_STOP_MS = 2000;

/** Every variable that could give the demo stores, a feed, keys, venues, the address or the token of an operator. */
const foreignVariables = (specs: SettingSpecs): readonly string[] =>
  Object.values(specs)
    .filter(({ notInDemo }) => notInDemo === true)
    .flatMap((spec) => envNames(spec).flatMap((name) => [name, `${name}_FILE`]));

/**
 * The variables of an environment that the demo leaves alone: with them simulated data and payments in play money
 * would be written into the stores of a service that sells, or be sold under its address and for its token.
 */
export function ignoredInDemo(env: NodeJS.ProcessEnv, specs: SettingSpecs): readonly string[] {
  return foreignVariables(specs).filter((name) => env[name] !== undefined && env[name] !== '');
}

/** An environment's value of a setting of the service; an empty one counts as absent. */
export function given(name: string, env: NodeJS.ProcessEnv, specs: SettingSpecs): string | undefined {
  const spec = specs[name];
  if (spec === undefined) return undefined;
  return envNames(spec)
    .map((variable) => env[variable])
    .find((text) => text !== undefined && text !== '');
}

function paymentEnvironment(chain: SandboxChain | undefined): Record<string, string> {
  if (chain === undefined) return { PERPMETER_PAYMENTS_MODE: 'off' };
  return {
    PERPMETER_PAYMENTS_MODE: 'sandbox',
    PERPMETER_PAY_TO_ADDRESS: chain.payee.address,
    PERPMETER_RPC_URL: chain.rpcUrl,
    PERPMETER_FACILITATOR_PRIVATE_KEY: chain.facilitator.privateKey,
    PERPMETER_CHANNEL_AUTHORIZER_KEY: `0x${randomBytes(32).toString('hex')}`,
    PERPMETER_DEMO_BUYER_KEY: chain.buyer.privateKey,
  };
}

/** The environment of a demo's service, beside an environment of its own; undefined is taken out of that. */
export function serviceEnvironment(
  chain: SandboxChain | undefined,
  simUrl: string,
  env: NodeJS.ProcessEnv,
  specs: SettingSpecs,
): Record<string, string | undefined> {
  // Hosts of spot alone are mounted with the perpetuals.
  const bases = VENUES.map(({ id, bases: own }) => [
    id,
    { ...simBases(own, simUrl, id), spot: `${simUrl}/${id}` },
  ]);
  return {
    ...Object.fromEntries(ignoredInDemo(env, specs).map((name) => [name, undefined])),
    ...paymentEnvironment(chain),
    PERPMETER_VENUE_BASES: JSON.stringify(Object.fromEntries(bases)),
    PERPMETER_DATA: 'simulated',
    PERPMETER_BACKFILL_DAYS: String(BACKFILL_DAYS),
    PERPMETER_BACKFILL_CONTRACTS: String(BACKFILL_CONTRACTS),
    PERPMETER_BOOKS_PER_VENUE: given('booksPerVenue', env, specs) ?? String(BOOKS),
    PERPMETER_LOG_LEVEL: given('logLevel', env, specs) ?? 'error',
  };
}

/** Milliseconds for which a demo waits for its service to end: longer with settings whose work is written at the end. */
export function stopPatienceMs(env: NodeJS.ProcessEnv, specs: SettingSpecs): number {
  const longer = Object.entries(specs).flatMap(([name, { stopMs }]) =>
    stopMs === undefined || given(name, env, specs) === undefined ? [] : [stopMs],
  );
  return Math.max(SERVICE_STOP_MS, ...longer);
}
