import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { DecodeContext, Decoder, VenueCall } from '../call.ts';
import { rejectError, rejectShape } from '../grammar/answer.ts';
import { decodeBook, decodeTouch } from './books.ts';
import { decodeFundingHistory } from './funding-history.ts';
import {
  type DexDecoder,
  type DexName,
  decodeActiveContext,
  decodeAllContexts,
  decodeAllMetas,
  decodeMeta,
  decodeMetaAndContexts,
  open,
} from './wire.ts';

/** Answers and frames that this service reads, by the venue's own type name: `{"type": …}` or a channel. */
const DECODERS: ReadonlyMap<string, DexDecoder> = new Map<string, DexDecoder>([
  ['metaAndAssetCtxs', decodeMetaAndContexts],
  ['meta', decodeMeta],
  ['allPerpMetas', decodeAllMetas],
  ['fundingHistory', decodeFundingHistory],
  ['l2Book', decodeBook],
  ['bbo', decodeTouch],
  ['activeAssetCtx', decodeActiveContext],
  ['allDexsAssetCtxs', decodeAllContexts],
]);

/** Answers and frames known to carry nothing that this service keeps: last prices, names, acknowledgements. */
const SILENT: ReadonlySet<string> = new Set([
  'candleSnapshot',
  'exchangeStatus',
  'perpDexs',
  'spotMeta',
  'pong',
  'subscriptionResponse',
]);

/** Type names with a call of their own. */
export const INFO_TYPES: readonly string[] = [...DECODERS.keys()];

/** One reject of the whole payload, or what its error says. */
function refuse(payload: unknown, detail: string): Decoded {
  const out = emptyDecoded();
  open(payload, out);
  if (out.rejects.length === 0) rejectShape(out, detail);
  return out;
}

/** Decodes an answer or frame content of a known type. */
function decodeType(type: string, payload: unknown, context: DecodeContext, dex: DexName): Decoded {
  const decode = DECODERS.get(type);
  if (decode !== undefined) return decode(payload, context, dex);
  return SILENT.has(type) ? emptyDecoded() : refuse({}, `type ${type.slice(0, 40)}`);
}

/** A WebSocket frame, or an answer sent over the socket (`post`). */
function decodeFrame({ channel, data }: Wire, context: DecodeContext, dex: DexName): Decoded {
  if (typeof channel !== 'string') return refuse({}, 'channel');
  if (channel === 'error') {
    const out = emptyDecoded();
    rejectError(out, undefined, readText(data)?.slice(0, 120) ?? 'error');
    return out;
  }
  if (channel !== 'post') return decodeType(channel, data, context, dex);
  const response = isWire(data) ? data.response : undefined;
  const answer = isWire(response) ? response.payload : undefined;
  const isAnswer = isWire(answer) && typeof answer.type === 'string';
  return isAnswer ? decodeType(String(answer.type), answer.data, context, dex) : refuse(answer, 'post');
}

/** The type of an answer that came without its question, by its shape. */
function typeOf(payload: unknown): string | undefined {
  if (isWire(payload)) {
    if ('universe' in payload) return 'meta';
    if ('levels' in payload) return 'l2Book';
    return 'specialStatuses' in payload ? 'exchangeStatus' : undefined;
  }
  const [first, second] = wireArray(payload) ?? [];
  if (!isWire(first)) return undefined;
  if (Array.isArray(second)) return 'metaAndAssetCtxs';
  if ('universe' in first) return 'allPerpMetas';
  return 'fundingRate' in first ? 'fundingHistory' : undefined;
}

/** The dex that a question names; the venue answers of that one, whichever adapter reads it. */
const dexAsked = ({ request }: DecodeContext): DexName | undefined =>
  /"dex"\s*:\s*"([a-z0-9_-]+)"/.exec(request?.body ?? '')?.[1];

/** Decoder of one type, for its REST answer as for its frames. */
function decoderOf(type: string, dex: DexName): Decoder {
  return (payload, context) =>
    isWire(payload) && 'channel' in payload
      ? decodeFrame(payload, context, dex)
      : decodeType(type, payload, context, dexAsked(context) ?? dex);
}

/** Decoder of anything said at `/info` or on the socket, by shape. */
function decoderByShape(dex: DexName): Decoder {
  return (payload, context) => {
    if (isWire(payload) && 'channel' in payload) return decodeFrame(payload, context, dex);
    const type = typeOf(payload);
    return type === undefined ? refuse(payload, 'no known answer') : decodeType(type, payload, context, dex);
  };
}

/** The type that a body or subscription asks for. */
const typeAsked = (body: string | undefined): string | undefined =>
  /"type"\s*:\s*"(\w+)"/.exec(body ?? '')?.[1];

/**
 * A read at `/info`, and frames of the same kind, whatever dex they are about: the names of the rows
 * distinguish them.
 */
function callOf(name: string, types: readonly string[], decode: Decoder): VenueCall {
  const isAsked = (body?: string): boolean => types.includes(typeAsked(body) ?? '');
  const named = types.join('|');
  const frames = new RegExp(`^(${named})\\b|"type"\\s*:\\s*"(${named})"`);
  return { name, path: '/info', answers: (_, body) => isAsked(body), frames, decode };
}

/** The call of one type. */
export const infoCall = (type: string, dex: DexName): VenueCall => callOf(type, [type], decoderOf(type, dex));

/** Calls that carry nothing this service keeps; their error bodies are still reported. */
export function silentCall(dex: DexName): VenueCall {
  const decode = decoderByShape(dex);
  return callOf('others', [...SILENT], (payload, context) =>
    payload === null || typeof payload === 'string' || (isWire(payload) && 'channel' in payload)
      ? decode(payload, context)
      : emptyDecoded(),
  );
}

/** `/info` or the socket without a type: told by shape. */
export const anyInfoCall = (dex: DexName): VenueCall => ({
  name: 'info',
  path: '/info',
  alsoAt: ['/ws'],
  answers: (_, body) => typeAsked(body) === undefined,
  decode: decoderByShape(dex),
});
