import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

export const promises: ModulePromises = { documents: ['/openapi-3.0.json'] };
