// Converts chats of Open WebUI's export. A picture that stands in it is kept as a file, and of other files their text.
import { TEXT_MAX } from '@parley/schema/chat/ask';
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import {
  OpenWebUiFile,
  OpenWebUiMessage,
  OpenWebUiSource,
  type OpenWebUiConvo,
  OpenWebUiCodeOutput,
} from '@parley/schema/transfer/open-webui';
import type { Slices } from '../../platform/event-loop.ts';
import type { SourceConvo, SourceMessage } from '../source.ts';
import type { KeepPicture } from '../stored-links.ts';
import { countLeftOut, type LeftOutCount } from './left-out.ts';
import { countedFields, namedFile, plainMessage, settingsWith, textBelow } from './plain-message.ts';
import { webLinks, type WebPage } from './web-links.ts';
import { parseJson } from '@parley/schema/json';

const OPENING = '<details type="';

const CLOSING = '</details>';

const SUMMARY_END = '</summary>';

const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#x27;': "'",
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

const ENDPOINT = { endpoint: 'openAI', endpointType: 'openAI' } as const;

/** A picture within a text. */
const WITHIN = /!\[([^\]\n]{0,200})\]\((data:image\/[^)\s]+)\)/g;

/** Tags are named and do not become folders: Open WebUI makes most of them itself, several for a chat. */
export async function readOpenWebUi(
  file: OpenWebUiConvo,
  slices: Slices,
  keepPicture?: KeepPicture,
): Promise<SourceConvo> {
  const { chat } = file;
  const counted = countLeftOut();
  const model = chat.models[0] ?? null;
  const { messages, system } = await readMessages(file, { counted, slices, keepPicture });
  const instructions = [chat.params.system, chat.system, system].find(Boolean) ?? '';
  const settings = settingsWith(instructions, ENDPOINT, model, counted);
  return {
    ...ENDPOINT,
    id: file.id,
    title: file.title ?? chat.title,
    model,
    settings,
    isArchived: file.archived,
    isPinned: file.pinned,
    createdAt: file.created_at,
    updatedAt: file.updated_at,
    messages,
    ...countedFields(counted, [...new Set([...file.meta.tags, ...chat.tags])]),
  };
}

interface Reading {
  counted: LeftOutCount;
  slices: Slices;
  keepPicture: KeepPicture | undefined;
}

/** The tree, or the list of an older chat, whose messages follow each other. A system prompt may be a message. */
async function readMessages(
  { chat }: OpenWebUiConvo,
  reading: Reading,
): Promise<{ messages: SourceMessage[]; system: string }> {
  const tree = Object.entries(chat.history?.messages ?? {});
  const list = tree.length > 0 ? tree : (chat.messages ?? []).map((value, index) => [`${index}`, value] as const);
  const messages: SourceMessage[] = [];
  let system = '';
  for (const [key, value] of list) {
    await reading.slices.spend();
    const { data } = OpenWebUiMessage.safeParse(value);
    if (!data) reading.counted.add('message');
    else if (data.role === 'system') system ||= data.content;
    else {
      const before = messages.at(-1)?.id ?? null;
      const placed = { ...data, id: data.id ?? key, parentId: tree.length > 0 ? data.parentId : before };
      messages.push(await messageOf(placed, reading));
    }
  }
  return { messages, system };
}

async function messageOf(message: OpenWebUiMessage & { id: string }, reading: Reading): Promise<SourceMessage> {
  const isCreatedByUser = message.role === 'user';
  const rating = message.annotation?.rating;
  return {
    ...plainMessage({
      ...ENDPOINT,
      id: message.id,
      parentId: message.parentId ?? null,
      isCreatedByUser,
      sender: isCreatedByUser ? 'User' : (message.modelName ?? message.model ?? 'AI'),
      model: message.model,
      parts: await partsOf(message, reading),
      at: message.timestamp,
      unfinished: message.done === false,
      error: message.error?.content ?? '',
    }),
    ...(!isCreatedByUser && (rating === 1 || rating === -1) && { rating }),
  };
}

async function partsOf(message: OpenWebUiMessage, { counted, keepPicture }: Reading): Promise<MessagePart[]> {
  const { content, files, role } = message;
  const kept: MessagePart[] = [];
  const text = await withoutPictures(content, async (address, name) => {
    const picture = await keepPicture?.(address, name);
    if (picture) kept.push(picture);
    return picture !== undefined;
  });
  const said: MessagePart[] = role === 'user' ? [{ type: 'text', text }] : partsOfSections(text);
  const parts = [...said.filter((part) => part.type !== 'text' || part.text.trim() !== ''), ...kept];
  for (const value of files) {
    const { data: file } = OpenWebUiFile.safeParse(value);
    if (!file) continue;
    const picture = file.isImage ? await keepPicture?.(file.url, file.name) : undefined;
    const isLong = file.content.length > TEXT_MAX / 4;
    if (isLong) counted.add('file text');
    const marked = namedFile(file.name, isLong || file.isImage ? '' : file.content, file.isImage ? 'image' : 'file');
    parts.push(picture ?? textBelow(parts, marked));
  }
  const pages = message.sources.flatMap(pagesOf);
  if (pages.length > 0) parts.push({ type: 'text', text: `\n\n${webLinks(pages)}` });
  return parts;
}

function pagesOf(value: unknown): WebPage[] {
  const { data } = OpenWebUiSource.safeParse(value);
  const own = data?.source?.url ? [{ url: data.source.url, title: data.source.name }] : [];
  const named = (data?.metadata ?? []).flatMap(({ source, title }) => (source ? [{ url: source, title }] : []));
  return named.length > 0 ? named : own;
}

/** The text without the pictures that were taken, of which the others leave their names. */
async function withoutPictures(
  content: string,
  take: (address: string, name: string | null) => Promise<boolean>,
): Promise<string> {
  if (!content.includes('](data:image/')) return content;
  let text = '';
  let from = 0;
  for (const match of content.matchAll(WITHIN)) {
    const [whole, name = '', address = ''] = match;
    text += content.slice(from, match.index);
    from = match.index + whole.length;
    if (!(await take(address, name || null))) text += namedFile(name || null, '', 'image');
  }
  return text + content.slice(from);
}

// Open WebUI keeps the reasoning and the calls of an answer as folded sections of HTML within its text: a call in the
// attributes of `<details type="tool_calls" …>`, escaped (serialize_output in its utils/middleware.py).
type Attributes = ReadonlyMap<string, string>;

/** By searching on from place to place: a pattern would search again from every opening that is never closed. */
function partsOfSections(content: string): MessagePart[] {
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

function unescaped(text: string): string {
  return text.replaceAll(/&(?:quot|#x27|#39|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
