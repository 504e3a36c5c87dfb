// Open WebUI keeps the reasoning and the calls of an answer as folded sections of HTML within its text: a call in the
// attributes of `<details type="tool_calls" …>`, escaped (serialize_output in its utils/middleware.py).
import { parseJson } from '@parley/schema/json';
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import { OpenWebUiCodeOutput } from '@parley/schema/transfer/open-webui';

const OPENING = '<details type="';
const CLOSING = '</details>';
const SUMMARY_END = '</summary>';

type Attributes = ReadonlyMap<string, string>;

/** By searching on from place to place: a pattern would search again from every opening that is never closed. */
export function partsOfSections(content: string): MessagePart[] {
  const parts: MessagePart[] = [];
  let text = '';
  let from = 0;
  for (;;) {
    const start = content.indexOf(OPENING, from);
    const head = start < 0 ? -1 : content.indexOf('>', start);
    const end = head < 0 ? -1 : content.indexOf(CLOSING, head);
    if (end < 0) {
      addText(text + content.slice(from));
      return parts;
    }
    const part = partOf(attributesOf(content.slice(start, head)), bodyOf(content.slice(head + 1, end)));
    text += content.slice(from, part ? start : start + OPENING.length);
    from = start + OPENING.length;
    if (!part) continue;
    addText(text);
    text = '';
    parts.push(part);
    from = end + CLOSING.length;
    while (/\s/.test(content.charAt(from))) from += 1;
  }

  function addText(added: string): void {
    if (added.trim() !== '') parts.push({ type: 'text', text: added });
  }
}

/** Null for a section that is text like any other. */
function partOf(attributes: Attributes, body: string): MessagePart | null {
  switch (attributes.get('type')) {
    case 'reasoning':
      return { type: 'reasoning', text: unescaped(body).replaceAll(/^> ?/gm, '') };
    case 'tool_calls':
      return { type: 'tool_call', call: callOf(attributes, body) };
    case 'code_interpreter':
      return { type: 'tool_call', call: codeOf(attributes, body) };
    default:
      return null;
  }
}

function callOf(attributes: Attributes, body: string): ToolCall {
  const result = attributes.get('result');
  return {
    id: attributes.get('id') ?? '',
    kind: 'function',
    name: attributes.get('name') ?? 'tool',
    input: withoutJson(attributes.get('arguments') ?? ''),
    // In the newest exports the result is the body.
    output: (result === undefined ? unescaped(body) : withoutJson(result)) || null,
    progress: 1,
  };
}

function codeOf(attributes: Attributes, body: string): ToolCall {
  const { data } = OpenWebUiCodeOutput.safeParse(parseJson(attributes.get('output') ?? ''));
  const output = data ? [data.stdout, data.stderr, data.result].filter(Boolean).join('\n') : '';
  const input = body.replace(/^```\w*\n/, '').replace(/\n```$/, '');
  return { id: '', kind: 'code_interpreter', name: 'code_interpreter', input, output: output || null, progress: 1 };
}

function attributesOf(head: string): Attributes {
  return new Map(
    Array.from(head.matchAll(/([\w-]{1,40})="([^"]*)"/g), ([, name = '', value = '']) => [name, unescaped(value)]),
  );
}

/** What stands in a section after its summary. */
function bodyOf(section: string): string {
  const summary = section.indexOf(SUMMARY_END);
  return (summary < 0 ? section : section.slice(summary + SUMMARY_END.length)).trim();
}

/** The arguments are often JSON within a string of JSON. */
function withoutJson(text: string): string {
  const value = parseJson(text);
  return typeof value === 'string' ? value : text;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#x27;': "'",
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

function unescaped(text: string): string {
  return text.replaceAll(/&(?:quot|#x27|#39|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
