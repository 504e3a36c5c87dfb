// Numbers for the sources that are found in the course of one reply.
import { writeWebSources } from '@parley/schema/tools/web-sources';
import type { Chosen } from '../tool.ts';
import type { SearchResult } from './search-result.ts';

/** Passages of files have the numbers below this; a reply that may quote them numbers its pages above. */
const AFTER_FILES = 101;
const NOTHING = 'Nothing was found.';

/** Writes search results for the model, each with a number that none before it had. */
export type NumberSources = (results: readonly SearchResult[]) => string;

interface Sources {
  number: NumberSources;
  /** The addresses of all of them. */
  found: string[];
}

const sources = new WeakMap<Chosen, Sources>();

/** All tools of one choice share their numbers, wherever they come from. */
export function choiceNumbers(chosen: Chosen): NumberSources {
  const known =
    sources.get(chosen) ??
    createSources(Math.max(chosen.files.length > 0 ? AFTER_FILES : 1, (chosen.lastSourceNumber ?? 0) + 1));
  sources.set(chosen, known);
  return known.number;
}

/** The addresses that searches of this run have found. */
export function sourcesFoundFor(chosen: Chosen): readonly string[] {
  return sources.get(chosen)?.found ?? [];
}

/** A service's own answer, in which no line can be taken for one of the sources that follow it. */
export function besideSources(reply: string): string {
  return reply.replaceAll(/^\[(\d+)\]/gm, '($1)');
}

function createSources(first: number): Sources {
  let next = first;
  const found: string[] = [];
  return {
    found,
    number(results) {
      const numbered = results.map((result) => ({ ...result, n: next++ }));
      found.push(...numbered.map(({ url }) => url));
      return numbered.length === 0 ? NOTHING : writeWebSources(numbered);
    },
  };
}
