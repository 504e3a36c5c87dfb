// Replaces the marks of sources in ChatGPT's texts by links. A mark is characters of Unicode's private use around a kind
// and its references (`\uE200cite\uE202turn0search1\uE201`); in older exports it is a number in brackets
// (`【8†source】`). What they stand for is in the metadata of the message.
import { ChatGptCitation, ChatGptReference, ChatGptSource, type ChatGptMessage } from '@parley/schema/transfer/chatgpt';
import { webLink, webLinks, type WebPage } from './web-links.ts';

/** Each with the space before it. The bounds keep a hostile text from being searched again from every mark. */
const MARK = /( ?)(\uE200[^\uE200\uE201]{0,2000}\uE201|【[^【】]{1,200}】)/g;
/** Marks without an end, and single characters of marks. */
const REMAINS = /\uE200[a-z_]{1,40}(?:\uE202[\w-]{0,100})*|[\uE200-\uE206]/g;
const NUMBERED = /^【(\d+)(?::\d+)?†/;

export function withSources(text: string, metadata: ChatGptMessage['metadata']): string {
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
