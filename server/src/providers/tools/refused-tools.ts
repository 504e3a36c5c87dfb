// Which tools a provider refused a request for, by its own words.
import { Refusal } from '../../platform/errors.ts';
import { wholeText } from './whole-text.ts';

/** The model takes none at all; or these names, of which there may be none. */
export type RefusedTools = 'all' | readonly string[];

/** How providers say that a model, or how it is run, takes no tools (docs/tool-schemas.md). */
const TAKES_NONE = [
  /\bnot support(?:ed)?\b[^.]{0,40}\b(?:tools?|function)\b/i,
  /n't support\b[^.]{0,40}\b(?:tools?|function)\b/i,
  /\bsupports? (?:neither|no) (?:tools?|function)/i,
  /\b(?:tools?|tool use|tool calling|function calling|functions)\b[^.]{0,40}\b(?:not|n't|un) ?(?:be )?(?:supported|enabled|available|permitted)\b/i,
  /\bunsupported\b[^.]{0,40}\b(?:tools|functions)\b/i,
  /\bno endpoints found that support\b[^.]{0,40}\btool/i,
  /\btool[ _]choice\b[^.]{0,10}\brequires\b/i,
  /\btools param requires\b/i,
];

const TOO_MANY = /maximum length (\d{1,4})\b|at most (\d{1,4}) function declarations/i;
/** The place of a tool in its list. Google's lists stand in one tool. */
const PLACES = [/\bfunction_?declarations(?:\[|\.)(\d{1,4})\b/gi, /\b(?:tools|functions)[[.](\d{1,4})\b/g];

/** Whether a text says that a model, or how it is run, takes no tools. Some servers say so with status 500. */
export function saysTakesNoTools(text: string): boolean {
  return TAKES_NONE.some((words) => words.test(text));
}

/** All that the provider names; nothing where it failed for anything else. */
export function refusedTools(error: unknown, offered: readonly { name: string }[]): RefusedTools {
  if (!(error instanceof Refusal) || error.reason.type !== 'provider_refused') return [];
  const { status } = error.reason;
  const text = wholeText(error.reason);
  if (![400, 404, 422, 500].includes(status) || !/tool|function/i.test(text)) return [];
  const many = tooMany(text, offered);
  if (many) return many;
  const named = new Set([...placed(text, offered), ...namedAsTools(text, offered)]);
  if (named.size > 0) return offered.flatMap(({ name }) => (named.has(name) ? name : []));
  return saysTakesNoTools(text) ? 'all' : quoted(text, offered);
}

function tooMany(text: string, offered: readonly { name: string }[]): readonly string[] | null {
  const [, inArray, ofFunctions] = TOO_MANY.exec(text) ?? [];
  const max = Number(inArray ?? ofFunctions);
  const isOfTools = ofFunctions !== undefined || /'tools'/.test(text);
  return isOfTools && max < offered.length ? offered.slice(max).map(({ name }) => name) : null;
}

function placed(text: string, offered: readonly { name: string }[]): string[] {
  const found = PLACES.map((pattern) => [...text.matchAll(pattern)]).find((places) => places.length > 0) ?? [];
  return found.flatMap(([, place]) => offered[Number(place)]?.name ?? []);
}

/** Names in their marks that are called tools, and lists of names that are. */
const CALLED = /\b(?:tools?|functions?)(?: names?| declarations?)?:? \[?((?:['"`][\w-]{1,64}['"`](?:,? and |, ?)?)+)/gi;
/** Vertex names it without marks. */
const DECLARED = /(?<![\w-])([\w-]{1,64}) functionDeclaration\b/g;
const LISTED = /:\s*((?:[\w-]{1,64}(?:,? and |, ?))+[\w-]{1,64})/g;

function namedAsTools(text: string, offered: readonly { name: string }[]): string[] {
  const known = new Set(offered.map(({ name }) => name));
  const wordsOf = (list: string) => list.match(/[\w-]+/g) ?? [];
  const called = [...text.matchAll(CALLED)].flatMap(([, list = '']) => wordsOf(list));
  const declared = [...text.matchAll(DECLARED)].flatMap(([, name = '']) => name);
  const listed = [...text.matchAll(LISTED)].flatMap(([, list = '']) => {
    const words = wordsOf(list).filter((word) => word !== 'and');
    return words.every((word) => known.has(word)) ? words : [];
  });
  return [...called, ...declared, ...listed];
}

/** Only in its marks: a tool may be called as any word of a sentence. */
function quoted(text: string, offered: readonly { name: string }[]): readonly string[] {
  const words = new Set(text.match(/[A-Za-z0-9_-]+/g));
  return offered.flatMap(({ name }) => (words.has(name) && isQuoted(text, name) ? name : []));
}

function isQuoted(text: string, name: string): boolean {
  return ["'", '"', '`'].some((mark) => text.includes(`${mark}${name}${mark}`)) || text.endsWith(`: ${name}`);
}
