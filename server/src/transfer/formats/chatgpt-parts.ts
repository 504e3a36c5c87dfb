// Converts one node of a ChatGPT export to message parts. Images and files are those that came in the same ZIP file; of
// all others the name stands in the text.
import { cleanText } from '@parley/schema/clean-text';
import type { Attachment, MessagePart } from '@parley/schema/messages/messages';
import {
  ChatGptAsset,
  ChatGptAttachment,
  type ChatGptContent,
  type ChatGptMessage,
  ChatGptCitation,
  ChatGptReference,
  ChatGptSource,
} from '@parley/schema/transfer/chatgpt';
import type { FindFile } from '../stored-links.ts';
import { webLink, webLinks, type WebPage } from './web-links.ts';

/** Each with the space before it. The bounds keep a hostile text from being searched again from every mark. */
const MARK = /( ?)(\uE200[^\uE200\uE201]{0,2000}\uE201|【[^【】]{1,200}】)/g;

/** Marks without an end, and single characters of marks. */
const REMAINS = /\uE200[a-z_]{1,40}(?:\uE202[\w-]{0,100})*|[\uE200-\uE206]/g;

const NUMBERED = /^【(\d+)(?::\d+)?†/;

/** The tool that runs its input as code. */
const RUNS_CODE = 'python';
/** Maximum length of a code fence; no real code has more backticks in a row. */
const FENCE_CHARS_MAX = 20;

/** Instructions, memories and what ChatGPT does not show as a message either. */
const HIDDEN = new Set(['user_editable_context', 'model_editable_context', 'reasoning_recap']);
const KNOWN = new Set([
  'text',
  'multimodal_text',
  'tether_quote',
  'tether_browsing_display',
  'code',
  'execution_output',
  'thoughts',
  'system_error',
  'sonic_webpage',
  'citable_code_output',
]);

/** Whether content is of a kind that nothing here knows. */
export function isUnknownKind({ content_type: kind }: ChatGptContent): boolean {
  return kind !== null && !KNOWN.has(kind) && !HIDDEN.has(kind);
}

/** Empty for a node without visible content. */
export function partsOfChatGpt(message: ChatGptMessage, stored: FindFile): MessagePart[] {
  const { author, content, recipient } = message;
  const isCall = author.role === 'assistant' && recipient !== null && recipient !== 'all';
  const { text, files } = contentOf(message, stored);
  if (isCall) return text === '' ? [] : [toolCallOf(recipient, text)];
  if (HIDDEN.has(content.content_type ?? '')) return [];
  switch (content.content_type) {
    case 'code':
    case 'execution_output':
      return textPart(text === '' ? '' : fenced(text, content.language));
    case 'thoughts':
      return text === '' ? [] : [{ type: 'reasoning', text }];
    case 'system_error':
      return text === '' ? [] : [{ type: 'error', text }];
    default:
      return [...textPart(text), ...files];
  }
}

/** Adds a tool's output to the last call of the answer; false if there is none. */
export function addOutput(parts: MessagePart[], message: ChatGptMessage, stored: FindFile): boolean {
  const last = parts.findLast((part) => part.type === 'tool_call');
  if (last?.type !== 'tool_call') return false;
  const { call } = last;
  const { text, files } = contentOf(message, stored);
  if (text !== '') call.output = call.output === null ? text : `${call.output}\n${text}`;
  if (files.length > 0) call.outputs = [...(call.outputs ?? []), ...files];
  return true;
}

/** The images of a tool that nobody has called in words, as ChatGPT shows them. */
export function chatGptToolImages(message: ChatGptMessage, stored: FindFile): MessagePart[] {
  const parts = message.content.parts.filter((part) => typeof part !== 'string');
  const { text, files } = contentOf({ ...message, content: { ...message.content, parts, text: '' } }, stored);
  return [...textPart(text), ...files];
}

interface Content {
  text: string;
  files: Attachment[];
}

function contentOf({ content, metadata }: ChatGptMessage, stored: FindFile): Content {
  const attached = metadata.attachments.flatMap((value) => ChatGptAttachment.safeParse(value).data ?? []);
  const names = new Map(attached.map(({ id, name }) => [id, name]));
  const files: Attachment[] = [];
  const shown = new Set<string | null>();
  const words = [withSources(wordsOf(content, namedAsset), metadata)];
  for (const { id, name } of attached) if (!shown.has(id)) words.push(namedFile(id, name));
  return { text: words.filter(Boolean).join('\n'), files };

  /** The name of what `pointer` points to, or nothing once it is among the files. */
  function namedAsset(kind: string, pointer: string): string {
    const id = idOf(pointer);
    shown.add(id);
    return take(id) ? '' : `[${kind}: ${names.get(id) ?? pointer}]`;
  }

  function namedFile(id: string | null, name: string | null): string {
    if (id !== null && take(id)) return '';
    return name === null ? '' : `[file: ${name}]`;
  }

  function take(id: string): boolean {
    const file = stored(id);
    if (file) files.push(file);
    return file !== undefined;
  }
}

/** `sediment://file_1#page` and `file-service://file-1` have the ids that the names of files in the ZIP begin with. */
function idOf(pointer: string): string {
  const [id = ''] = pointer.replace(/^[a-z-]+:\/\//, '').split(/[#?]/);
  return id;
}

type NameAsset = (kind: string, pointer: string) => string;

function wordsOf(content: ChatGptContent, nameAsset: NameAsset): string {
  switch (content.content_type) {
    case 'thoughts':
      return content.thoughts
        .map(({ summary, content: said }) => [summary, said].filter(Boolean).join('\n'))
        .join('\n\n');
    case 'tether_browsing_display':
      return content.result;
    case 'tether_quote':
    case 'sonic_webpage':
      return [content.title, content.url, content.text].filter(Boolean).join('\n');
    case 'citable_code_output':
      return content.output_str;
    default:
      return content.parts.length > 0
        ? content.parts
            .map((part) => wordsOfPart(part, nameAsset))
            .filter(Boolean)
            .join('\n')
        : content.text;
  }
}

function wordsOfPart(part: unknown, nameAsset: NameAsset): string {
  if (typeof part === 'string') return cleanText(part);
  const { data } = ChatGptAsset.safeParse(part);
  if (!data) return '';
  if (data.text !== '') return data.text;
  const kind = data.content_type?.includes('audio') ? 'audio' : 'image';
  return data.asset_pointer ? nameAsset(kind, data.asset_pointer) : '';
}

function toolCallOf(recipient: string, input: string): MessagePart {
  const kind = recipient === RUNS_CODE ? 'code_interpreter' : 'function';
  return { type: 'tool_call', call: { id: '', kind, name: recipient, input, output: null, progress: 1 } };
}

function textPart(text: string): MessagePart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** Fences code with more backticks than any run within it. */
function fenced(code: string, language: string | null): string {
  let fence = '```';
  while (code.includes(fence) && fence.length < FENCE_CHARS_MAX) fence += '`';
  const named = language !== null && /^[\w+#-]+$/.test(language) && language !== 'unknown' ? language : '';
  return `${fence}${named}\n${code}\n${fence}`;
}

// Replaces the marks of sources in ChatGPT's texts by links. A mark is characters of Unicode's private use around a kind
// and its references (`\uE200cite\uE202turn0search1\uE201`); in older exports it is a number in brackets
// (`【8†source】`). What they stand for is in the metadata of the message.
function withSources(text: string, metadata: ChatGptMessage['metadata']): string {
  const references = metadata.content_references.flatMap((value) => ChatGptReference.safeParse(value).data ?? []);
  const meanings = new Map(references.map((reference) => [reference.matched_text.trim(), meaningOf(reference)]));
  const numbered = pagesByNumber(metadata.citations);
  const linked = text
    .replaceAll(MARK, (whole, space: string, mark: string, at: number) => {
      const meaning = meanings.get(mark) ?? numbered.get(Number(NUMBERED.exec(mark)?.[1])) ?? meaningWithin(mark);
      if (meaning === null) return whole;
      return meaning === '' ? '' : `${meaning.startsWith('(') && at > 0 ? ' ' : space}${meaning}`;
    })
    .replaceAll(REMAINS, '');
  return `${linked}${listOf(references, linked)}`;
}

function meaningOf(reference: ChatGptReference): string {
  const pages = [reference, ...reference.items].flatMap(pagesIn);
  if (pages.length > 0) return webLinks(pages);
  if (reference.type === 'file' && reference.name) return `(${reference.name})`;
  return reference.type === 'hidden' ? '' : reference.alt || reference.name || '';
}

/** What a mark says by itself; null for brackets that are no mark. */
function meaningWithin(mark: string): string | null {
  if (mark.startsWith('【')) return null;
  const [kind, said = ''] = mark.slice(1, -1).split('\uE202');
  if (kind === 'url') return said;
  // Names of people, places and companies: `["people","Ada Lovelace",0]`.
  const name = kind === 'entity' ? /^\s*\[\s*"[^"]*"\s*,\s*"([^"]+)"/.exec(said)?.[1] : undefined;
  return name ?? '';
}

function pagesByNumber(citations: readonly unknown[]): Map<number, string> {
  const found = citations.flatMap((value) => ChatGptCitation.safeParse(value).data?.metadata ?? []);
  return new Map(
    found.map(({ extra, url, title, name }) => [
      extra.cited_message_idx,
      url ? webLinks([{ title, url }]) : `(${name ?? title ?? extra.cited_message_idx})`,
    ]),
  );
}

/** The sources that ChatGPT lists below a text, without those that the text links to. */
function listOf(references: readonly ChatGptReference[], text: string): string {
  const pages = references.flatMap(({ type, sources }) =>
    type === 'sources_footnote' ? sources.flatMap(pagesIn) : [],
  );
  const others = new Map(pages.map((page) => [page.url, page]));
  const lines = [...others.values()].map(webLink).filter((link) => !text.includes(link.slice(link.indexOf(']('))));
  return lines.length === 0 ? '' : `\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

function pagesIn(value: unknown): WebPage[] {
  const { data } = ChatGptSource.safeParse(value);
  if (!data) return [];
  const { title, attribution, url, supporting_websites: others } = data;
  const own = url === null ? [] : [{ title: attribution ?? title, url }];
  const supporting = others.flatMap((other) => {
    const page = ChatGptSource.safeParse(other).data;
    return page?.url ? [{ title: page.attribution ?? page.title, url: page.url }] : [];
  });
  return [...own, ...supporting];
}
