// Images in the format of Windows, which the library that writes images does not read: uncompressed ones.
import { open, readFile } from 'node:fs/promises';

export interface Bitmap {
  data: Uint8Array;
  width: number;
  height: number;
  channels: 3;
}

const MASKS = 3;

export async function isBitmap(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString('latin1') === 'BM';
  } finally {
    await file.close();
  }
}

/** @throws Error for one that is damaged, too large or compressed */
export async function readBitmap(path: string, pixelsMax: number): Promise<Bitmap> {
  const file = await readFile(path);
  const { width, height, isFromTop, bits, palette, pixels } = parse(file, pixelsMax);
  const rowBytes = pixels.length / height;
  const source = bits === 8 ? palette : pixels;
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const row = rowBytes * (isFromTop ? y : height - 1 - y);
    for (let x = 0; x < width; x++) {
      const from = bits === 8 ? (pixels[row + x] ?? 0) * 4 : row + (x * bits) / 8;
      const to = (y * width + x) * 3;
      // Blue comes first.
      for (let part = 0; part < 3; part++) data[to + part] = source[from + 2 - part] ?? 0;
    }
  }
  return { data, width, height, channels: 3 };
}

function parse(file: Buffer, pixelsMax: number) {
  const [start, headerLength] = [file.readUInt32LE(10), file.readUInt32LE(14)];
  const [width, signedHeight] = [file.readInt32LE(18), file.readInt32LE(22)];
  const [bits, compression] = [file.readUInt16LE(28), file.readUInt32LE(30)];
  const height = Math.abs(signedHeight);
  if (width * height > pixelsMax) throw new Error('Bitmap exceeds pixel limit');
  const isPlain = compression === 0 || (compression === MASKS && bits === 32);
  if (headerLength < 40 || width < 1 || height < 1 || !isPlain || ![8, 24, 32].includes(bits))
    throw new Error('Unsupported bitmap');
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  const pixels = file.subarray(start, start + rowBytes * height);
  if (pixels.length < rowBytes * height) throw new Error('Bitmap is cut off');
  // Rows run from the bottom, unless the height is negative.
  return { width, height, isFromTop: signedHeight < 0, bits, palette: file.subarray(14 + headerLength, start), pixels };
}
