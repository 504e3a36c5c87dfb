// An image of an element, and its size limits.
import { messageText } from '@parley/schema/messages/messages';
import type { TFunction } from 'i18next';
import type { Ref } from 'react';
import { loadedFontsCss } from './embed-fonts.ts';
import type { Transcript } from './transcript.ts';

/** More text than this takes minutes to render, only to exceed the height limit. */
const CHARACTERS_MAX = 400_000;
const MESSAGES_MAX = 600;
/** CSS pixels; a higher image is unreadable once scaled down to fit a canvas. */
const HEIGHT_MAX = 32_000;
/** The limits of every browser's canvas: longest side and area, in canvas pixels. */
const SIDE_MAX = 16_000;
const AREA_MAX = 100_000_000;
const SCALE_MAX = 2;

export function fitsImage({ path }: Pick<Transcript, 'path'>): boolean {
  const characters = path.reduce((sum, message) => sum + messageText(message).length, 0);
  return path.length <= MESSAGES_MAX && characters <= CHARACTERS_MAX;
}

/**
 * What a picture is taken of.
 * @throws Error where the reference does not lead to an element, in the language of the page
 */
export function elementOf(ref: Ref<HTMLElement>, t: TFunction): HTMLElement {
  if (!ref) throw new Error(t('com_export_no_element'));
  if (typeof ref === 'function') throw new Error(t('com_export_ref_callback'));
  if (!ref.current) throw new Error(t('com_export_ref_unattached'));
  return ref.current;
}

/** Canvas pixels per CSS pixel; null if the image would be too high to read. */
export function imageScale(width: number, height: number): number | null {
  if (height > HEIGHT_MAX) return null;
  return Math.min(SCALE_MAX, SIDE_MAX / height, Math.sqrt(AREA_MAX / (width * height)));
}

/** The element as a PNG; null if it is too high. */
export async function renderImage(element: HTMLElement): Promise<Blob | null> {
  const { width, height } = element.getBoundingClientRect();
  const scale = imageScale(width, height);
  if (scale === null) return null;
  const { domToBlob } = await import('modern-screenshot');
  const backgroundColor = getComputedStyle(element).backgroundColor;
  // Without our own fonts it would collect them in a style element, which the content security policy forbids.
  const cssText = await loadedFontsCss();
  const font = cssText === '' ? false : { cssText };
  return domToBlob(element, { type: 'image/png', scale, backgroundColor, font });
}
