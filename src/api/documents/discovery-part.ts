import type { Static, TObject, TProperties } from 'typebox';
import type { Placed } from '../../runtime/placed.ts';
import type { Services } from '../route.ts';

/** Fields that a module adds to the discovery document: in its schema they follow the named one, in the document they are last. */
export interface DiscoveryPart<Fields extends TProperties = TProperties> extends Placed {
  readonly fields: Fields;
  readonly read: (services: Services) => Static<TObject<Fields>>;
}
