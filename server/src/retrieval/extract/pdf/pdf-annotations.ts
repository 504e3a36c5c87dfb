// What stands on a PDF page beside its own text: filled fields of forms, notes, and addresses of links.
import { asFields } from '@parley/schema/json';
import { addressBehind, asWritten, isAddress } from '../addresses.ts';
import type { TextRun } from './pdf-lines.ts';

/** As pdf.js reports an annotation. It describes each kind by other fields, and a damaged file leaves some out. */
export type Annotation = Readonly<Record<string, unknown>>;

/** Pages of real documents stay far below. */
const ANNOTATIONS_MAX = 5000;

/** Flags of an annotation that is not shown: hidden, and not viewed. */
const HIDDEN = 0x02;
const NO_VIEW = 0x20;

/** Repeats the text of the note that it opens for. */
const POPUP = 'Popup';

/** The lines of a page that its fields and notes show, in their order. */
export function annotationLines(all: readonly Annotation[]): string[] {
  return shownOf(all).flatMap((annotation) => {
    const line = annotation.subtype === 'Widget' ? fieldLine(annotation) : noteLine(annotation);
    return line === null ? [] : [line];
  });
}

function shownOf(all: readonly Annotation[]): readonly Annotation[] {
  return all
    .slice(0, ANNOTATIONS_MAX)
    .filter(({ annotationFlags: flags }) => typeof flags !== 'number' || (flags & (HIDDEN | NO_VIEW)) === 0);
}

/** 'Name: Anna', '[x] agree (Yes)'. Null for a field that shows nothing. */
function fieldLine(field: Annotation): string | null {
  const name = labelOf(field);
  if (field.fieldType === 'Btn') return buttonLine(field, name);
  if (field.password === true || field.hidden === true) return null;
  const shown = valuesOf(field.fieldValue).map((value) => displayOf(value, field.options));
  const text = shown.join(', ').trim();
  return text === '' ? null : withName(name, text);
}

function buttonLine(field: Annotation, name: string): string | null {
  if (field.checkBox !== true && field.radioButton !== true) return null;
  const own = textOf(field.checkBox === true ? field.exportValue : field.buttonValue);
  const isTicked = own !== '' && valuesOf(field.fieldValue).includes(own);
  return `${isTicked ? '[x]' : '[ ]'} ${name}${own === '' ? '' : ` (${own})`}`.trim();
}

/** What a person reads of a field: its description, else the last part of its name. */
function labelOf({ alternativeText, fieldName }: Annotation): string {
  const described = textOf(alternativeText);
  if (described !== '') return described;
  const [last = ''] = textOf(fieldName).split('.').slice(-1);
  return last.replace(/\[\d+\]$/, '');
}

/** A choice stores another value than it shows. */
function displayOf(value: string, options: unknown): string {
  const all: unknown[] = Array.isArray(options) ? options : [];
  for (const option of all) {
    const { exportValue, displayValue } = asFields(option);
    if (exportValue === value) return textOf(displayValue) || value;
  }
  return value;
}

/** 'Rita: Not before June.', without its writer where nobody is named. */
function noteLine({ subtype, contentsObj, richText, titleObj, textContent, file }: Annotation): string | null {
  if (subtype === POPUP || subtype === 'Link') return null;
  const name = textOf(asFields(file).filename);
  const drawn = Array.isArray(textContent) ? textContent.map(textOf).join('\n').trim() : '';
  const text = textOf(asFields(contentsObj).str) || textOf(asFields(richText).str) || drawn;
  const told = [text, name && `Attached: ${name}`].filter((one) => one !== '').join('\n');
  return told === '' ? null : withName(textOf(asFields(titleObj).str), told);
}

function withName(name: string, text: string): string {
  return name === '' ? text : `${name}: ${text}`;
}

interface Link {
  address: string;
  /** Left, bottom, right and top. */
  rect: readonly [number, number, number, number];
}

/**
 * The runs of a page with the addresses of its links behind their words, and the addresses whose words were not found.
 * An address that the words are is not repeated; one that goes on in the next line stands behind its last word.
 */
export function withAddresses(
  runs: readonly TextRun[],
  all: readonly Annotation[],
): { runs: readonly TextRun[]; others: string[] } {
  const inserted = new Map<number, { at: number; address: string }[]>();
  const others: string[] = [];
  const links = linksOf(all);
  for (const [index, link] of links.entries()) {
    const next = links[index + 1];
    if (next?.address === link.address && isLineBelow(link, next)) continue;
    const place = placeOf(link, runs);
    if (!place) others.push(link.address);
    else inserted.set(place.run, [...(inserted.get(place.run) ?? []), { at: place.at, address: link.address }]);
  }
  const told = runs.map((run, index) => {
    const some = inserted.get(index);
    return some ? { ...run, str: insert(run.str, some) } : run;
  });
  const page = told.map(({ str }) => str).join('');
  return { runs: told, others: [...new Set(others)].filter((address) => !page.includes(asWritten(address))) };
}

function linksOf(all: readonly Annotation[]): Link[] {
  return shownOf(all).flatMap(({ subtype, url, rect }) => {
    const address = textOf(url);
    if (subtype !== 'Link' || !isAddress(address) || !isRect(rect)) return [];
    return [{ address, rect }];
  });
}

function isRect(rect: unknown): rect is Link['rect'] {
  return Array.isArray(rect) && rect.length === 4 && rect.every((one) => typeof one === 'number');
}

function isLineBelow({ rect: above }: Link, { rect: below }: Link): boolean {
  const height = above[3] - above[1];
  return above[1] - below[1] > height / 2 && above[1] - below[1] < 3 * height;
}

/** The last run of horizontal text that a link covers, and where in it the link ends. */
function placeOf(
  { rect: [left, bottom, right, top] }: Link,
  runs: readonly TextRun[],
): { run: number; at: number } | null {
  let place: { run: number; at: number } | null = null;
  for (const [run, { str, transform, width, dir, height }] of runs.entries()) {
    const [, b = 0, c = 0, , x = 0, y = 0] = transform;
    const middle = y + height / 3;
    const isHorizontal = b === 0 && c === 0 && dir !== 'rtl' && width > 0;
    if (!isHorizontal || str.trim() === '' || middle < bottom || middle > top) continue;
    if (x + width <= left || x >= right - 1) continue;
    place = { run, at: wordEnd(str, Math.round(((Math.min(right, x + width) - x) / width) * str.length)) };
  }
  return place;
}

/** Letters are of different widths: a link ends where a word does. */
function wordEnd(text: string, near: number): number {
  const isBetween = (at: number) => at >= text.length || /\s/.test(text[at] ?? '');
  for (let off = 0; off <= text.length; off++) {
    if (near - off > 0 && isBetween(near - off)) return near - off;
    if (isBetween(near + off)) return Math.min(text.length, near + off);
  }
  return text.length;
}

function insert(text: string, some: readonly { at: number; address: string }[]): string {
  let told = text;
  for (const { at, address } of some.toSorted((one, other) => other.at - one.at)) {
    told = `${told.slice(0, at)}${addressBehind(text, address)}${told.slice(at)}`;
  }
  return told;
}

function valuesOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(textOf).filter((one) => one !== '');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
