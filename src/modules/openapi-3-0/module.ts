import type { Module } from '../../host/module.ts';

/** The OpenAPI document for generators that do not read version 3.1. */
export const openapi30: Module = {
  id: 'openapi-3-0',
  products: async () => {
    const { openapi30Document } = await import('./openapi-3-0.ts');
    return { products: [{ product: openapi30Document, after: 'openapi' }] };
  },
};
