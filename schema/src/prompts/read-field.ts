// What stands between the braces of a field: Parley's own way to write it, LibreChat's and Open WebUI's.
import { parseJson } from '../json.ts';

export type FieldKind = 'text' | 'long' | 'choice' | 'date' | 'number' | 'yesno' | InputKind;

/** Those that browsers have an input for, by the input's type. */
export type InputKind = 'time' | 'datetime-local' | 'month' | 'color' | 'email' | 'tel' | 'url';

export interface Field {
  name: string;
  kind: FieldKind;
  /** Of a `choice`. */
  choices: string[];
  /** What the form begins with. Of a `yesno`: `true`, `false`, or a word for them. */
  initial: string;
  isRequired: boolean;
  /** An example that is shown while the field is empty. */
  placeholder?: string;
  /** What the field is called where it is not its name. */
  label?: string;
  /** Of a `number`. */
  min?: number;
  max?: number;
  step?: number;
}

const NAME_MAX = 60;
const BOUNDS = ['min', 'max', 'step'] as const;
/** By their words: Parley's own, and Open WebUI's types, https://docs.openwebui.com/features/ai-knowledge/prompts. */
const KINDS: ReadonlyMap<string, FieldKind> = new Map<string, FieldKind>([
  ['text', 'text'],
  ['long', 'long'],
  ['textarea', 'long'],
  ['choice', 'choice'],
  ['select', 'choice'],
  ['number', 'number'],
  ['range', 'number'],
  ['yesno', 'yesno'],
  ['checkbox', 'yesno'],
  ['date', 'date'],
  ['datetime-local', 'datetime-local'],
  ['month', 'month'],
  ['time', 'time'],
  ['color', 'color'],
  ['email', 'email'],
  ['tel', 'tel'],
  ['url', 'url'],
  // Places are named or written as coordinates here.
  ['map', 'text'],
]);

/**
 * Reads `name!|kind:a,b=initial`, `name:a|b` as LibreChat has it, and `name | select:options=["a","b"]:required` as Open
 * WebUI has it. Null for what is no field.
 */
export function readField(inner: string): Field | null {
  const bar = inner.indexOf('|');
  const colon = inner.indexOf(':');
  if (colon >= 0 && (bar < 0 || colon < bar)) return readListed(inner.slice(0, colon), inner.slice(colon + 1));
  if (bar >= 0) {
    const plain = plainField(inner.slice(0, bar));
    return plain && readKind(plain, inner.slice(bar + 1).trim());
  }
  const [declared, initial = ''] = splitAt(inner, inner.indexOf('='));
  const plain = plainField(declared);
  // What compares is code.
  return plain && !initial.startsWith('=') ? { ...plain, initial: initial.trim() } : null;
}

function plainField(declared: string): Field | null {
  const trimmed = declared.trim();
  const isRequired = trimmed.endsWith('!');
  const name = isRequired ? trimmed.slice(0, -1).trim() : trimmed;
  return isName(name) ? { name, kind: 'text', choices: [], initial: '', isRequired } : null;
}

/** Two choices at least: `{{color: red}}` is an object of a program. */
function readListed(declared: string, listed: string): Field | null {
  const plain = plainField(declared);
  const choices = listed.split('|').map((one) => one.trim());
  const isCode = choices.length < 2 || choices.some((one) => one === '' || /^["'`{[]|[{}"'`]$/.test(one));
  return plain && !isCode ? { ...plain, kind: 'choice', choices, initial: choices[0] ?? '' } : null;
}

function readKind(plain: Field, tail: string): Field | null {
  const [word, options = ''] = splitAt(tail, tail.search(/[:=!]/), true);
  const kind = KINDS.get(word.trim());
  if (!kind) return null;
  if (options.startsWith(':') && word.trim() !== 'choice') return readProperties(plain, kind, options);
  const isRequired = plain.isRequired || options.startsWith('!');
  const listed = options.replace(/^!/, '');
  const [given, initial = ''] = splitAt(listed, listed.indexOf('='));
  const named = { ...plain, kind, initial: initial.trim(), isRequired };
  return kind === 'choice' ? withChoices(named, given.replace(/^:/, '').split(',')) : named;
}

/** The first one is chosen where none is named. */
function withChoices(field: Field, listed: readonly string[]): Field {
  const choices = [...new Set(listed.map((one) => one.trim()).filter((one) => one !== ''))];
  if (choices.length === 0) return { ...field, kind: 'text' };
  return { ...field, choices, initial: choices.includes(field.initial) ? field.initial : (choices[0] ?? '') };
}

/** Null where a property is none: a filter of a template, such as `date:'short'`, is code. */
function readProperties(plain: Field, kind: FieldKind, written: string): Field | null {
  const properties = propertiesOf(written);
  if (!properties) return null;
  const isRequired = plain.isRequired || isOn(properties.get('required'));
  const field: Field = { ...plain, kind, isRequired, initial: textOf(properties.get('default') ?? '') };
  const placeholder = textOf(properties.get('placeholder') ?? '');
  if (placeholder !== '') field.placeholder = placeholder;
  const label = textOf(properties.get('label') ?? '');
  if (label !== '') field.label = label;
  for (const bound of kind === 'number' ? BOUNDS : []) {
    const limit = Number(textOf(properties.get(bound) ?? 'none'));
    if (Number.isFinite(limit)) field[bound] = limit;
  }
  return kind === 'choice' ? withOptions(field, properties.get('options') ?? '') : field;
}

/** None is chosen where none is the default. */
function withOptions(field: Field, written: string): Field {
  const listed = splitOutside(written.replace(/^\[/, '').replace(/\]$/, ''), ',').map((one) => textOf(one.trim()));
  const filled = withChoices(field, listed);
  if (filled.kind === 'text') return filled;
  return { ...filled, initial: filled.choices.includes(field.initial) ? field.initial : '' };
}

/** Of `:placeholder="a: b":required`, as they are written; null for what has other parts. */
function propertiesOf(options: string): Map<string, string> | null {
  const properties = new Map<string, string>();
  let valued: string | null = null;
  for (const part of splitOutside(options, ':').slice(1)) {
    const [name, value] = splitAt(part, part.indexOf('='));
    const isNamed = /^[a-z][a-z-]*$/i.test(name.trim());
    // Of a time or an address without quotes, such as `default=12:30`.
    if (!isNamed && valued !== null) properties.set(valued, `${properties.get(valued) ?? ''}:${part.trim()}`);
    else if (isNamed) properties.set(name.trim().toLowerCase(), value?.trim() ?? 'true');
    else return null;
    if (isNamed) valued = value === undefined ? null : name.trim().toLowerCase();
  }
  return properties;
}

function isOn(written: string | undefined): boolean {
  return written !== undefined && textOf(written) !== 'false';
}

/** What is in quotes is written as in JSON. */
function textOf(written: string): string {
  const quote = written[0];
  if (written.length < 2 || (quote !== '"' && quote !== "'") || !written.endsWith(quote)) return written;
  const inner = written.slice(1, -1);
  if (quote === "'") return inner;
  return String(parseJson(written) ?? inner);
}

/** Splits where `sign` stands neither in quotes nor in brackets. */
function splitOutside(text: string, sign: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let quote: string | null = null;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (quote !== null) {
      if (letter === '\\') at++;
      else if (letter === quote) quote = null;
    } else if (letter === '"') quote = letter;
    else if (letter === '[') depth++;
    else if (letter === ']') depth--;
    else if (letter === sign && depth <= 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

/** A word or some, of any script; not code. */
function isName(name: string): boolean {
  return name.length <= NAME_MAX && /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_ '’.?-]*$/u.test(name) && !/\s\.|'$/.test(name);
}

/** At nothing, where the place is not in it. `isKept`: the second part begins with what it is split at. */
function splitAt(text: string, at: number, isKept = false): [string, string | undefined] {
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + (isKept ? 0 : 1))];
}
