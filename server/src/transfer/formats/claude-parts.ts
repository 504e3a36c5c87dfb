// Converts a message of Claude's export to message parts. The addresses of web pages stay: those that a text cites as
// links behind it, those that a tool found in the tool's output.
import { cleanText } from '@parley/schema/clean-text';
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import {
  ClaudeBlock,
  ClaudeCitation,
  ClaudeFile,
  ClaudeResult,
  type ClaudeMessage,
  ClaudeArtifact,
} from '@parley/schema/transfer/claude';
import type { LeftOutCount } from './left-out.ts';
import { namedFile, textBelow } from './plain-message.ts';
import { webLinks, type WebPage } from './web-links.ts';
import { writeBlock } from '@parley/schema/artifacts/add-version';
import { LANGUAGES, writeFenceInfo } from '@parley/schema/artifacts/artifact-kind';
import { editSource } from '@parley/schema/artifacts/edit-source';

const TYPES: Readonly<Record<string, string>> = {
  'text/html': LANGUAGES.html,
  'image/svg+xml': LANGUAGES.svg,
  'text/markdown': LANGUAGES.markdown,
  'text/csv': LANGUAGES.csv,
  'application/vnd.ant.react': LANGUAGES.react,
  'application/vnd.ant.mermaid': LANGUAGES.mermaid,
};

const OPENING = '<antArtifact';

const CLOSING = '</antArtifact>';

/** What people do not see in Claude either: memories and dates that are added to a question, and counts of tokens. */
const HIDDEN = new Set(['injected_prompt_block', 'token_budget', 'flag']);

interface Reading {
  leftOut: LeftOutCount;
  /** Those of the messages before, by their ids. */
  artifacts: Artifacts;
}

export function partsOfClaude(message: ClaudeMessage, { leftOut, artifacts }: Reading): MessagePart[] {
  const blocks = message.content.flatMap((value) => ClaudeBlock.safeParse(value).data ?? []);
  const titles = titlesOf(blocks);
  const parts: MessagePart[] = [];
  const calls: Calls = { byId: new Map(), last: undefined, made: new Set() };
  for (const block of blocks)
    if (!addBlock(parts, block, { calls, titles, artifacts })) leftOut.add(block.type ?? 'block');
  if (parts.length === 0 && message.text !== '') parts.push({ type: 'text', text: withArtifacts(message.text) });
  for (const text of filesOf(message)) parts.push(textBelow(parts, text));
  return parts;
}

interface Calls {
  byId: Map<string, ToolCall>;
  last: ToolCall | undefined;
  /** Ids of those that made artifacts. */
  made: Set<string>;
}

/** False for a block of an unknown kind. */
function addBlock(
  parts: MessagePart[],
  block: ClaudeBlock,
  { calls, titles, artifacts }: { calls: Calls; titles: ReadonlyMap<string, string>; artifacts: Artifacts },
): boolean {
  switch (block.type) {
    case 'text':
      if (block.text !== '') parts.push({ type: 'text', text: withArtifacts(withLinks(block, titles)) });
      return true;
    case 'thinking': {
      const text = block.thinking || block.summaries.map(({ summary }) => summary).join('\n');
      if (text !== '') parts.push({ type: 'reasoning', text });
      return true;
    }
    case 'tool_use': {
      const artifact = block.name === 'artifacts' ? takesArtifact(block.input, artifacts) : null;
      if (artifact) {
        parts.push({ type: 'text', text: artifactText(artifact) });
        calls.made.add(block.id ?? '');
        calls.last = undefined;
        return true;
      }
      const call = callOf(block);
      parts.push({ type: 'tool_call', call });
      calls.byId.set(call.id, call);
      calls.last = call;
      return true;
    }
    case 'tool_result': {
      if (block.tool_use_id && calls.made.has(block.tool_use_id)) return true;
      // Older exports give calls no ids: a result is that of the call before it.
      const call = calls.byId.get(block.tool_use_id ?? '') ?? calls.last;
      if (call) call.output = block.content.map(textOfResult).filter(Boolean).join('\n');
      return true;
    }
    default:
      return HIDDEN.has(block.type ?? '');
  }
}

function callOf({ id, name, input }: ClaudeBlock): ToolCall {
  const written = cleanText(JSON.stringify(input ?? {}));
  return { id: id ?? '', kind: 'function', name: name ?? 'tool', input: written, output: null, progress: 1 };
}

function textOfResult(value: unknown): string {
  const { data } = ClaudeResult.safeParse(value);
  if (!data) return '';
  const { title, url, text, name, file_path: path, images } = data;
  const file = name ?? path;
  const imageLines = images.map((image) => [image.title, image.page_url ?? image.url].filter(Boolean).join('\n'));
  return [title, url, text, file && `[file: ${file}]`, ...imageLines].filter(Boolean).join('\n');
}

/** The titles of the pages that the tools of a message found, by their addresses. */
function titlesOf(blocks: readonly ClaudeBlock[]): Map<string, string> {
  const titles = new Map<string, string>();
  for (const { type, content } of blocks) {
    if (type !== 'tool_result') continue;
    for (const value of content) {
      const { data } = ClaudeResult.safeParse(value);
      if (data?.url && data.title) titles.set(data.url, data.title);
    }
  }
  return titles;
}

/** The text with the pages that it cites behind what they are cited for. */
function withLinks({ text, citations }: ClaudeBlock, titles: ReadonlyMap<string, string>): string {
  const pages = new Map<number, WebPage[]>();
  for (const value of citations) {
    const { data } = ClaudeCitation.safeParse(value);
    if (!data?.details.url) continue;
    const { url, title } = data.details;
    const cited = pages.get(data.end_index) ?? [];
    cited.push({ url, title: title ?? titles.get(url) ?? null });
    pages.set(data.end_index, cited);
  }
  if (pages.size === 0) return text;
  const points = [...text];
  const ends = [...pages].toSorted(([one], [other]) => one - other);
  let from = 0;
  let linked = '';
  for (const [end, cited] of ends) {
    linked += `${points.slice(from, end).join('')} ${webLinks(cited)}`;
    from = Math.min(end, points.length);
  }
  return linked + points.slice(from).join('');
}

/** Files that are attached: their names, and what is in them where the export has it. Texts stand in both lists. */
function filesOf({ attachments, files }: ClaudeMessage): string[] {
  const read = (value: unknown) => ClaudeFile.safeParse(value).data ?? [];
  const texts = attachments.flatMap(read);
  const names = new Set(texts.map((file) => file.file_name));
  const others = files.flatMap(read).filter((file) => !names.has(file.file_name));
  return [...texts, ...others].flatMap(({ file_name: name, extracted_content: content }) => {
    if (name === null && content === '') return [];
    return namedFile(name, content);
  });
}

// Claude's artifacts as named blocks of code, which is what artifacts are here. Newer exports have them as calls of a
// tool that makes, rewrites or changes one, older ones as elements within the text.

/** The newest version of each, by its id. */
type Artifacts = Map<string, ClaudeArtifact>;

/** The version that a call makes; null for a change that fits none, which stays a call. */
function takesArtifact(input: unknown, artifacts: Artifacts): ClaudeArtifact | null {
  const { data } = ClaudeArtifact.safeParse(input);
  if (!data) return null;
  const before = artifacts.get(data.id);
  let { content } = data;
  if (data.command === 'update') {
    const edited = before && editSource(before.content, [{ find: data.old_str, replace: data.new_str }]);
    if (!edited || !('source' in edited)) return null;
    content = edited.source;
  }
  if (content === '') return null;
  const { type = null, title = null, language = null } = before ?? {};
  const made = {
    ...data,
    content,
    type: data.type ?? type,
    title: data.title ?? title,
    language: data.language ?? language,
  };
  artifacts.set(made.id, made);
  return made;
}

/** On lines of its own: the texts of a message are read as one. */
function artifactText({ id, type, title, language, content }: ClaudeArtifact): string {
  const named = (type !== null && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined) ?? language ?? '';
  return `\n\n${writeBlock({ info: writeFenceInfo({ language: named, id, title }), source: content })}\n\n`;
}

/** A text whose elements of artifacts are such blocks. */
function withArtifacts(text: string): string {
  let made = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf(OPENING, from);
    const head = start < 0 ? -1 : text.indexOf('>', start);
    const end = head < 0 ? -1 : text.indexOf(CLOSING, head);
    if (end < 0) return made + text.slice(from);
    const attributes = Object.fromEntries(
      Array.from(text.slice(start, head).matchAll(/([a-z]{1,20})="([^"]*)"/g), ([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    const { data } = ClaudeArtifact.safeParse({
      ...attributes,
      id: attributes.identifier,
      content: text.slice(head + 1, end).trim(),
    });
    made += text.slice(from, start) + (data ? artifactText(data) : '');
    from = end + CLOSING.length;
  }
}
