// What the styles of a Word document say of its paragraphs: which are headings, and which belong to a list.
import type { ListPlace } from './word-numbering.ts';
import { readAttribute } from './package.ts';
import { readXml } from '../xml.ts';
import type { Zip } from '../../../platform/zip/read-zip.ts';

export interface Styles {
  /** The level of a heading, from 1; null for other paragraphs. */
  headingOf(style: string): number | null;
  listOf(style: string): ListPlace | null;
}

interface Style {
  basedOn: string | null;
  heading: number | null;
  numId: string | null;
  level: number | null;
}

/** Styles rest on others, a few deep. */
const DEPTH_MAX = 20;

export async function readStyles(zip: Zip, part: string | undefined): Promise<Styles> {
  const styles = part !== undefined && zip.has(part) ? await readAll(zip, part) : new Map<string, Style>();

  function* chainOf(id: string): Generator<Style> {
    let at: string | null = id;
    for (let depth = 0; at !== null && depth < DEPTH_MAX; depth++) {
      const style: Style | undefined = styles.get(at);
      if (!style) return;
      yield style;
      at = style.basedOn;
    }
  }

  return {
    headingOf(id) {
      for (const { heading } of chainOf(id)) if (heading !== null) return heading <= 9 ? heading : null;
      return null;
    },
    listOf(id) {
      let level: number | null = null;
      for (const style of chainOf(id)) {
        level ??= style.level;
        if (style.numId !== null) return { numId: style.numId, level };
      }
      return null;
    },
  };
}

/** Ids are translated, names are not. */
async function readAll(zip: Zip, part: string): Promise<Map<string, Style>> {
  const styles = new Map<string, Style>();
  let style: Style | null = null;
  await readXml(zip, part, {
    open(tag, attributes) {
      const value = readAttribute(attributes, 'val');
      if (tag === 'style') {
        style = { basedOn: null, heading: null, numId: null, level: null };
        styles.set(readAttribute(attributes, 'styleId') ?? '', style);
      }
      if (!style || value === undefined) return;
      if (tag === 'basedOn') style.basedOn = value;
      if (tag === 'outlineLvl') style.heading = Number(value) + 1;
      if (tag === 'name') style.heading ??= headingNamed(value.toLowerCase());
      if (tag === 'numId') style.numId = value;
      if (tag === 'ilvl') style.level = Number(value) || 0;
    },
    close(tag) {
      if (tag === 'style') style = null;
    },
  });
  return styles;
}

function headingNamed(name: string): number | null {
  if (name === 'title') return 1;
  const level = Number(/^heading (\d)$/.exec(name)?.[1]);
  return level >= 1 ? level : null;
}
