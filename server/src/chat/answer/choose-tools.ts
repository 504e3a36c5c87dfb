// The tools that a model is offered for a reply.
import { SELF_REFLECTION, selfReflection } from '../../agents/classic.ts';
import { asFields, parseJson } from '@parley/schema/json';
import { createFileSearch, FILE_SEARCH } from '../../tools/builtin/file-search.ts';
import { FIND_TOOLS, type HiddenTools } from '../../tools/find-tools.ts';
import { TOOLS_MAX, type OfferedTools, type ToolRegistry } from '../../tools/registry.ts';
import type { BranchText, Tool } from '../../tools/tool.ts';
import type { ProviderTarget } from '../../providers/provider.ts';
import type { Ask } from '../begin/ask.ts';
import { endpointStepRules } from '../context/context-limits.ts';
import { withoutReported } from '../context/earlier-notices.ts';
import type { StepRules } from '../context/steps.ts';
import { readAgentOptions, type AgentChoice } from './agent-options.ts';
import { toolFiles, type FileDeps, type ToolFiles } from './branch-files.ts';
import type { Prompt } from './build-prompt.ts';
import { openMemory, type ForeignShown } from './memory-access.ts';
import { lastSourceNumberIn } from './open-step.ts';

export interface ChosenTools extends OfferedTools {
  /** Says how calls are shown to this model. */
  rules: StepRules;
  /** Null: calls of the provider's protocol, with the model and the settings of the conversation. */
  agent: AgentChoice | null;
  /** What the reply is shown that its person has not written; null where nothing is remembered. */
  foreign: ForeignShown | null;
}

/** Says whether the model is shown the calls of earlier replies, and may make some. */
export function showsCalls({ isOn }: ToolRegistry, ask: Ask, { open }: Prompt, target: ProviderTarget): boolean {
  return target.forcePrompt !== true && (open !== null || (isOn && !isEditedPlugins(ask)));
}

/** Says whether a reply of the plugins endpoint is continued or edited, which happens without tools. */
function isEditedPlugins({ endpoint, input: { target } }: Ask): boolean {
  return endpoint.type === 'gptPlugins' && (target.kind === 'continue' || target.kind === 'edit');
}

/** Null where none is chosen and no call of the reply waits. */
export async function chooseTools(
  deps: FileDeps & { tools: ToolRegistry },
  ask: Ask,
  prompt: Prompt,
  { mayCall, isCharged }: { mayCall: boolean; isCharged: boolean },
  signal: AbortSignal,
): Promise<ChosenTools | null> {
  const { userId, input, assistant } = ask;
  const { open, branch } = prompt;
  const keys = mayCall ? prompt.toolKeys : [];
  if (keys.length === 0 && !open) return null;
  const registry = deps.tools;
  const files = toolFiles(deps, ask, branch, prompt.files, signal);
  const words: string[] = [];
  const agent = await readAgentOptions(ask, isCharged);
  const memory = mayCall ? openMemory(deps.db, ask, prompt) : null;
  const { tools, hidden, problems } = await registry.for({
    userId,
    convoId: input.conversationId,
    keys,
    files: files.attached,
    branch: () => withWords(files.texts(), words),
    notePersonsWord: (text) => words.push(text),
    lender: assistant?.lender,
    memory: memory?.access,
    skills: prompt.skills,
    specTokensMax: prompt.specTokensMax,
    lastSourceNumber: lastSourceNumberIn(branch.reply),
    called: calledIn(prompt)
      .map(({ name }) => name)
      .toReversed(),
    waiting: (open?.step.calls ?? []).filter(({ state }) => state === 'waiting').map(({ name }) => name),
  });
  showKnownTools(hidden, prompt, tools);
  memory?.foreign.offer(tools.values());
  return {
    foreign: memory?.foreign ?? null,
    hidden,
    rules: endpointStepRules(ask.endpoint, ask.model),
    agent,
    tools: withReflection(
      registry.isOff(FILE_SEARCH) ? tools : withFileSearch({ tools, hidden }, userId, prompt, files),
      agent,
    ),
    problems: await withoutReported(problems, () => rowsAbove(branch)),
  };
}

/** What the branch says, after what the person has written elsewhere and the run was shown. */
async function* withWords(texts: AsyncIterable<BranchText>, words: readonly string[]): AsyncGenerator<BranchText> {
  for (const text of words) yield { from: 'person', text };
  yield* texts;
}

/** Beside the chosen tools, unless one of these has its name, all files are shown whole, or none can be searched. */
export function withFileSearch(
  { tools, hidden }: Pick<OfferedTools, 'tools' | 'hidden'>,
  userId: string,
  { files: { shown }, record }: Prompt,
  { find }: ToolFiles,
): ReadonlyMap<string, Tool> {
  const files = shown.record.filter((file) => file.shown === 'passages');
  if (files.length === 0 || tools.size - hidden.size() >= TOOLS_MAX) return tools;
  const search = createFileSearch({ userId, files, shown: record.passages, onShown: record.note, find });
  return tools.has(search.name) ? tools : new Map([...tools, [search.name, search]]);
}

/** Lists the calls that the model is shown, in order. */
function calledIn({ messages, branch: { reply } }: Prompt) {
  return [
    ...messages.flatMap((message) => message.calls ?? []),
    ...reply.parts.flatMap((part) => (part.type === 'tool_call' ? part.call : [])),
  ];
}

/** Offers what was found or called above from the beginning. */
function showKnownTools(hidden: HiddenTools, prompt: Prompt, tools: ReadonlyMap<string, Tool>): void {
  if (hidden.size() === 0) return;
  for (const { name, input } of calledIn(prompt)) {
    const { query } = asFields(parseJson(input));
    if (tools.get(name)?.from.id === FIND_TOOLS && typeof query === 'string') hidden.find(query);
    else hidden.show(name);
  }
}

function withReflection(tools: ReadonlyMap<string, Tool>, agent: AgentChoice | null): ReadonlyMap<string, Tool> {
  if (agent?.agent !== 'classic' || tools.size === 0) return tools;
  return new Map([...tools, [SELF_REFLECTION, selfReflection]]);
}

/** Walks the messages above the question, the newest first. */
async function* rowsAbove({ source, last }: Prompt['branch']) {
  if (last.parentMessageId !== null) yield* source.walkUp(last.parentMessageId);
}
