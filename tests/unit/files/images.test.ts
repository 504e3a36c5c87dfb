// Images of other formats than those that pages show are written anew like all others.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeImage } from '@parley/server/files/images';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createFolder } from '../../support/folders.ts';

/** Two rows of two pixels: red and green above, blue and white below. @param bits of a pixel */
function bitmap(bits: 8 | 24 | 32, isTopDown = false): Buffer {
  const colors = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
  ];
  const palette = bits === 8 ? colors.flatMap(([r = 0, g = 0, b = 0]) => [b, g, r, 0]) : [];
  const rows = [
    [0, 1],
    [2, 3],
  ].map((row) => {
    const bytes = row.flatMap((color) => {
      const [r = 0, g = 0, b = 0] = colors[color] ?? [];
      return bits === 8 ? [color] : [b, g, r, 255].slice(0, bits / 8);
    });
    return [...bytes, ...Array<number>((4 - (bytes.length % 4)) % 4).fill(0)];
  });
  const header = Buffer.alloc(54);
  header.write('BM', 'latin1');
  header.writeUInt32LE(54 + palette.length, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(2, 18);
  header.writeInt32LE(isTopDown ? -2 : 2, 22);
  header.writeUInt16LE(bits, 28);
  return Buffer.concat([header, Buffer.from(palette), Buffer.from((isTopDown ? rows : rows.toReversed()).flat())]);
}

const square = () => sharp({ create: { width: 2, height: 2, channels: 3, background: '#ff0000' } });

async function written(bytes: Uint8Array) {
  const [from, to] = ['in', 'out'].map((name) => join(createFolder(), name));
  await writeFile(from ?? '', bytes);
  await writeImage(from ?? '', to ?? '', { format: 'png' });
  return sharp(to).removeAlpha().raw().toBuffer();
}

it.each([
  ['24 bits', bitmap(24)],
  ['32 bits', bitmap(32)],
  ['a palette', bitmap(8)],
  ['rows from the top', bitmap(24, true)],
])('a bitmap of Windows with %s keeps its pixels', async (_, bytes) => {
  expect([...(await written(bytes))]).toEqual([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]);
});

it.each([
  ['AVIF', () => square().avif({ lossless: true }).toBuffer()],
  ['TIFF', () => square().tiff().toBuffer()],
])('a picture in %s is read', async (_, make) => {
  const pixels = await written(await make());
  expect(pixels).toHaveLength(12);
  expect(pixels[0]).toBeGreaterThan(250);
});

it.each([
  ['is cut off', bitmap(24).subarray(0, 60)],
  ['claims more pixels than may be', Buffer.from(bitmap(24)).fill(0x7f, 18, 22)],
  ['is compressed', Buffer.from(bitmap(24)).fill(1, 30, 31)],
])('a bitmap that %s is refused', async (_, bytes) => {
  await expect(written(bytes)).rejects.toMatchObject({ problem: { type: expect.stringMatching(/^image_/) } });
});
