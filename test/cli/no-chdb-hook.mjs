import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** Preloaded into a process, is a machine on which chdb was not installed. */
if (isMainThread) register(import.meta.url);

/** @type {import('node:module').ResolveHook} */
export const resolve = (specifier, context, next) => {
  if (specifier === 'chdb' || specifier.startsWith('chdb/'))
    throw new Error(`Cannot find package '${specifier}'`);
  return next(specifier, context);
};
