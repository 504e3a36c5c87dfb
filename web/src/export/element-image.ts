// An image of an element, and its size limits.
import { messageText } from '@parley/schema/messages/messages';
import type { TFunction } from 'i18next';
import type { Ref } from 'react';
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

/**
 * The fonts that the page has loaded, as CSS rules with embedded data: an image cannot fetch anything. A font that
 * cannot be read is left out.
 */
async function loadedFontsCss(): Promise<string> {
  const loaded = new Set([...document.fonts].filter(({ status }) => status === 'loaded').map(nameOf));
  const rules = [...document.styleSheets].flatMap(fontRules).filter((rule) => loaded.has(nameOf(faceOf(rule))));
  const embedded = await Promise.all(rules.map((rule) => embed(rule).catch(() => '')));
  return embedded.join('\n');
}

function fontRules(sheet: CSSStyleSheet): CSSFontFaceRule[] {
  return [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule);
}

function faceOf({ style }: CSSFontFaceRule) {
  const read = (name: string) => style.getPropertyValue(name);
  return { family: read('font-family'), weight: read('font-weight'), style: read('font-style') };
}

function nameOf({ family, weight, style }: { family: string; weight: string; style: string }): string {
  const plainWeight = { '': '400', normal: '400', bold: '700' }[weight] ?? weight;
  return [family.replaceAll(/["']/g, ''), plainWeight, style || 'normal'].join('|');
}

async function embed(rule: CSSFontFaceRule): Promise<string> {
  const [, url] = /url\(["']?([^"'()]+)["']?\)/.exec(rule.style.getPropertyValue('src')) ?? [];
  if (!url) return '';
  const response = await fetch(new URL(url, rule.parentStyleSheet?.href ?? document.baseURI));
  const { family, weight, style } = faceOf(rule);
  const src = await dataUrlOf(await response.blob());
  return `@font-face{font-family:${family};font-weight:${weight || '400'};font-style:${style || 'normal'};src:url(${src})}`;
}

function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error('A font could not be read'));
    reader.readAsDataURL(blob);
  });
}
