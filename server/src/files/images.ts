// Images are decoded, turned upright, made small enough for models and written anew, which leaves their metadata
// (place, camera, time) behind. Only files whose bytes are JPEG, PNG, GIF, WebP, AVIF, TIFF or BMP may come here: the library
// would read other formats, too.
import type { Metadata, Sharp } from 'sharp';
import type { FileProblem } from '@parley/schema/files/file-problem';
import { createSemaphore } from '../platform/semaphore.ts';
import { refuseFile } from './upload/file-refusal.ts';
import { open, readFile } from 'node:fs/promises';

const MASKS = 3;

export type ImageFormat = 'png' | 'webp' | 'jpeg';

export interface WrittenImage {
  width: number;
  height: number;
  bytes: number;
}

/** Of the decoded picture: 50 million pixels are 200 MB. */
export const PIXELS_MAX = 50_000_000;
const TIMEOUT_SECONDS = 10;
/** Of an image with high detail, in pixels. */
const SHORT_SIDE_MAX = 768;
const LONG_SIDE_MAX = 2000;
const LONG_SIDE_MAX_ANTHROPIC = 1568;
/** Of an image with low detail. */
const LOW_MAX = 512;
const AVATAR_SIDE_PX = 150;

/** Each uses a core and up to 200 MB. */
const withSlot = createSemaphore(2);

/**
 * Writes the image at `from` to `to`, upright and never enlarged.
 * @throws Refusal `invalid_input` for one that is damaged, too large or takes too long
 */
export function writeImage(
  from: string,
  to: string,
  { format, detail = 'high', endpoint = '' }: { format: ImageFormat; detail?: 'low' | 'high'; endpoint?: string },
): Promise<WrittenImage> {
  return write(from, to, format, (image, { width, height }) => {
    const scale =
      detail === 'low' ? Math.min(1, LOW_MAX / Math.max(width, height)) : highScale(width, height, endpoint);
    return image.resize(scaled(width, scale), scaled(height, scale), { fit: 'fill' });
  });
}

/** Writes the image upright in its own size, for images that were made here. Fails like `writeImage`. */
export function writeSameSize(from: string, to: string, format: ImageFormat): Promise<WrittenImage> {
  return write(from, to, format, (image) => image);
}

/** Writes the centre square of the image, for avatars. Fails like `writeImage`. */
export function writeAvatar(from: string, to: string, format: ImageFormat): Promise<WrittenImage> {
  return write(from, to, format, (image) => image.resize(AVATAR_SIDE_PX, AVATAR_SIDE_PX, { fit: 'cover' }));
}

function write(
  from: string,
  to: string,
  format: ImageFormat,
  resize: (image: Sharp, size: Metadata['autoOrient']) => Sharp,
): Promise<WrittenImage> {
  return withSlot(async () => {
    try {
      const image = await openImage(from);
      const { autoOrient } = await image.metadata();
      const upright = resize(image.autoOrient(), autoOrient);
      // JPEG has no transparency: it would become black.
      const opaque = format === 'jpeg' ? upright.flatten({ background: '#ffffff' }) : upright;
      const { width, height, size } = await opaque.toFormat(format).timeout({ seconds: TIMEOUT_SECONDS }).toFile(to);
      return { width, height, bytes: size };
    } catch (error) {
      if (error instanceof Error && /ENOSPC|no space left/i.test(error.message)) throw error;
      return refuseFile({ type: problemOf(error) });
    }
  });
}

async function openImage(from: string): Promise<Sharp> {
  const sharp = await loadSharp();
  const options = { limitInputPixels: PIXELS_MAX, failOn: 'error' } as const;
  if (!(await isBitmap(from))) return sharp(from, options);
  const { data, ...raw } = await readBitmap(from, PIXELS_MAX);
  return sharp(data, { ...options, raw });
}

/** Loaded when the first image comes: the library takes 20 MB. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

function highScale(width: number, height: number, endpoint: string): number {
  const longMax = endpoint === 'anthropic' ? LONG_SIDE_MAX_ANTHROPIC : LONG_SIDE_MAX;
  return Math.min(1, SHORT_SIDE_MAX / Math.min(width, height), longMax / Math.max(width, height));
}

function scaled(side: number, scale: number): number {
  return Math.max(1, Math.round(side * scale));
}

function problemOf(error: unknown): Extract<FileProblem['type'], `image_${string}`> {
  const message = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(message)) return 'image_too_large';
  if (/timeout/i.test(message)) return 'image_too_slow';
  return 'image_unreadable';
}

// Images in the format of Windows, which the library that writes images does not read: uncompressed ones.
interface Bitmap {
  data: Uint8Array;
  width: number;
  height: number;
  channels: 3;
}

async function isBitmap(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString('latin1') === 'BM';
  } finally {
    await file.close();
  }
}

/** @throws Error for one that is damaged, too large or compressed */
async function readBitmap(path: string, pixelsMax: number): Promise<Bitmap> {
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
