// What a prompt leaves open: `{{topic}}`, `{{tone|choice:formal,friendly=formal}}`, `{{today}}`. Read in one pass, without
// patterns that repeat; what is no placeholder stays as it is written.

export type FieldKind = 'text' | 'long' | 'choice' | 'date' | 'number' | 'yesno';

export interface Field {
  name: string;
  kind: FieldKind;
  /** Of a `choice`. */
  choices: string[];
  /** What the form begins with. */
  initial: string;
  isRequired: boolean;
}

/** What is known without asking. */
export type Known = 'today' | 'now' | 'me' | 'language' | 'clipboard';

export type Piece = { type: 'text'; text: string } | { type: 'field'; name: string } | { type: 'known'; known: Known };

export interface Template {
  pieces: Piece[];
  /** Each name once, in the order of the text. */
  fields: Field[];
  /** Which of what is known the text names. */
  known: Set<Known>;
}

/** A longer one is no placeholder. */
const PLACEHOLDER_MAX = 500;
const NAME_MAX = 60;
const KINDS: readonly FieldKind[] = ['text', 'long', 'choice', 'date', 'number', 'yesno'];
/** Also the names that other programs have for them. */
const KNOWN: Readonly<Record<string, Known>> = {
  today: 'today',
  now: 'now',
  me: 'me',
  language: 'language',
  clipboard: 'clipboard',
  current_date: 'today',
  current_datetime: 'now',
  current_user: 'me',
  user_name: 'me',
  user_language: 'language',
};

/** Reads a text with placeholders. */
export function parseTemplate(body: string): Template {
  const pieces: Piece[] = [];
  const fields = new Map<string, Field>();
  const known = new Set<Known>();
  let rest = 0;
  for (let close = body.indexOf('}}'); close >= 0; close = body.indexOf('}}', Math.max(close + 1, rest))) {
    const from = Math.max(rest, close - PLACEHOLDER_MAX);
    const within = body.slice(from, close).lastIndexOf('{{');
    const piece = within < 0 ? null : readPlaceholder(body.slice(from + within + 2, close), fields);
    if (!piece) continue;
    const open = from + within;
    if (open > rest) pieces.push({ type: 'text', text: body.slice(rest, open) });
    pieces.push(piece);
    if (piece.type === 'known') known.add(piece.known);
    rest = close + 2;
  }
  if (rest < body.length) pieces.push({ type: 'text', text: body.slice(rest) });
  return { pieces, fields: [...fields.values()], known };
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

/** Null for what is none. The first mention of a field says what it is. */
function readPlaceholder(inner: string, fields: Map<string, Field>): Piece | null {
  const field = readField(inner);
  if (!field) return null;
  const known = inner.includes('|') ? undefined : KNOWN[field.name.toLowerCase()];
  if (known) return { type: 'known', known };
  if (!fields.has(field.name)) fields.set(field.name, field);
  return { type: 'field', name: field.name };
}

/** `name!|kind:a,b=initial`, `name:a|b` as LibreChat has it, `name | select:options=["a","b"]:required` as Open WebUI has it. */
function readField(inner: string): Field | null {
  const bar = inner.indexOf('|');
  const colon = inner.indexOf(':');
  const isListed = colon >= 0 && (bar < 0 || colon < bar);
  const [head = '', tail] = isListed ? splitAt(inner, colon) : bar >= 0 ? splitAt(inner, bar) : [inner, undefined];
  const [declared = '', initial = ''] = tail === undefined ? splitAt(head, head.indexOf('=')) : [head];
  const isRequired = declared.trim().endsWith('!');
  const name = declared.trim().replace(/!$/, '').trim();
  if (!isName(name)) return null;
  const plain: Field = { name, kind: 'text', choices: [], initial: initial.trim(), isRequired };
  if (tail === undefined) return plain;
  if (isListed) return { ...plain, ...choice(tail.split('|')) };
  return readKind(plain, tail.trim());
}

function readKind(plain: Field, tail: string): Field | null {
  if (tail === '') return null;
  const [word = '', options = ''] = splitAt(tail, tail.search(/[:=!]/), true);
  const kind = KINDS.find((one) => one === word.trim());
  if (!kind) return readForeign(plain, word.trim(), options);
  const isRequired = plain.isRequired || options.startsWith('!');
  const listed = options.replace(/^!/, '');
  const [given = '', initial = ''] = splitAt(listed, listed.indexOf('='));
  if (kind !== 'choice') return { ...plain, kind, initial: initial.trim(), isRequired };
  const choices = choice(given.replace(/^:/, '').split(','));
  return { ...plain, ...choices, initial: initial.trim() || choices.initial, isRequired };
}

/** Open WebUI's kinds. */
const FOREIGN: Readonly<Record<string, FieldKind>> = {
  textarea: 'long',
  select: 'choice',
  date: 'date',
  number: 'number',
  range: 'number',
  checkbox: 'yesno',
  text: 'text',
};

function readForeign(plain: Field, word: string, options: string): Field | null {
  const kind = FOREIGN[word];
  if (!kind) return null;
  const isRequired = options.endsWith(':required');
  const from = options.indexOf('options=[');
  const to = options.indexOf(']', from);
  const listed = kind === 'choice' && from >= 0 && to >= 0 ? options.slice(from + 'options=['.length, to) : '';
  const choices = listed === '' ? { choices: [] } : choice(listed.split(',').map((one) => one.replaceAll('"', '')));
  return { ...plain, kind: kind === 'choice' && listed === '' ? 'text' : kind, ...choices, isRequired };
}

function choice(listed: string[]) {
  const choices = listed.map((one) => one.trim()).filter((one) => one !== '');
  return { kind: 'choice' as const, choices, initial: choices[0] ?? '' };
}

/** A word or some, of any script; not code. */
function isName(name: string): boolean {
  return name !== '' && name.length <= NAME_MAX && /^[\p{L}\p{N}_ '’.?-]+$/u.test(name);
}

/** At nothing, where the place is not in it. `isKept`: the second part begins with what it is split at. */
function splitAt(text: string, at: number, isKept = false): [string, string | undefined] {
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + (isKept ? 0 : 1))];
}
