// The pages of the web that a provider has searched for an answer by itself, in the shapes in which servers name them.
import { randomUUID } from 'node:crypto';
import { isObject } from '@parley/schema/json';
import { sourcesCall, type WebSource } from '@parley/schema/tools/web-sources';
import type { Delta } from '../../generation/delta.ts';

export interface AnswerSources {
  /** What a piece of an answer may name: a list of addresses, annotations, or what the answer stands on. */
  note(found: unknown): void;
  /** All of them, as a search that the provider has carried out; nothing where there is none. */
  told(): Generator<Delta>;
}

const SOURCES_MAX = 200;
/** Of a title and of a quote, in characters. */
const TEXT_MAX = 500;

export function createSources(): AnswerSources {
  /** Another run of the same reply has sources of its own. */
  const id = `sources-${randomUUID()}`;
  /** By their addresses, in the order in which they came. */
  const facts = new Map<string, Omit<WebSource, 'n'>>();
  /** The list that the marks of the text count in, with what it names twice. */
  let listed: string[] = [];
  return {
    note(found) {
      if (!found) return;
      const list = Array.isArray(found) ? found : [found];
      const urls = list.slice(0, SOURCES_MAX).flatMap((one) => noteOne(one));
      // Annotations come one by one, lists whole and again.
      if (list.some((one) => typeof one === 'string') && urls.length >= listed.length) listed = urls;
    },
    *told() {
      if (facts.size === 0) return;
      const rest = [...facts.keys()].filter((url) => !listed.includes(url));
      const sources = [...listed, ...rest].flatMap((url, index) => {
        const fact = facts.get(url);
        return fact ? { n: index + 1, ...fact } : [];
      });
      yield { type: 'tool', call: sourcesCall(sources.slice(0, SOURCES_MAX), id) };
    },
  };

  /** Returns the addresses that it names. */
  function noteOne(value: unknown): string[] {
    if (typeof value === 'string') return add(value, {});
    if (!isObject(value)) return [];
    const chunks = value.groundingChunks ?? value.grounding_chunks;
    if (Array.isArray(chunks)) return chunks.flatMap((one) => noteOne(one));
    const inner = [value.url_citation, value.web, value.retrievedContext, value.source].find(isObject);
    if (inner) return noteOne(inner);
    const url = [value.url, value.uri, value.link].find((one) => typeof one === 'string');
    return url === undefined ? [] : add(url, value);
  }

  function add(said: string, { title, name, snippet, content, cited_text: quote }: Record<string, unknown>): string[] {
    const url = said.trim();
    if (!/^https?:\/\/\S+$/i.test(url) || !URL.canParse(url)) return [];
    const before = facts.get(url);
    if (!before && facts.size >= SOURCES_MAX) return [];
    const first = (...texts: unknown[]) =>
      texts.map((one) => (typeof one === 'string' ? one.trim() : '')).find((one) => one !== '') ?? '';
    facts.set(url, {
      url,
      title: first(before?.title, title, name).slice(0, TEXT_MAX).toWellFormed(),
      snippet: first(before?.snippet, snippet, content, quote).slice(0, TEXT_MAX).toWellFormed(),
    });
    return [url];
  }
}
