// All tools of all sources, as one conversation is offered them.
import { cutText, visibleText } from '@parley/schema/tools/foreign-text';
import type { ToolInfo } from '@parley/schema/tools/tools';
import { withTimeout } from '../platform/deadline.ts';
import { calledFirst } from './called-first.ts';
import { cleanSchema } from './clean-schema.ts';
import {
  createHiddenTools,
  FIND_TOOLS,
  findToolsTool,
  fittingTools,
  specTokens,
  type HiddenTools,
} from './find-tools.ts';
import type { Chosen, SourceTools, Tool, ToolOutcome, ToolProblem, ToolRun, ToolSource } from './tool.ts';
import { createUniqueNames, hashedName, legalName, TOOL_NAME_MAX } from './tool-names.ts';

export interface ToolRegistry {
  /** False where the operator has switched tools off. */
  isOn: boolean;
  /** Whether administrators switched off what has this key. */
  isOff(key: string): boolean;
  /** The tools of the chosen keys by their unique names. A source that fails is a problem, never an error. */
  for(chosen: Chosen): Promise<OfferedTools>;
  /** What this person can choose. */
  list(userId: string): Promise<ToolInfo[]>;
}

export interface OfferedTools {
  /** All that can be called. */
  tools: ReadonlyMap<string, Tool>;
  /** Those of them that the model has to find first. */
  hidden: HiddenTools;
  problems: ToolProblem[];
}

/** The most tools that a model is offered at once: OpenAI refuses more. */
export const TOOLS_MAX = 128;
/** Of these, the ones that it found, where not all are offered. */
const FOUND_MAX = 24;
/** What the answer itself adds: the search in files, reflection and the search for tools. */
const ADDED_MAX = 4;
const DESCRIPTION_MAX = 4096;
/** How long a source may take to say which tools it has. */
const SOURCE_TIMEOUT_MS = 15_000;

/** A call of a tool that has ended; never what it was given or returned. */
export interface ToolCallFacts {
  tool: string;
  ms: number;
  outcome: ToolOutcome['type'] | 'thrown';
}

interface Listeners {
  isOff?: ToolRegistry['isOff'];
  /** Called for sources that fail. */
  onFault?: (error: unknown) => void;
  /** Called for each call of a tool that has ended; absent where nobody wants to know. */
  onCalled?: (facts: ToolCallFacts) => void;
}

export function createToolRegistry(
  sources: readonly ToolSource[],
  { isOff = () => false, onFault = () => {}, onCalled }: Listeners = {},
): ToolRegistry {
  return { isOn: sources.length > 0, isOff, for: toolsFor, list };

  async function toolsFor(chosen: Chosen): Promise<OfferedTools> {
    const found = await Promise.all(sources.map((source) => toolsOf(source, chosen)));
    const unique = createUniqueNames();
    const tools = found
      .flatMap((one) => one.tools)
      .map((tool) => uniquely(onCalled ? watched(tool, onCalled) : tool, unique));
    return { ...withFindTools(tools, chosen, unique), problems: found.flatMap((one) => one.problems) };
  }

  async function toolsOf(source: ToolSource, chosen: Chosen): Promise<SourceTools> {
    try {
      return await inTime(source.tools(chosen));
    } catch (error) {
      onFault(error);
      const from = { source: source.name, id: source.name, label: source.name };
      return { tools: [], problems: [{ from, text: 'These tools cannot be reached now.' }] };
    }
  }

  async function list(userId: string): Promise<ToolInfo[]> {
    const lists = sources.map((source) =>
      inTime(source.list(userId)).catch((error: unknown): ToolInfo[] => {
        onFault(error);
        return [];
      }),
    );
    return (await Promise.all(lists)).flat();
  }
}

/** @throws Error when it takes too long */
function inTime<T>(asked: Promise<T>): Promise<T> {
  return withTimeout(asked, SOURCE_TIMEOUT_MS, () => {
    throw new Error('A source of tools does not answer');
  });
}

/**
 * The tool with a name that no other has and every provider accepts, a safe schema and a description of bounded length.
 */
function uniquely(tool: Tool, unique: (name: string) => string): Tool {
  const name = unique(acceptedName(tool.name));
  const description = cutText(visibleText(tool.description), DESCRIPTION_MAX);
  const does = tool.does === undefined ? {} : { does: visibleText(tool.does) };
  const safe = { ...tool, name, description, ...does, parameters: cleanSchema(tool.parameters) };
  return { ...safe, run: (call) => tool.run(call) };
}

/**
 * All of them, and where they are too many to be offered at once, the tool that finds the others. Tools that were chosen
 * one by one are hidden only past `TOOLS_MAX`, however long their schemas are.
 */
function withFindTools(
  all: readonly Tool[],
  { specTokensMax: tokensMax = Number.POSITIVE_INFINITY, called = [] }: Pick<Chosen, 'specTokensMax' | 'called'>,
  unique: (name: string) => string,
): Omit<OfferedTools, 'problems'> {
  const open = all.filter(({ isHidden }) => !isHidden);
  const inOrder = calledFirst(open, called);
  const single = inOrder.filter((tool) => !isOneOfMany(tool));
  const many = inOrder.filter(isOneOfMany);
  const tokens = tokensMax - specTokens(single);
  const fitsAll = open.length === all.length && all.length <= TOOLS_MAX && specTokens(many) <= tokens;
  const count = TOOLS_MAX - FOUND_MAX - ADDED_MAX;
  // Those that are found have the other half of the tokens.
  const fitting = fittingTools(many, { count: count - single.length, tokens: tokens / 2 });
  const offered = new Set(fitsAll ? all : [...single.slice(0, count), ...fitting]);
  const others = all.filter((tool) => !offered.has(tool));
  const hidden = createHiddenTools(others, { count: FOUND_MAX, tokens: tokens / 2 });
  const finding = others.length > 0 ? [findToolsTool(unique(FIND_TOOLS), others, hidden)] : [];
  return { tools: new Map([...all, ...finding].map((tool) => [tool.name, tool])), hidden };
}

/** Of a server or an API, which are chosen as one: these say what a call of theirs does. */
function isOneOfMany({ does }: Tool): boolean {
  return does !== undefined;
}

function watched(tool: Tool, onCalled: (facts: ToolCallFacts) => void): Tool {
  return { ...tool, run };

  async function run(call: ToolRun): Promise<ToolOutcome> {
    const began = performance.now();
    let outcome: ToolCallFacts['outcome'] = 'thrown';
    try {
      const result = await tool.run(call);
      outcome = result.type;
      return result;
    } finally {
      onCalled({ tool: tool.name, ms: Math.round(performance.now() - began), outcome });
    }
  }
}

/** A longer one ends with a part of its hash. */
function acceptedName(given: string): string {
  const name = legalName(given);
  if (name !== '' && name.length <= TOOL_NAME_MAX) return name;
  return hashedName(name === '' ? 'tool' : name, given);
}
