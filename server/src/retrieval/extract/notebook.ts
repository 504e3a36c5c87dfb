// Notebooks of Jupyter: the text and code of the cells and what they printed, under the headings of their texts.
import { asFields, listIn } from '@parley/schema/json';
import { readText } from './encodings/decode.ts';
import { createHeadings } from './headings.ts';
import { Unreadable, type Extract } from './source.ts';

/** The whole file is in memory while it is read. */
const LENGTH_MAX = 64 * 1024 * 1024;
/** Of what one cell printed. */
const OUTPUT_LENGTH = 10_000;

export const extractNotebook: Extract = async (path, sink) => {
  const notebook: unknown = JSON.parse(await readWhole(path));
  const { cells } = asFields(notebook);
  // Version 3 has its cells in worksheets; nobody has written it since 2015.
  if (!Array.isArray(cells)) throw new Unreadable('damaged');
  const headings = createHeadings();
  for (const cell of listIn(cells)) {
    const { cell_type: type, source, outputs } = asFields(cell);
    const text = textOf(source);
    if (type === 'markdown') for (const [level, title] of headingsIn(text)) headings.enter(level, title);
    const printed = listIn(outputs)
      .map(outputOf)
      .filter((one) => one !== '');
    const shown = printed.length > 0 ? `${text}\n\nOutput:\n${printed.join('\n')}` : text;
    sink.write({ page: null, heading: headings.path(), text: shown });
  }
  return null;
};

async function readWhole(path: string): Promise<string> {
  let text = '';
  for await (const piece of readText(path)) {
    text += piece;
    if (text.length > LENGTH_MAX) throw new Unreadable('too_large');
  }
  return text;
}

function headingsIn(text: string): [level: number, title: string][] {
  return text.split('\n').flatMap((line): [number, string][] => {
    const [, hashes, title] = /^(#{1,6}) +(\S.*)$/.exec(line) ?? [];
    return hashes !== undefined && title !== undefined ? [[hashes.length, title]] : [];
  });
}

/** What was printed, or the plain text of a result; images are left out. */
function outputOf(output: unknown): string {
  const { text, data, traceback } = asFields(output);
  const shown = textOf(text) || textOf(asFields(data)['text/plain']) || textOf(traceback);
  return withoutColours(shown).slice(0, OUTPUT_LENGTH);
}

/** Tracebacks are coloured for terminals. */
function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001b\[[\d;]{0,20}m/g, '');
}

/** Texts are lists of lines, or one text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').join('') : '';
}
