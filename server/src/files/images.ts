// Images are decoded, turned upright, made small enough for models and written anew, which leaves their metadata
// (place, camera, time) behind. Only files whose bytes are JPEG, PNG, GIF, WebP, AVIF, TIFF or BMP may come here: the library
// would read other formats, too.
import type { Metadata, Sharp } from 'sharp';
import type { FileProblem } from '@parley/schema/files/file-problem';
import { isBitmap, readBitmap } from './read-bitmap.ts';
import { createSemaphore } from '../platform/semaphore.ts';
import { refuseFile } from './upload/file-refusal.ts';

export type ImageFormat = 'png' | 'webp' | 'jpeg';

export interface WrittenImage {
  width: number;
  height: number;
  bytes: number;
}

/** Of the decoded picture: 50 million pixels are 200 MB. */
const PIXELS_MAX = 50_000_000;
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
async function loadSharp() {
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
