// Calendars (.ics, RFC 5545) and address cards (.vcf, RFC 6350 and older): each entry as lines of a name and a value.
import { decodeBytes } from './encodings/decode-bytes.ts';
import { decodeText, knownEncoding } from './encodings/decode.ts';
import { readBytes } from './read-bytes.ts';
import type { Extract } from './source.ts';

/** The whole file is in memory while it is read. */
const BYTES_MAX = 64 * 1024 * 1024;

interface Property {
  name: string;
  /** By their names in capitals; one without a value has the empty name. */
  parameters: ReadonlyMap<string, string>;
  value: string;
}

/** What is for programs: the rules of time zones are, and pictures that stand as letters and figures. */
const SKIPPED = new Set(['VERSION', 'PRODID', 'CALSCALE', 'METHOD', 'UID', 'DTSTAMP', 'SEQUENCE', 'REV', 'TRANSP']);
const TITLES = new Set(['SUMMARY', 'FN']);

export const extractCards: Extract = async (path, sink) => {
  const { text, guessed } = await decodeText(unfolded(await readBytes(path, BYTES_MAX)));
  if (guessed !== null) sink.onGuess?.(guessed);
  let lines: string[] = [];
  let heading: string | null = null;
  let zones = 0;

  function write(): void {
    if (lines.length > 0) sink.write({ page: null, heading, text: lines.join('\n') });
    [lines, heading] = [[], null];
  }

  for (const property of propertiesIn(text)) {
    const { name, value } = property;
    if (value.toUpperCase() === 'VTIMEZONE') zones += name === 'BEGIN' ? 1 : -1;
    if (name === 'BEGIN' || name === 'END') {
      // A reminder belongs to its entry.
      if (value.toUpperCase() !== 'VALARM') write();
      continue;
    }
    if (zones > 0 || SKIPPED.has(name)) continue;
    const told = toldOf(property);
    if (told === '') continue;
    if (TITLES.has(name)) heading ??= told.replace(/\s+/g, ' ');
    lines.push(`${name}: ${told}`);
  }
  write();
  return null;
};

/** Long lines go on behind an end of line and a space, which may even divide the bytes of a character. */
function unfolded(bytes: Uint8Array): Uint8Array {
  const source = Buffer.from(bytes).toString('latin1');
  return Buffer.from(source.replaceAll(/\r?\n[ \t]/g, ''), 'latin1');
}

function* propertiesIn(text: string): Generator<Property> {
  let open = '';
  for (const line of text.split(/\r\n|\r|\n/)) {
    const whole = open + line;
    open = '';
    const property = propertyIn(whole);
    if (!property) continue;
    // Before version 3, a long value goes on behind an equals sign.
    if (isQuotedPrintable(property) && whole.endsWith('=')) open = whole.slice(0, -1);
    else yield property;
  }
}

function propertyIn(line: string): Property | null {
  const ends: number[] = [];
  let isQuoted = false;
  let at = 0;
  for (; at < line.length && (isQuoted || line[at] !== ':'); at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (line[at] === ';' && !isQuoted) ends.push(at);
  }
  if (at === line.length) return null;
  const [name = '', ...rest] = [...ends, at].map((end, n) => line.slice(n === 0 ? 0 : (ends[n - 1] ?? 0) + 1, end));
  const parameters = rest.map((one): [string, string] => {
    const equals = one.indexOf('=');
    return [one.slice(0, Math.max(0, equals)).toUpperCase(), one.slice(equals + 1).replaceAll('"', '')];
  });
  // Entries of a group, such as 'item1.TEL', belong together.
  const own = name.slice(name.lastIndexOf('.') + 1).toUpperCase();
  return { name: own, parameters: new Map(parameters), value: line.slice(at + 1) };
}

function isQuotedPrintable({ parameters }: Property): boolean {
  return /^quoted-printable$/i.test(parameters.get('ENCODING') ?? parameters.get('') ?? '');
}

/** Empty for what no person reads. */
function toldOf(property: Property): string {
  const { parameters, value } = property;
  const isBinary = /^(b|base64)$/i.test(parameters.get('ENCODING') ?? parameters.get('') ?? '');
  if (isBinary || /^data:/i.test(value)) return '';
  const plain = isQuotedPrintable(property) ? fromQuotedPrintable(value, parameters.get('CHARSET')) : value;
  const shown = dateOf(plain) ?? textOf(plain);
  const name = parameters.get('CN');
  const zone = parameters.get('TZID');
  if (name !== undefined && name !== '') return `${name} <${shown.replace(/^mailto:/i, '')}>`;
  return zone === undefined ? shown : `${shown} (${zone})`;
}

function fromQuotedPrintable(value: string, charset = 'utf-8'): string {
  const bytes = value.replaceAll(/=([\dA-F]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return decodeBytes(Buffer.from(bytes, 'latin1'), knownEncoding(charset) ?? 'utf-8');
}

/** '2026-03-05 09:30' for '20260305T093000'; null for what is no date. */
function dateOf(value: string): string | null {
  const [, year, month, day, hour, minute, zone = ''] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value) ?? [];
  if (year === undefined) return null;
  return `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute}${zone === '' ? '' : ' UTC'}`}`;
}

/** Signs that divide values are escaped; the parts of names and addresses are divided by semicolons. */
function textOf(value: string): string {
  const parts: string[] = [''];
  for (let at = 0; at < value.length; at++) {
    const sign = value[at] ?? '';
    if (sign === ';') parts.push('');
    else if (sign !== '\\') parts[parts.length - 1] += sign;
    else parts[parts.length - 1] += /n/i.test(value[++at] ?? '') ? '\n' : (value[at] ?? '');
  }
  const filled = parts.map((part) => part.trim()).filter((part) => part !== '');
  return filled.join('; ');
}
