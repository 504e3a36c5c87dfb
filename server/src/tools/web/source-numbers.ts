// Numbers for the sources that are found in the course of one reply.
import { writeWebSources } from '@parley/schema/tools/web-sources';
import type { Chosen } from '../tool.ts';
import type { SearchResult } from './search-result.ts';

/** Passages of files have the numbers below this; a reply that may quote them numbers its pages above. */
const AFTER_FILES = 101;
const NOTHING = 'Nothing was found.';

/** Writes search results for the model, each with a number that none before it had. */
export type NumberSources = (results: readonly SearchResult[]) => string;

const numbers = new WeakMap<Chosen, NumberSources>();

/** All tools of one choice share their numbers, wherever they come from. */
export function numberSourcesOf(chosen: Chosen): NumberSources {
  const known =
    numbers.get(chosen) ??
    createNumbers(Math.max(chosen.files.length > 0 ? AFTER_FILES : 1, (chosen.lastSourceNumber ?? 0) + 1));
  numbers.set(chosen, known);
  return known;
}

function createNumbers(first: number): NumberSources {
  let next = first;
  return (results) => {
    const sources = results.map((result) => ({ ...result, n: next++ }));
    return sources.length === 0 ? NOTHING : writeWebSources(sources);
  };
}
