// The tools of a research: those that only read.
import type { Tool } from '../../tools/tool.ts';
import { FIND_TOOLS } from '../../tools/find-tools.ts';
import { FILE_SEARCH } from '../../tools/builtin/file-search.ts';
import type { ToolRegistry, OfferedTools } from '../../tools/registry.ts';
import type { MessagePart } from '@parley/schema/messages/messages';
import { takesTools } from '@parley/schema/catalog/endpoints';
import { refuse } from '../../platform/errors.ts';
import type { ProviderCall } from '../../providers/provider.ts';
import { spokenType } from '../context/context-limits.ts';
import type { Ask } from '../begin/ask.ts';
import type { Prompt } from '../answer/build-prompt.ts';
import { toolFiles, type FileDeps } from '../answer/branch-files.ts';
import { withFileSearch } from '../answer/choose-tools.ts';
import { lastSourceNumberIn } from '../answer/open-step.ts';

/** Tools that read, beside those of the web and of plugins and servers that say so. */
const BUILTIN: ReadonlySet<string> = new Set(['web_search', 'web_page', 'calculator', FILE_SEARCH, FIND_TOOLS]);
const WEB = ['web_search', 'web_page'];

export interface ReadingDeps extends FileDeps {
  tools: ToolRegistry;
}

/** @throws Refusal `conflict` for a model that calls no tools */
export function assertTools({ endpoint, model }: Ask, { target }: Pick<ProviderCall, 'target'>): void {
  if (target.forcePrompt === true || endpoint.type === 'gptPlugins' || !takesTools(spokenType(endpoint), model))
    refuse({ type: 'conflict', text: 'This model takes no tools, which a research needs' });
}

export type ReadingTools = Pick<OfferedTools, 'tools' | 'hidden'>;

/**
 * Of the tools that the conversation has chosen those that only read and ask nobody, with the search of the web. One
 * choice for the whole research: the rule of pages and the numbers of sources hold for all of its steps together.
 * @throws Refusal `conflict` where there is nothing to look anything up in
 */
export async function readingTools(
  deps: ReadingDeps,
  ask: Ask,
  prompt: Prompt,
  { parts }: { parts: readonly MessagePart[] },
  signal: AbortSignal,
): Promise<ReadingTools> {
  const { userId, input, assistant } = ask;
  const reply = { ...prompt.branch.reply, parts: parts.length > 0 ? [...parts] : prompt.branch.reply.parts };
  const files = toolFiles(deps, ask, { ...prompt.branch, reply }, prompt.files, signal);
  const { tools, hidden } = await deps.tools.for({
    userId,
    convoId: input.conversationId,
    keys: [...new Set([...prompt.toolKeys, ...WEB])],
    files: files.attached,
    branch: files.texts,
    lender: assistant?.lender,
    specTokensMax: prompt.specTokensMax,
    lastSourceNumber: lastSourceNumberIn(reply),
  });
  const reading = new Map([...tools].filter(([, tool]) => isReading(tool)));
  const canSearch = [...reading.values()].some(({ from }) => from.id !== 'web_page' && from.id !== 'calculator');
  // Without a search there are no pages to find: files are searched, and addresses of the person opened.
  const all = deps.tools.isOff(FILE_SEARCH)
    ? reading
    : withFileSearch({ tools: reading, hidden }, userId, prompt, files);
  if (!canSearch && all.size === reading.size && prompt.files.files.length === 0)
    refuse({ type: 'conflict', text: 'There is nothing to research in: no search of the web and no files' });
  return { tools: all, hidden };
}

function isReading({ asks, isRepeatable, from }: Tool): boolean {
  if (asks !== 'never' || !isRepeatable) return false;
  return from.source === 'builtin' ? BUILTIN.has(from.id) : from.source !== 'action';
}
