// A picture of an element, and how large one can be.
import { textOf } from '@parley/schema/messages';
import { loadedFontsCss } from './picture-fonts.ts';
import type { Transcript } from './transcript.ts';

/** More text than this would be drawn for minutes, only to be too high in the end. */
const CHARACTERS_MAX = 400_000;
const MESSAGES_MAX = 600;
/** Higher than this is unreadable once it is made small enough for a canvas; in CSS pixels. */
const HEIGHT_MAX = 32_000;
/** What every browser's canvas takes: the longest side, and the area, in its own pixels. */
const SIDE_MAX = 16_000;
const AREA_MAX = 100_000_000;
const SHARPEST = 2;

export function fitsPicture({ path }: Pick<Transcript, 'path'>): boolean {
  const characters = path.reduce((sum, message) => sum + textOf(message).length, 0);
  return path.length <= MESSAGES_MAX && characters <= CHARACTERS_MAX;
}

/** How many pixels to a CSS pixel; null when the picture would be too high to be read. */
export function scaleOf(width: number, height: number): number | null {
  if (height > HEIGHT_MAX) return null;
  return Math.min(SHARPEST, SIDE_MAX / height, Math.sqrt(AREA_MAX / (width * height)));
}

/** The element as a png; null when it is too high. */
export async function takePicture(element: HTMLElement): Promise<Blob | null> {
  const { width, height } = element.getBoundingClientRect();
  const scale = scaleOf(width, height);
  if (scale === null) return null;
  const { domToBlob } = await import('modern-screenshot');
  const backgroundColor = getComputedStyle(element).backgroundColor;
  // Without fonts of ours it would collect them in a style element, which the content security policy forbids.
  const cssText = await loadedFontsCss();
  const font = cssText === '' ? false : { cssText };
  return domToBlob(element, { type: 'image/png', scale, backgroundColor, font });
}
