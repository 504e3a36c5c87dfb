// The masters of slides: what stands on them beside the places for the texts of the slides.
import type { Zip } from '../../../platform/zip/read-zip.ts';
import { readXml } from '../xml.ts';
import { STYLES } from './package.ts';
import { createTextReader } from './text-reader.ts';

/** The lines of each master, by its name. */
export async function readMasters(zip: Zip): Promise<Map<string, string[]>> {
  const masters = new Map<string, string[]>();
  if (!zip.has(STYLES)) return masters;
  let lines: string[] | null = null;
  let notes = 0;
  /** Whether the open frames are placeholders, the innermost last: they show prompts, or what slides declare. */
  const frames: boolean[] = [];
  const reader = createTextReader(
    ({ text }) => {
      if (notes === 0 && frames.at(-1) !== true) lines?.push(text.trim());
    },
    {
      open(tag, attributes) {
        if (tag === 'master-page') masters.set(attributes['style:name'] ?? '', (lines = []));
        else if (tag === 'notes') notes++;
        else if (tag === 'frame') frames.push(attributes['presentation:class'] !== undefined);
      },
      close(tag) {
        if (tag === 'master-page') lines = null;
        else if (tag === 'notes') notes--;
        else if (tag === 'frame') frames.pop();
      },
    },
  );
  await readXml(zip, STYLES, reader);
  return masters;
}
