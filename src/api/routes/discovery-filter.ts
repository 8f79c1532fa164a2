import Type from 'typebox';
import type { CatalogItem } from '../../pay/discovery.ts';

/** Filters that the list and the search of the catalog share. */
export const FILTER = {
  type: Type.Optional(
    Type.String({ maxLength: 32, description: 'Only resources of this kind; all of them are http' }),
  ),
  payTo: Type.Optional(Type.String({ maxLength: 64, description: 'Only resources paid to this address' })),
  scheme: Type.Optional(Type.String({ maxLength: 32, description: 'Only resources sold by this scheme' })),
  network: Type.Optional(Type.String({ maxLength: 64, description: 'Only resources sold on this network' })),
  extensions: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only resources with this extension; all have bazaar' }),
  ),
};

export const resourceList = Type.Array(Type.Unsafe<CatalogItem>({ type: 'object' }), {
  description: 'Paid resources',
});
