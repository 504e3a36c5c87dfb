// What a search of the web returns, to model and reader alike: numbered sources that the answer names as `[1]`.

import type { ShownCall } from '../messages/messages.ts';

/** A page that was found. */
export interface WebSource {
  /** Its number among all sources of a reply. */
  n: number;
  title: string;
  url: string;
  /** What the search quotes of it; empty when it quotes nothing. */
  snippet: string;
}

/** The output of a tool that found these sources. Titles and snippets become one line each. */
export function writeWebSources(sources: readonly WebSource[]): string {
  return sources
    .map(({ n, title, url, snippet }) => [`[${n}] ${line(title)}`, line(url), line(snippet)].filter(Boolean).join('\n'))
    .join('\n\n');
}

/** The sources in the output of a tool; none in any other text. */
export function readWebSources(output: string): WebSource[] {
  return output.split('\n\n').flatMap((block) => {
    const [first = '', url = '', snippet = ''] = block.split('\n');
    const [, n, title = ''] = /^\[(\d{1,6})\] (.*)$/.exec(first) ?? [];
    return n !== undefined && /^https?:\/\/\S+$/.test(url) ? [{ n: Number(n), title, url, snippet }] : [];
  });
}

/** The name of a search that a provider carried out by itself, for its whole answer. */
const PROVIDER_SEARCH = 'provider_web_search';

/** A search of the provider's own that found these sources: for all that is told with this id. */
export function sourcesCall(sources: readonly WebSource[], id = 'sources'): ShownCall {
  const output = writeWebSources(sources);
  return { id, kind: 'retrieval', name: PROVIDER_SEARCH, input: '', output, progress: 1 };
}

/** Whether a call is only there for its sources: they are shown below the answer. */
export function isSourcesCall({ name, kind }: Pick<ShownCall, 'name' | 'kind'>): boolean {
  return kind === 'retrieval' && name === PROVIDER_SEARCH;
}

/** Without marks that turn the direction of the text around them: a title could show another address than its own. */
function line(text: string): string {
  return text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
