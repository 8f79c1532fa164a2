import { crc32, deflateSync } from 'node:zlib';
import Type from 'typebox';
import { ok } from '../../domain/errors.ts';
import { defineProduct } from '../../products/define-product.ts';

const SIZE = 128;
type Colour = readonly [red: number, green: number, blue: number];

const GROUND: Colour = [16, 24, 40];
const BAR_UP: Colour = [52, 211, 153];
const BAR_DOWN: Colour = [248, 113, 113];
const ZERO_LINE: Colour = [148, 163, 184];

/** Heights of the bars above (+) and below (-) the zero line, pixels: a funding rate over time. */
const BARS = [18, 34, -14, 26, 46, -24] as const;
const BAR_WIDTH = 12;
const BAR_GAP = 6;
const LEFT = 13;
const ZERO_Y = 72;

function colourAt(x: number, y: number): Colour {
  const slot = Math.floor((x - LEFT) / (BAR_WIDTH + BAR_GAP));
  const inBar = x >= LEFT && (x - LEFT) % (BAR_WIDTH + BAR_GAP) < BAR_WIDTH;
  const height = inBar ? (BARS[slot] ?? 0) : 0;
  if (height > 0 && y < ZERO_Y && y >= ZERO_Y - height) return BAR_UP;
  if (height < 0 && y > ZERO_Y + 1 && y <= ZERO_Y + 1 - height) return BAR_DOWN;
  return y === ZERO_Y || y === ZERO_Y + 1 ? ZERO_LINE : GROUND;
}

/** A chunk of a PNG file: length, type, data, CRC over type and data. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** The service's icon as a PNG file: 128 x 128, 8-bit RGB, not interlaced. */
export function drawIcon(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(SIZE * (1 + SIZE * 3));
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) rows.set(colourAt(x, y), y * (1 + SIZE * 3) + 1 + x * 3);
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export const icon = defineProduct({
  id: 'icon',
  path: '/icon.png',
  access: 'free',
  summary: 'Icon of the service',
  description: 'The icon that catalogs show beside the paid resources: a PNG of 128 by 128 pixels.',
  tags: ['discovery'],
  dependsOn: 'document',
  revisedAt: '2026-11-20T00:00:00.000Z',
  contentType: 'image/png',
  answer: Type.Unknown(),
  compute: () => ok({ content: { bytes: drawIcon(), contentType: 'image/png' } }),
});
