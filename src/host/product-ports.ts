import type { Ports } from '../products/define-product.ts';
import type { Host } from './module.ts';

/** Everything that a product may look at, for modules that ask products themselves. */
export const productPorts = ({ market, books, health, clock, history, readPort }: Host): Ports => ({
  market: market.view,
  books: books.view,
  health,
  clock,
  ...(history !== undefined && { history }),
  readPort,
});
