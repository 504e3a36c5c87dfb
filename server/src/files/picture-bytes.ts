// What pictures become on their way to providers, and to the screen before they are finished.
import { loadSharp, PIXELS_MAX } from './images.ts';

const PREVIEW_SIDE_PX = 96;
const PREVIEW_QUALITY = 60;

/** PNG, JPEG, and the container of WebP: the library would read other formats, too. */
const SIGNATURES = ['89504e47', 'ffd8ff', '52494646'];

/** A small `data:` address of a picture that is not finished; null for bytes that are none. */
export async function renderPreview(bytes: Uint8Array): Promise<string | null> {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  if (!SIGNATURES.some((signature) => start.startsWith(signature))) return null;
  try {
    const sharp = await loadSharp();
    const small = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
      .resize(PREVIEW_SIDE_PX, PREVIEW_SIDE_PX, { fit: 'inside' })
      .webp({ quality: PREVIEW_QUALITY });
    return `data:image/webp;base64,${(await small.toBuffer()).toString('base64')}`;
  } catch {
    return null;
  }
}

/**
 * A mask as providers take it: a PNG of the size of its picture, transparent where that may change. One that was kept
 * without transparency, as in JPEG, is white there.
 */
export async function pngMask(
  bytes: Uint8Array,
  { width, height }: { width: number; height: number },
): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const mask = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' });
  const { hasAlpha } = await mask.metadata();
  const kept = hasAlpha ? mask.extractChannel('alpha') : mask.greyscale().negate();
  const alpha = await kept.resize(width, height, { fit: 'fill', kernel: 'nearest' }).raw().toBuffer();
  const black = { create: { width, height, channels: 3 as const, background: '#000' } };
  return sharp(black)
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
}
