import { writeSync } from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** Preloaded into a process, says on stderr when anything in it asks for ccxt. */
if (isMainThread) register(import.meta.url);

/** @type {import('node:module').ResolveHook} */
export const resolve = (specifier, context, next) => {
  if (specifier === 'ccxt' || specifier.startsWith('ccxt/')) writeSync(2, 'asks for ccxt\n');
  return next(specifier, context);
};
