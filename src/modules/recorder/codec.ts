import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** Codecs of blocks: zstd where this Node.js has it (22.15 and newer), else brotli. The header of a segment names its own. */
export type CodecName = 'zstd' | 'brotli';

export interface Codec {
  readonly name: CodecName;
  pack(raw: Buffer): Promise<Buffer>;
  /** @param size bytes that come out; more is refused */
  unpack(packed: Buffer, size: number): Promise<Buffer>;
}

type Transform = (data: Buffer, options: object) => Promise<Buffer>;

/** A function of zlib that not every Node.js has. */
function ofZlib(name: string): Transform | undefined {
  const found: unknown = Reflect.get(zlib, name);
  return typeof found === 'function'
    ? (promisify(found as Parameters<typeof promisify>[0]) as Transform)
    : undefined;
}

/** `ZSTD_c_compressionLevel` of zstd.h. */
const ZSTD_LEVEL_KEY = 100;
const ZSTD_LEVEL = 6;
const BROTLI_QUALITY = 3;

function zstd(): Codec | undefined {
  const compress = ofZlib('zstdCompress');
  const decompress = ofZlib('zstdDecompress');
  if (compress === undefined || decompress === undefined) return undefined;
  return {
    name: 'zstd',
    pack: (raw) => compress(raw, { params: { [ZSTD_LEVEL_KEY]: ZSTD_LEVEL } }),
    unpack: (packed, size) => decompress(packed, { maxOutputLength: Math.max(1, size) }),
  };
}

const brotliCompress = promisify(zlib.brotliCompress);
const brotliDecompress = promisify(zlib.brotliDecompress);

const brotli: Codec = {
  name: 'brotli',
  pack: (raw) => {
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
    const params = { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: raw.length };
    return brotliCompress(raw, { params });
  },
  unpack: (packed, size) => brotliDecompress(packed, { maxOutputLength: Math.max(1, size) }),
};

const known: readonly Codec[] = [zstd(), brotli].filter((codec) => codec !== undefined);

/** The codec that this process writes with. */
export const ownCodec: Codec = known[0] ?? brotli;

/** The codec of a segment; undefined where this Node.js has it not. */
export const codecOf = (name: string): Codec | undefined => known.find((codec) => codec.name === name);
