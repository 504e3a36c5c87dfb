// Server-sent events that the official clients do not read as their servers mean them: keep-alives, and errors without
// the protocol's shape.

/** Any of them may be there; the others cost this one search. */
const UNUSUAL =
  /^(?::|data:[ \t]*\r?$|error:|(?:event|id|retry):[^\n]*\r?\n\r?$|event:[ \t]*(?:error|ping|heartbeat|keep-?_?alive)\b)/im;
const BETWEEN_EVENTS = /(?<=\n\n|\n\r\n|\r\r)/;
const IDLE_NAMES = /^(?:ping|heartbeat|keep[-_]?alive)$/i;

/**
 * Whole events without those that have no data, such as comments and pings, which the clients take for broken JSON. An
 * error that is no JSON, or stands in a field of its own, becomes an event with the protocol's `error`.
 */
export function withoutIdleEvents(events: Uint8Array): Uint8Array {
  // Each byte is one character, so that what is not changed stays as it is, also half a letter.
  const text = Buffer.from(events.buffer, events.byteOffset, events.byteLength).toString('latin1');
  if (!UNUSUAL.test(text)) return events;
  return Buffer.from(text.split(BETWEEN_EVENTS).map(readable).join(''), 'latin1');
}

function readable(event: string): string {
  const lines = event.split(/\r\n|\n|\r/);
  const fields = lines.map(fieldOf).filter(({ name }) => name !== '');
  const valueOf = (wanted: string) =>
    fields
      .filter(({ name }) => name === wanted)
      .map(({ value }) => value)
      .join('\n');
  const [name, data, error] = [valueOf('event').trim(), valueOf('data').trim(), valueOf('error').trim()];
  if (data === '' && error !== '') return errorEvent(error);
  // What is no event, such as a page, is left to the clients.
  if (data === '') return fields.some((field) => !FIELDS.has(field.name)) ? event : '';
  const isJson = /^[[{"]|^null$/.test(data);
  if (isJson) return event;
  if (IDLE_NAMES.test(name)) return '';
  return name.toLowerCase() === 'error' ? errorEvent(data) : event;
}

const FIELDS = new Set(['event', 'data', 'id', 'retry', 'error', 'comment']);

/** A comment begins with a colon. */
function fieldOf(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  if (colon < 0) return { name: line, value: '' };
  return { name: colon === 0 ? 'comment' : line.slice(0, colon), value: line.slice(colon + 1) };
}

function errorEvent(said: string): string {
  const isObject = said.startsWith('{');
  return `data: {"error":${isObject ? said : JSON.stringify({ message: said })}}\n\n`;
}

/** Whether whole events hold the mark at the end of a stream. */
export function hasEndMark(events: Uint8Array): boolean {
  const bytes = Buffer.from(events.buffer, events.byteOffset, events.byteLength);
  return bytes.includes('[DONE]') && /^data:[ \t]*\[DONE\]/m.test(bytes.toString('latin1'));
}
