import type { Scaling } from './contract-rows.ts';
import type { Scale } from './scale.ts';

const AS_STATED: Scale = { multiplier: 1, perContract: undefined };

/**
 * The rule for books and histories of one contract. With a list of contracts only those on it count. Without one,
 * contracts that are not ours (dated, inverse) are read as stated, in the venue's own units: what a recording says
 * of them is worth showing, and nothing of it is converted.
 */
export function asStated(scaling: Scaling): Scaling {
  return (context, symbol) => {
    const scale = scaling(context, symbol);
    return typeof scale === 'string' && context.instruments.size === 0 ? AS_STATED : scale;
  };
}
