// Assistants and agents. What an assistant of OpenAI is named, says and can do is kept there: the export has its owner,
// image, files and actions. An agent is whole.
import type { Db } from '@parley/db/client';
import { assistants } from '@parley/db/tables/assistants';
import { endpointTable } from '@parley/schema/catalog/endpoints';
import { ASSISTANT_FILES_MAX, CreateAssistant } from '@parley/schema/assistants/assistant-inputs';
import { cutText, visibleText } from '@parley/schema/tools/foreign-text';
import type { AssistantTool } from '@parley/schema/assistants/assistants';
import { and, eq } from 'drizzle-orm';
import * as z from 'zod';
import { createAssistant, type NewAssistant } from '../../assistants/assistants.ts';
import { saveAssistantAvatar } from '../../assistants/avatar.ts';
import { derivedId } from '../../platform/derived-id.ts';
import { Refusal } from '../../platform/errors.ts';
import { readInstallationBytes } from './bytes.ts';
import { readDocuments } from './documents.ts';
import type { StoredFiles } from './files.ts';
import { documentOwner } from './people/people.ts';
import { skip, type Count, type Report } from './report.ts';
import type { People, Target } from './target.ts';

/** Ids of assistants here by those there. */
export type BroughtAssistants = ReadonlyMap<string, string>;

interface From {
  folder: string;
  people: People;
  kept: StoredFiles;
}

const { shape } = CreateAssistant;
const common = {
  avatar: z
    .object({ filepath: z.string().max(4096) })
    .nullish()
    .catch(null),
  conversation_starters: z.array(z.string().max(1024)).max(12).catch([]),
  file_ids: z.array(z.string().max(256)).catch([]),
};
const Assistant = z.object({
  assistant_id: z.string().min(1).max(256),
  model: shape.model.nullish().catch(null),
  ...common,
});
const fileList = z.object({ file_ids: z.array(z.string().max(256)).catch([]) }).catch({ file_ids: [] });
const Agent = z.object({
  id: z.string().min(1).max(256),
  name: shape.name.catch(null),
  description: shape.description.catch(null),
  instructions: shape.instructions.catch(null),
  provider: z.string().max(128).catch(''),
  model: shape.model,
  tools: z.array(z.string()).catch([]),
  tool_resources: z.object({ file_search: fileList, execute_code: fileList }).partial().catch({}),
  ...common,
});

export async function importAssistants(
  target: Target,
  from: From,
  paths: { assistants: string | null; agents: string | null },
  report: Report,
): Promise<BroughtAssistants> {
  const brought = new Map<string, string>();
  const left = new Set<string>();
  for await (const { document } of paths.assistants === null ? [] : readDocuments(paths.assistants)) {
    const userId = documentOwner(document, from.people, report.assistants);
    const { data } = Assistant.safeParse(document);
    if (userId && data) await bring(userId, data.assistant_id, assistantOf(data), data, report.assistants);
    else if (userId) skip(report.assistants, 'not readable');
  }
  for await (const { document } of paths.agents === null ? [] : readDocuments(paths.agents)) {
    const userId = documentOwner(document && { ...document, user: document.author }, from.people, report.agents);
    const { data } = Agent.safeParse(document);
    if (userId && data) {
      for (const tool of data.tools.filter(isChosenAnew)) left.add(cutText(visibleText(tool), TOOL_NAME_MAX));
      await bring(userId, data.id, agentOf(data), data, report.agents);
    } else if (userId) skip(report.agents, 'not readable');
  }
  addNotes(report, left);
  return brought;

  async function bring(
    userId: string,
    idThere: string,
    input: NewAssistant,
    { avatar, file_ids: fileIds }: Pick<z.infer<typeof Assistant>, 'avatar' | 'file_ids'>,
    count: Count,
  ): Promise<void> {
    const id = idHere(idThere);
    brought.set(idThere, id);
    if (await isThere(target.db, userId, id)) return void (count.present += 1);
    if (target.isDry) return void (count.written += 1);
    const files = fileIds.flatMap((fileId) => from.kept(userId, fileId)?.fileId ?? []);
    try {
      await createAssistant(target.db, userId, { ...input, fileIds: files.slice(0, ASSISTANT_FILES_MAX) }, id);
      const path = avatar ? await readInstallationBytes(from.folder, avatar.filepath) : null;
      if (path !== null) await saveAssistantAvatar(target, userId, id, path);
      count.written += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      skip(count, error.message);
    }
  }
}

/** An operator may allow or leave out assistants by their ids, and conversations name them. */
function idHere(id: string): string {
  if (/^asst_[A-Za-z0-9]{1,64}$/.test(id)) return id;
  return `asst_${derivedId('installation', 'assistant', id).replaceAll('-', '').slice(0, 24)}`;
}

function assistantOf({ model, conversation_starters: starters }: z.infer<typeof Assistant>): NewAssistant {
  return {
    model: model ?? endpointTable.assistants.defaultModel,
    tools: [],
    ...(starters.length > 0 && { metadata: { conversation_starters: starters } }),
  };
}

/** The tools that are parts of Parley come along; any other is chosen anew. */
function agentOf(agent: z.infer<typeof Agent>): NewAssistant {
  const { name, description, instructions, provider, model, tools, conversation_starters: starters } = agent;
  const known: AssistantTool[] = [
    ...(tools.includes('execute_code') ? [{ type: 'code_interpreter' as const }] : []),
    ...(tools.includes('file_search') ? [{ type: 'retrieval' as const }] : []),
  ];
  return {
    endpoint: provider === '' ? null : provider,
    model,
    name,
    description,
    instructions,
    tools: known,
    ...(starters.length > 0 && { metadata: { conversation_starters: starters } }),
  };
}

const TOOL_NAME_MAX = 80;

/** The tools of an action come with it. */
function isChosenAnew(tool: string): boolean {
  return !['execute_code', 'file_search'].includes(tool) && !tool.includes('_action_');
}

function addNotes({ assistants: count, notes }: Report, left: ReadonlySet<string>): void {
  if (count.read > 0)
    notes.push('Names, models, instructions and tools of assistants are kept at OpenAI: fill them in in the builder.');
  if (left.size > 0) notes.push(`Tools of agents that are to be chosen anew: ${[...left].sort().join(', ')}.`);
}

async function isThere({ query }: Db, userId: string, id: string): Promise<boolean> {
  return (await query.$count(assistants, and(eq(assistants.userId, userId), eq(assistants.id, id)))) > 0;
}
