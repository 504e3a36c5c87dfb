// The pages of the web that an answer names by their numbers.
import { citationMarksIn } from '@parley/schema/messages/citation-marks';
import { isLoopCall, type Message, type MessagePart } from '@parley/schema/messages/messages';
import { isSourcesCall, readWebSources, type WebSource } from '@parley/schema/tools/web-sources';

/** Sources by their numbers. */
export type WebSources = ReadonlyMap<number, WebSource>;

/** A mark in a text, and the page that it stands for. */
export interface WebMark {
  at: number;
  source: WebSource;
}

/** A page, and the marks that name it, in order and each once. */
export interface CitedPage {
  source: WebSource;
  marks: string[];
}

/**
 * For each part of an answer the sources that the calls before it have found; null where there are none. Where two have
 * a number, the later one has it.
 */
export function webSourcesOf(parts: readonly MessagePart[]): (WebSources | null)[] {
  let known: WebSources | null = null;
  // What the provider has searched by itself is for all of its answer.
  for (const part of parts) if (part.type === 'tool_call' && isSourcesCall(part.call)) add(part.call.output);
  return parts.map((part) => {
    if (isLoopCall(part) && part.call.state === 'done') add(part.call.output);
    return known;
  });

  function add(output: string | null): void {
    const safe = readWebSources(output ?? '').filter(({ url }) => webHost(url) !== null);
    if (safe.length > 0) known = new Map([...(known ?? []), ...safe.map((source) => [source.n, source] as const)]);
  }
}

/** The marks of a text that name a page. Where a passage of a file is cited, it is what the mark stands for. */
export function webMarksIn(
  { text, citations = [] }: Extract<MessagePart, { type: 'text' }>,
  sources: WebSources | null,
): WebMark[] {
  if (!sources) return [];
  const taken = new Set(citations.map(({ at }) => at));
  return citationMarksIn(text).flatMap(({ at, n }) => {
    const source = sources.get(n);
    return source && !taken.has(at) ? [{ at, source }] : [];
  });
}

/**
 * The pages that the marks of an answer stand for, in the order of their first mark; then what its provider has found by
 * itself without a mark.
 */
export function listPages({ parts }: Pick<Message, 'parts'>): CitedPage[] {
  const pages = new Map<string, CitedPage>();
  const sources = webSourcesOf(parts);
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'text') continue;
    for (const { source } of webMarksIn(part, sources[index] ?? null)) {
      const page = pages.get(source.url) ?? { source, marks: [] };
      pages.set(source.url, page);
      const mark = `[${source.n}]`;
      if (!page.marks.includes(mark)) page.marks.push(mark);
    }
  }
  for (const part of parts) {
    if (part.type !== 'tool_call' || !isSourcesCall(part.call)) continue;
    for (const source of readWebSources(part.call.output ?? ''))
      if (webHost(source.url) !== null && !pages.has(source.url)) pages.set(source.url, { source, marks: [] });
  }
  return [...pages.values()];
}

export function sourceTitle({ title, url }: WebSource): string {
  return title.trim() || (webHost(url) ?? url);
}

/** The host of an address of the web; null for any other address. */
export function webHost(url: string): string | null {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).host : null;
}
