import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

export const promises: ModulePromises = { documents: ['/v1/watch/kinds'] };
