import { isWire } from '../../src/domain/read.ts';

/** The contract of a frame, wherever a venue puts it. */
export function symbolOf(frame: unknown): string | undefined {
  if (!isWire(frame)) return undefined;
  const { data, arg, result, params } = frame;
  const inner = Array.isArray(data) ? data[0] : data;
  const named = [
    isWire(arg) ? (arg.instId ?? arg.symbol) : undefined,
    isWire(inner) ? inner.s : undefined,
    isWire(result) ? result.s : undefined,
    isWire(params) ? params.channel : undefined,
  ];
  return named.find((name) => typeof name === 'string');
}
