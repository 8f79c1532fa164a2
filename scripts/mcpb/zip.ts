import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive, by its path in it. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const DEFLATED = 8;
/** 1980-01-01, the first day of the format: the same files make the same bytes. */
const DAY = 0x21;

/** The fields that both headers of a file have, from the version on (APPNOTE 4.4). */
function commonFields({ name, bytes }: ZipEntry, packed: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(DEFLATED, 4);
  fields.writeUInt16LE(DAY, 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A ZIP archive of some files, without folders of their own. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = deflateRawSync(entry.bytes, { level: 9 });
    const fields = commonFields(entry, packed);
    const name = Buffer.from(entry.name);
    const file = Buffer.concat([uint32(LOCAL), fields, name, packed]);
    const made = Buffer.from([VERSION, 0]);
    // No comment, the first disk, no attributes.
    const place = Buffer.concat([Buffer.alloc(10), uint32(offset)]);
    directory.push(Buffer.concat([uint32(CENTRAL), made, fields, place, name]));
    files.push(file);
    offset += file.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, central, end]);
}
