// The pages that a provider has searched by itself for the runs and steps of one reply, as one list. Each run counts its
// own from 1, so the marks of the later ones get the numbers that their pages have in the whole.
import { citationMarksIn } from '@parley/schema/messages/citation-marks';
import type { MessagePart } from '@parley/schema/messages/messages';
import { isSourcesCall, readWebSources, writeWebSources, type WebSource } from '@parley/schema/tools/web-sources';
import type { CitablePassage } from '../../generation/delta.ts';
import { lastSourceNumberIn } from './open-step.ts';

/** Longer numbers are no marks. */
const NUMBER_MAX = 999;

type Sources = Extract<MessagePart, { type: 'tool_call' }>;

/** A list stands behind the text that it is for. The numbers of passages, from 1, remain those of the passages. */
export function withOneSourceList(parts: MessagePart[], passages: readonly CitablePassage[]): MessagePart[] {
  if (parts.filter(isSources).length < 2) return parts;
  const numbers = new Map<string, number>();
  const all: WebSource[] = [];
  let most = Math.max(passages.length, lastSourceNumberIn({ parts }));
  let first: Sources | undefined;
  let told: MessagePart[] = [];
  const whole: MessagePart[] = [];
  for (const part of parts) {
    if (!isSources(part)) {
      told.push(part);
      continue;
    }
    const found = readWebSources(part.call.output ?? '');
    whole.push(...told.map((one) => withNumbers(one, first ? numberAll(found) : keepAll(found), passages.length)));
    if (!first) whole.push((first = { ...part }));
    told = [];
  }
  if (first) first.call = { ...first.call, output: writeWebSources(all) };
  return [...whole, ...told];

  function keepAll(found: readonly WebSource[]): ReadonlyMap<number, number> {
    for (const source of found) add(source, source.n);
    return new Map();
  }

  function numberAll(found: readonly WebSource[]): ReadonlyMap<number, number> {
    for (const source of found) if (!numbers.has(source.url) && most < NUMBER_MAX) add(source, most + 1);
    return new Map(found.map(({ n, url }) => [n, numbers.get(url) ?? n]));
  }

  function add(source: WebSource, n: number): void {
    all.push({ ...source, n });
    numbers.set(source.url, n);
    most = Math.max(most, n);
  }
}

function isSources(part: MessagePart): part is Sources {
  return part.type === 'tool_call' && isSourcesCall(part.call);
}

function withNumbers(part: MessagePart, numbers: ReadonlyMap<number, number>, passages: number): MessagePart {
  if (part.type !== 'text' || numbers.size === 0) return part;
  let text = '';
  let from = 0;
  for (const { at, n } of citationMarksIn(part.text)) {
    const end = part.text.indexOf(']', at) + 1;
    const number = n > passages ? numbers.get(n) : undefined;
    text += part.text.slice(from, at) + (number === undefined ? part.text.slice(at, end) : `[${number}]`);
    from = end;
  }
  return { ...part, text: text + part.text.slice(from) };
}
