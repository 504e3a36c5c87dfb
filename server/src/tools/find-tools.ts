// Tools that a model is not offered at first, since there are too many of them, and the tool that finds them.
import { asFields } from '@parley/schema/json';
import { argumentsSchema } from '../providers/tool-spec.ts';
import { cutText } from '@parley/schema/tools/foreign-text';
import { estimateTokens } from '../catalog/count-tokens.ts';
import type { Tool } from './tool.ts';

/** Which tools of an answer are hidden; those that were found are offered from the next step on. */
export interface HiddenTools {
  has(name: string): boolean;
  /** How many are hidden. */
  size(): number;
  /** Offers one of them; nothing where it is not hidden. */
  show(name: string): void;
  /** Offers those that fit a search, the best first. */
  find(query: string): Tool[];
}

/** By this name models know it, unless a chosen tool has it. */
export const FIND_TOOLS = 'find_tools';

/** Found by one search. */
const FOUND_MAX = 10;
/** Names told to the model, in characters: schemas of a hundred tools share what a request may have. */
const NAMES_CHARS = 1500;
const ABOUT_CHARS = 200;
const LIMITS = { timeoutMs: 5000, outputChars: 8000 };

/** How many tools fit: by their number, and by the tokens of their descriptions and schemas. */
export interface ToolRoom {
  count: number;
  tokens: number;
}

/** The tools that fit, from the first one on. */
export function fittingTools(tools: readonly Tool[], room: ToolRoom): Tool[] {
  let tokens = 0;
  const end = tools.findIndex((tool) => (tokens += specTokens([tool])) > room.tokens);
  return tools.slice(0, Math.max(0, Math.min(room.count, end < 0 ? tools.length : end)));
}

/** What a request has of these tools, in tokens. */
export function specTokens(tools: readonly Tool[]): number {
  const specs = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
  return specs.reduce((sum, spec) => sum + estimateTokens(spec), 0);
}

/** @param room for the tools that were hidden and are offered at once: the last ones that were found, at least one */
export function createHiddenTools(tools: readonly Tool[], room: ToolRoom): HiddenTools {
  const all = new Map(tools.map((tool) => [tool.name, tool]));
  /** The last one that was found is the first. */
  let shown: Tool[] = [];

  function show(name: string): void {
    const tool = all.get(name);
    if (!tool) return;
    const others = shown.filter((one) => one !== tool);
    shown = [tool, ...fittingTools(others, { count: room.count - 1, tokens: room.tokens - specTokens([tool]) })];
  }

  return {
    has: (name) => all.has(name) && !shown.some((one) => one.name === name),
    size: () => all.size - shown.length,
    show,
    find(query) {
      // The best is the last one to go, and what does not fit beside it is not told.
      const found = bestOf(tools, query);
      for (const { name } of found.toReversed()) show(name);
      return found.filter((tool) => shown.includes(tool));
    },
  };
}

export function findToolsTool(name: string, tools: readonly Tool[], hidden: HiddenTools): Tool {
  const labels = [...new Set(tools.map(({ from }) => from.label))];
  return {
    name,
    description:
      `Finds more tools: ${tools.length} of ${labels.join(', ')} are not offered yet. ` +
      'Call it when none of the offered tools does what is needed. What it finds can be called from the next step on.',
    parameters: argumentsSchema({
      query: {
        type: 'string',
        description: `What the tool should do, in a few English words, or names of tools. There are: ${namesOf(tools)}`,
      },
    }),
    kind: 'function',
    from: { source: 'builtin', id: FIND_TOOLS, label: 'Find tools' },
    isRepeatable: true,
    asks: 'never',
    limits: LIMITS,
    run: async ({ args }) => ({ type: 'done', text: told(hidden.find(String(args.query ?? '')), tools) }),
  };
}

function told(found: readonly Tool[], tools: readonly Tool[]): string {
  if (found.length === 0) return `No tool was found by these words. There are: ${namesOf(tools)}`;
  const lines = found.map(({ name, description }) => `${name}: ${cutText(description, ABOUT_CHARS)}`);
  return ['These tools can be called now:', ...lines].join('\n');
}

function namesOf(tools: readonly Tool[]): string {
  const names = tools.map(ownName);
  let chars = 0;
  const told = names.filter((name) => (chars += name.length + 2) <= NAMES_CHARS);
  const more = names.length - told.length;
  return more > 0 ? `${told.join(', ')} and ${more} more` : told.join(', ');
}

/** As its server calls it, where it is one of a server. */
function ownName({ name, from, does }: Tool): string {
  return from.source === 'mcp' && does !== undefined ? does : name;
}

function bestOf(tools: readonly Tool[], query: string): Tool[] {
  const wanted = wordsIn(query);
  const names = new Set(query.split(/[\s,;]+/).map((one) => one.toLowerCase()));
  const scored = tools.map((tool) => ({ tool, score: scoreOf(tool, wanted, names) })).filter(({ score }) => score > 0);
  return scored
    .toSorted((one, other) => other.score - one.score)
    .slice(0, FOUND_MAX)
    .map(({ tool }) => tool);
}

/** A name that was given whole comes first, then words in names, then those in descriptions and arguments. */
function scoreOf(tool: Tool, wanted: readonly string[], names: ReadonlySet<string>): number {
  const own = ownName(tool);
  if (names.has(own.toLowerCase()) || names.has(tool.name.toLowerCase())) return 1000;
  const inName = wordsIn(own);
  const about = wordsIn(`${tool.description} ${Object.keys(asFields(tool.parameters.properties)).join(' ')}`);
  const from = wordsIn(tool.from.label);
  return wanted.reduce((sum, word) => {
    if (inName.some((one) => isLike(one, word))) return sum + 10;
    if (about.some((one) => isLike(one, word))) return sum + 3;
    return from.some((one) => isLike(one, word)) ? sum + 1 : sum;
  }, 0);
}

/** Lower case, without those that say nothing of a tool. */
function wordsIn(text: string): string[] {
  const words =
    text
      .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => !VAGUE.has(word)))];
}

const VAGUE = new Set('a an and by for from in into is it of on or some that the this to tool tools with'.split(' '));
/** Shorter words are the same only as a whole. */
const STEM_MIN = 4;

/** Whether two words differ at most in how they end: `file` and `files`, `create` and `creating`. */
function isLike(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const stem = short.length > STEM_MIN ? short.slice(0, Math.max(STEM_MIN, short.length - 1)) : short;
  return short.length >= STEM_MIN && long.startsWith(stem) && long.length - short.length <= 3;
}
