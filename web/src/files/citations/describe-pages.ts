// Where in a file a passage is, in words: a presentation has slides for pages.
import type { TFunction } from 'i18next';
import { formatNumber } from '../../lib/format-number.ts';
import { hasSlides } from '../document-status.ts';

export function describePage(name: string, page: number, t: TFunction): string {
  return t(hasSlides(name) ? 'com_citations_slide' : 'com_citations_page', { 0: page });
}

/** `count` is how many the file has, null while that is unknown. */
export function describeFilePage(name: string, page: number, count: number | null, t: TFunction): string {
  if (count === null) return describePage(name, page, t);
  return t(hasSlides(name) ? 'com_citations_slide_of' : 'com_citations_page_of', { 0: page, 1: count });
}

/** Null without pages. */
export function describePages(name: string, pages: readonly number[], t: TFunction, language: string): string | null {
  const [page, ...more] = pages;
  if (page === undefined) return null;
  if (more.length === 0) return describePage(name, page, t);
  const numbers = pages.map((number) => formatNumber(number, language)).join(', ');
  return t(hasSlides(name) ? 'com_citations_slides' : 'com_citations_pages', { 0: numbers });
}
