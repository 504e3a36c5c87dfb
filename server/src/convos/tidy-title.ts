// Finds the title in what a model wrote when it was asked for one.
import { cleanText } from '@parley/schema/clean-text';
import { TITLE_MAX } from '@parley/schema/convos/convos';
import { parseJson } from '@parley/schema/json';
import { TAG_START } from '../providers/compatible/thought-tags.ts';
import { createThoughtReader } from '../providers/compatible/thoughts.ts';

/** Limits how much of a model's output is read, in characters: some think aloud before the title. */
export const READ_MAX = 16_000;
/** How much is looked at once its thoughts are gone: far more than a title and the text around it. */
const OUTPUT_MAX = 4 * TITLE_MAX;

/**
 * Finds the title in a model's output, without thoughts, quotes, labels and the JSON or the element that it stands in;
 * empty when it is no title. Linear time.
 */
export function tidyTitle(text: string): string {
  const said = cleanText(withoutThoughts(text).slice(0, OUTPUT_MAX)).trim();
  const line = withoutMarks(titleLine(fieldIn(said) ?? said))
    .replace(LABEL, '')
    .replace(/^["'“”«»„「『*#\s]+/, '');
  let end = line.length;
  // A regular expression anchored at the end would rescan from every character of a run: quadratic.
  while (end > 0 && MARKS_AT_END.test(line[end - 1] ?? '')) end -= 1;
  const title = line.slice(0, end);
  return title.length > TITLE_MAX || /^[<{[]/.test(title) ? '' : title;
}

function withoutThoughts(text: string): string {
  let said = text.slice(0, READ_MAX);
  if (said.search(TAG_START) < 0) return said;
  const reader = createThoughtReader();
  const spoken = [...reader.read(said), ...reader.flush()];
  said = '';
  for (const { type, text: piece } of spoken)
    if (type !== 'reasoning') said = type === 'rewrite' ? piece : said + piece;
  return said;
}

const TITLE_FIELD = /"(?:title|name|topic)"\s*:\s*("(?:[^"\\]|\\.)*")/i;

/** Models that are used to JSON answer with an object, also in a fence or after a word. */
function fieldIn(said: string): string | undefined {
  const [, value] = (said.includes('{') && TITLE_FIELD.exec(said)) || [];
  const title = value === undefined ? undefined : parseJson(value);
  if (typeof title === 'string') return title;
  return /^<title>([^<]*)<\/title>/i.exec(said)?.[1];
}

/** The first line; the next one after a fence, or after a line that only leads to it. */
function titleLine(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  const [first = '', ...rest] = lines.filter((line) => line !== '' && !line.startsWith('```'));
  const isLead = /[:：]["'*_\s]*$/.test(first) && first.length < LEAD_MAX;
  return (isLead ? rest[0] : undefined) ?? first;
}

/** Limits the longest line that leads to a title, in characters. */
const LEAD_MAX = 120;
const LABEL =
  /^[#\s]*(?:(?:conversation|chat|suggested) )?(?:title|titel|titre|t[íi]tulo|titolo|tytuł|название|заголовок|标题|標題|タイトル|제목)\s*[:：]\s*/i;

/**
 * Without the marks of Markdown that stand in pairs; what they mark stays, also a power such as 2**8 and a name such as
 * `__init__`. Each pattern ends at the next mark of its kind, so none reads a line twice.
 */
function withoutMarks(line: string): string {
  return line
    .replaceAll(/!?\[([^[\]]+)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/`([^`]+)`/g, '$1')
    .replaceAll(/~~([^~]+)~~/g, '$1')
    .replaceAll(/(?<![\w*])\*\*(?=\S)([^*]+)(?<=\S)\*\*(?!\w)/g, '$1')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*]+)(?<=\S)\*(?![\w*])/g, '$1')
    .replaceAll(/(?<!\w)__(?=\S)(?![a-z0-9]+__)([^_]+)(?<=\S)__(?!\w)/g, '$1')
    .replaceAll(/(?<!\w)_(?=[^\s_])([^_]+)(?<=\S)_(?!\w)/g, '$1');
}

const MARKS_AT_END = /["'“”«»*.\s]/;
