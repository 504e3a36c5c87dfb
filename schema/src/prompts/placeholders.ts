// What a prompt leaves open: `{{topic}}`, `{{tone|choice:formal,friendly=formal}}`, `{{today}}`. Read in one pass, without
// patterns that repeat. What is no placeholder stays as it is written, and so does all that is code (`code-parts.ts`).
import { isCodeBrace, skipCode } from './code-parts.ts';
import { readField, type Field } from './read-field.ts';

/** What is known without asking. */
export type Known =
  | 'today'
  | 'now'
  | 'time'
  | 'weekday'
  | 'timezone'
  | 'iso'
  | 'me'
  | 'email'
  | 'language'
  | 'clipboard';

export type Piece = { type: 'text'; text: string } | { type: 'field'; name: string } | { type: 'known'; known: Known };

export interface Template {
  pieces: Piece[];
  /** Each name once, in the order of the text. */
  fields: Field[];
  /** Which of what is known the text names. */
  known: Set<Known>;
}

/** In characters. A longer one is no placeholder. */
const PLACEHOLDER_MAX = 2000;
/** Also the names that other programs have for them. */
const KNOWN: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['today', 'today'],
  ['now', 'now'],
  ['me', 'me'],
  ['language', 'language'],
  ['clipboard', 'clipboard'],
  ['current_date', 'today'],
  ['current_datetime', 'now'],
  ['current_time', 'time'],
  ['current_weekday', 'weekday'],
  ['current_timezone', 'timezone'],
  ['iso_datetime', 'iso'],
  ['current_user', 'me'],
  ['user_name', 'me'],
  ['user_email', 'email'],
  ['user_language', 'language'],
]);

/** Reads a text with placeholders. `\{{` is a literal `{{`, and `\\{{` a backslash before a placeholder. */
export function parseTemplate(body: string): Template {
  const pieces: Piece[] = [];
  const fields = new Map<string, Field>();
  const known = new Set<Known>();
  /** Where the text begins that is in no piece yet. */
  let rest = 0;
  let at = 0;
  while (at < body.length) {
    const code = skipCode(body, at);
    const escaped = code > at ? null : escapedBraces(body, at);
    const end = code > at || escaped ? at : placeholderEnd(body, at);
    const piece = end > at ? readPlaceholder(body.slice(at + 2, end - 2), fields) : null;
    if (escaped) {
      pushText(body.slice(rest, at) + escaped.text);
      at = rest = escaped.end;
    } else if (piece) {
      pushText(body.slice(rest, at));
      pieces.push(piece);
      if (piece.type === 'known') known.add(piece.known);
      at = rest = end;
    } else at = Math.max(code, at + 1);
  }
  pushText(body.slice(rest));
  return { pieces, fields: [...fields.values()], known };

  function pushText(text: string): void {
    const last = pieces.at(-1);
    if (last?.type === 'text') last.text += text;
    else if (text !== '') pieces.push({ type: 'text', text });
  }
}

/** The text with its values. They are never read for placeholders themselves. */
export function fillTemplate(
  { pieces }: Pick<Template, 'pieces'>,
  values: ReadonlyMap<string, string>,
  known: Readonly<Partial<Record<Known, string>>>,
): string {
  return pieces
    .map((piece) => {
      if (piece.type === 'text') return piece.text;
      return piece.type === 'field' ? (values.get(piece.name) ?? '') : (known[piece.known] ?? '');
    })
    .join('');
}

/** Of two backslashes before braces one stays; the last of an odd number takes their meaning from the braces. */
function escapedBraces(body: string, at: number): { text: string; end: number } | null {
  if (body[at] !== '\\') return null;
  let braces = at;
  while (body[braces] === '\\') braces++;
  if (!body.startsWith('{{', braces)) return null;
  const count = braces - at;
  const text = '\\'.repeat(Math.floor(count / 2));
  return count % 2 === 0 ? { text, end: braces } : { text: `${text}{{`, end: braces + 2 };
}

/** Behind the braces that close those at `at`; `at` where none do, or where these stand in code. */
function placeholderEnd(body: string, at: number): number {
  if (!body.startsWith('{{', at)) return at;
  const inner = body.slice(at + 2, at + 2 + PLACEHOLDER_MAX);
  const close = inner.indexOf('}}');
  const isNested = close >= 0 && inner.slice(0, close).includes('{{');
  return close < 0 || isNested || isCodeBrace(body, at) ? at : at + 2 + close + 2;
}

/** Null for what is none. The first mention of a field says what it is. */
function readPlaceholder(inner: string, fields: Map<string, Field>): Piece | null {
  const field = readField(inner);
  if (!field) return null;
  const known = inner.includes('|') ? undefined : KNOWN.get(field.name.toLowerCase());
  if (known) return { type: 'known', known };
  if (!fields.has(field.name)) fields.set(field.name, field);
  return { type: 'field', name: field.name };
}
