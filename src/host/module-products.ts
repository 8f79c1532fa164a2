import type { DiscoveryPart } from '../api/documents/discovery-part.ts';
import type { HealthPart } from '../api/documents/health-part.ts';
import type { SoldHeader } from '../api/documents/sold-header.ts';
import type { Services } from '../api/route.ts';
import type { Product } from '../products/define-product.ts';
import type { Placed } from '../runtime/placed.ts';
import type { ToolPlace } from './tool-place.ts';

/** A product or a document that a module adds: in the table of routes it follows the one with the named id. */
export interface ProductBlock extends Placed {
  readonly product: Product<Services>;
  /** The tool that agents find it in; none without it. */
  readonly tool?: ToolPlace;
}

/** Additions of a module to the table of routes. */
export interface ModuleProducts {
  readonly products?: readonly ProductBlock[];
  /** Shipped prices of those that are paid, in the form of `src/pay/prices.json`. */
  readonly prices?: unknown;
  /** Its parts of the health document. */
  readonly health?: readonly HealthPart[];
  /** Its parts of the discovery document. */
  readonly discovery?: readonly DiscoveryPart[];
  /** Headers that its seam of sales adds to sold answers. */
  readonly soldHeaders?: readonly SoldHeader[];
}
