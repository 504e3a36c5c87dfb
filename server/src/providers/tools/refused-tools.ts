// Which tools a provider refused a request for, by its own words.
import { Refusal } from '../../platform/errors.ts';

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
const PLACES = [/\bfunction_declarations\[(\d{1,4})\]/, /\b(?:tools|functions)[[.](\d{1,4})\b/];

/** Whether a text says that a model, or how it is run, takes no tools. Some servers say so with status 500. */
export function saysTakesNoTools(text: string): boolean {
  return TAKES_NONE.some((words) => words.test(text));
}

/** Nothing where the provider failed for anything else. */
export function refusedTools(error: unknown, offered: readonly { name: string }[]): RefusedTools {
  if (!(error instanceof Refusal) || error.reason.type !== 'provider_refused') return [];
  const { status, text } = error.reason;
  if (![400, 404, 422, 500].includes(status) || !/tool|function/i.test(text)) return [];
  return tooMany(text, offered) ?? placed(text, offered) ?? (saysTakesNoTools(text) ? 'all' : quoted(text, offered));
}

function tooMany(text: string, offered: readonly { name: string }[]): readonly string[] | null {
  const [, inArray, ofFunctions] = TOO_MANY.exec(text) ?? [];
  const max = Number(inArray ?? ofFunctions);
  const isOfTools = ofFunctions !== undefined || /'tools'/.test(text);
  return isOfTools && max < offered.length ? offered.slice(max).map(({ name }) => name) : null;
}

function placed(text: string, offered: readonly { name: string }[]): readonly string[] | null {
  const location = PLACES.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined);
  const tool = location === undefined ? undefined : offered[Number(location)];
  return tool ? [tool.name] : null;
}

/** Only in its marks: a tool may be called as any word of a sentence. */
function quoted(text: string, offered: readonly { name: string }[]): readonly string[] {
  const words = new Set(text.match(/[A-Za-z0-9_-]+/g));
  return offered.flatMap(({ name }) => (words.has(name) && isQuoted(text, name) ? name : []));
}

function isQuoted(text: string, name: string): boolean {
  return ["'", '"', '`'].some((mark) => text.includes(`${mark}${name}${mark}`)) || text.endsWith(`: ${name}`);
}
