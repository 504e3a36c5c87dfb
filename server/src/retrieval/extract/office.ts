// What the packages of Word, Excel and PowerPoint have in common: parts that name each other by relationships.
import { readXml } from './xml.ts';
import type { Zip } from '../../platform/zip/read-zip.ts';

export interface Relation {
  /** The last word of its type's address: 'worksheet', 'slide', 'notesSlide', … */
  type: string;
  /** The name of the part in the archive. */
  target: string;
}

/** The relations of a part by their ids; none when it has none. */
export async function readRelations(zip: Zip, part: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const name = `${folder}_rels/${part.slice(folder.length)}.rels`;
  if (!zip.has(name)) return relations;
  await readXml(zip, name, {
    open(tag, { Id: id, Type: type = '', Target: target = '', TargetMode: mode }) {
      if (tag !== 'Relationship' || id === undefined || mode === 'External') return;
      relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: resolveName(folder, target) });
    },
  });
  return relations;
}

/** The part that the package is about. @param usual where it stands in most packages */
export async function mainPart(zip: Zip, usual: string): Promise<string> {
  const relations = await readRelations(zip, '');
  const found = [...relations.values()].find(({ type }) => type === 'officeDocument')?.target;
  return found !== undefined && zip.has(found) ? found : usual;
}

/** A name that an archive's entry mentions, seen from its folder; leading too far up ends at the top. */
export function resolveName(folder: string, target: string): string {
  const steps = target.startsWith('/') ? [] : folder.split('/').filter((step) => step !== '');
  for (const step of target.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

/** A row of a table as one line. Null for one without text. */
export function lineOfCells(cells: readonly string[]): string | null {
  const plain = cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
  const filled = plain.findLastIndex((cell) => cell !== '');
  return filled < 0 ? null : plain.slice(0, filled + 1).join(' | ');
}
