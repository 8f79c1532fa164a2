import { isWire } from '../../../src/domain/read.ts';
import type { Fault } from './faults.ts';

/** Faults that change what stands under one key, wherever in the payload that key is. */
type FieldFault = Extract<Fault, { readonly kind: 'rename' | 'scale' }>;

/** Payload text with a field renamed or in another unit; text that is no JSON stays as it is. */
export function faultyJson(text: string, fault: FieldFault): string {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return text;
  }
  return JSON.stringify(distort(payload, fault));
}

function distort(value: unknown, fault: FieldFault): unknown {
  if (Array.isArray(value)) return value.map((entry) => distort(entry, fault));
  if (!isWire(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const distorted = distort(inner, fault);
      if (key !== fault.field) return [key, distorted];
      return fault.kind === 'rename' ? [fault.to, distorted] : [key, scaled(distorted, fault.by)];
    }),
  );
}

function scaled(value: unknown, by: number): unknown {
  // More digits than a venue prints would show the error of the product.
  const product = Number((Number(value) * by).toPrecision(14));
  if (typeof value === 'number') return product;
  return typeof value === 'string' && Number.isFinite(product) ? String(product) : value;
}
