// What programs embed in OpenDocument files: formulas, charts and sheets, each a package of its own in the file.
import type { Zip } from '../../../platform/zip/read-zip.ts';
import { Unreadable } from '../source.ts';
import { createTables } from '../writers/document-writer.ts';
import { readXml, type XmlReader } from '../xml.ts';
import { CONTENT } from './package.ts';
import { createTextReader, TABLE } from './text-reader.ts';

const OBJECTS_MAX = 2000;
/** A chart has the values of its sheet, which may be many. */
const OBJECT_LENGTH = 4000;

/** Which texts the embedded objects show, by the addresses that `draw:object` has. Formulas are as StarMath writes them. */
export async function readObjects(zip: Zip): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const parts = zip.names().filter((name) => name.endsWith(`/${CONTENT}`));
  for (const part of parts.slice(0, OBJECTS_MAX)) {
    const text = await readObject(zip, part);
    if (text !== '') texts.set(part.slice(0, -CONTENT.length - 1), text.slice(0, OBJECT_LENGTH));
  }
  return texts;
}

async function readObject(zip: Zip, part: string): Promise<string> {
  const lines: string[] = [];
  /** The symbols of a formula, and the formula as a person has written it. */
  const formula = { symbols: '', written: '' };
  let isFormula = false;
  let isWritten = false;
  const tables = createTables({ table: (rows) => void lines.push(...rows) }, TABLE);
  const reader = createTextReader(({ text }) => void (tables.add(`${text}\n`) || lines.push(text.trim())), tables);
  const both: XmlReader = {
    open(tag, attributes) {
      if (tag === 'math') isFormula = true;
      // The tag of comments has this name too.
      else if (isFormula && tag === 'annotation') isWritten = true;
      if (!isFormula) reader.open?.(tag, attributes);
    },
    close(tag) {
      if (!isFormula) reader.close?.(tag);
      else if (tag === 'annotation') isWritten = false;
    },
    text(more) {
      if (!isFormula) reader.text?.(more);
      else formula[isWritten ? 'written' : 'symbols'] += more;
    },
  };
  try {
    await readXml(zip, part, both);
  } catch (error) {
    // The text around it can be read all the same.
    if (!(error instanceof Unreadable)) throw error;
  }
  if (isFormula) return (formula.written || formula.symbols).replace(/\s+/g, ' ').trim();
  return lines.join('\n');
}
