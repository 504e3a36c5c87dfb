// What the packages of Word, Excel and PowerPoint have in common: parts that name each other by relationships.
import { readXml } from '../xml.ts';
import type { Zip } from '../../../platform/zip/read-zip.ts';

export interface Relation {
  /** The last word of its type's address: 'worksheet', 'slide', 'notesSlide', … */
  type: string;
  /** The name of the part in the archive. */
  target: string;
}

/** The relations of a part by their ids; none when it has none. */
export async function readRelations(zip: Zip, part: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  await readRelationships(zip, part, ({ Id: id, Type: type = '', Target: target = '', TargetMode: mode }) => {
    if (id === undefined || mode === 'External') return;
    const name = resolveName(folderOf(part), target);
    relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: name });
  });
  return relations;
}

async function readRelationships(
  zip: Zip,
  part: string,
  handle: (attributes: Readonly<Record<string, string>>) => void,
): Promise<void> {
  const folder = folderOf(part);
  const name = `${folder}_rels/${part.slice(folder.length)}.rels`;
  if (!zip.has(name)) return;
  await readXml(zip, name, {
    open(tag, attributes) {
      if (tag === 'Relationship') handle(attributes);
    },
  });
}

function folderOf(part: string): string {
  return part.slice(0, part.lastIndexOf('/') + 1);
}

/** The parts of a kind that are there, in the order of the relations. */
export function relatedParts(zip: Zip, relations: ReadonlyMap<string, Relation>, kind: string): string[] {
  return [...relations.values()]
    .filter(({ type, target }) => type === kind && zip.has(target))
    .map(({ target }) => target);
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

/** The addresses outside the package that a part links to, by the ids of its relations. */
export async function readLinks(zip: Zip, part: string): Promise<Map<string, string>> {
  const links = new Map<string, string>();
  await readRelationships(zip, part, ({ Id: id, Type: type = '', Target: target = '', TargetMode: mode }) => {
    if (id !== undefined && mode === 'External' && type.endsWith('/hyperlink')) links.set(id, target);
  });
  return links;
}

/** The value of an attribute, whatever its prefix. */
export function readAttribute(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === name || key.endsWith(`:${name}`)) return value;
  }
  return undefined;
}

/** Whether an element that switches something on, such as `<w:vanish/>`, does so. */
export function isOn(value: string | undefined): boolean {
  return value === undefined || !/^(0|false|off|none)$/.test(value);
}
