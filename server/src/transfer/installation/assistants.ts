// Assistants and agents. What an assistant of OpenAI is named, says and can do is kept there: the export has its owner,
// image, files and actions. An agent is whole.
import type { Db } from '@parley/db/client';
import { assistants } from '@parley/db/tables/assistants';
import { cleanText } from '@parley/schema/clean-text';
import { endpointTable } from '@parley/schema/catalog/endpoints';
import {
  ASSISTANT_FILES_MAX,
  ASSISTANT_INSTRUCTIONS_MAX,
  CreateAssistant,
} from '@parley/schema/assistants/assistant-inputs';
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
import type { Brought, Sharing } from './sharing.ts';
import type { People, Target } from './target.ts';

/** Ids of assistants here by those there, with the models of agents. */
export type BroughtAssistants = ReadonlyMap<string, { id: string; model: string | null }>;

interface From {
  folder: string;
  people: People;
  kept: StoredFiles;
  sharing: Sharing;
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
/** What of `tool_resources` an assistant uses here: files that it searches, computes with, or is shown whole. */
const RESOURCES = ['file_search', 'execute_code', 'context', 'ocr'];
const Agent = z.object({
  _id: z.string().max(256).catch(''),
  id: z.string().min(1).max(256),
  name: shape.name.catch(null),
  description: shape.description.catch(null),
  instructions: z.string().nullish().catch(null),
  author: z.string().max(256).catch(''),
  provider: z.string().max(128).catch(''),
  model: shape.model,
  tools: z.array(z.string()).catch([]),
  /** Files by what uses them; `ocr` is the older name of `context`. */
  tool_resources: z.record(z.string(), fileList).nullish().catch(null),
  ...common,
});

export async function importAssistants(
  target: Target,
  from: From,
  paths: { assistants: string | null; agents: string | null },
  report: Report,
): Promise<BroughtAssistants> {
  const brought = new Map<string, { id: string; model: string | null }>();
  const left: Left = { tools: new Set(), cut: [], files: [] };
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
      for (const tool of data.tools.filter(isChosenAnew)) left.tools.add(cutText(visibleText(tool), TOOL_NAME_MAX));
      if ((data.instructions?.length ?? 0) > ASSISTANT_INSTRUCTIONS_MAX) left.cut.push(nameOf(data));
      const isShared = target.config.accounts.allowSharedAssistants && from.sharing.isPublic('agent', data._id);
      const input = { ...agentOf(data), isShared };
      const outcome = await bring(userId, data.id, input, { ...data, file_ids: filesOf(data) }, report.agents);
      if (outcome) from.sharing.note('agent', data._id, { name: nameOf(data), owner: data.author, ...outcome });
    } else if (userId) skip(report.agents, 'not readable');
  }
  addNotes(report, left);
  return brought;

  /** Null for one that is skipped. */
  async function bring(
    userId: string,
    idThere: string,
    input: NewAssistant,
    { avatar, file_ids: fileIds }: Pick<z.infer<typeof Assistant>, 'avatar' | 'file_ids'>,
    count: Count,
  ): Promise<Pick<Brought, 'isShared' | 'isPresent'> | null> {
    const id = idHere(idThere);
    brought.set(idThere, { id, model: input.model });
    const files = fileIds.flatMap((fileId) => from.kept(userId, fileId)?.fileId ?? []);
    if (fileIds.length > Math.min(files.length, ASSISTANT_FILES_MAX) && !target.isDry)
      left.files.push(`${input.name ?? idThere} (${fileIds.length - Math.min(files.length, ASSISTANT_FILES_MAX)})`);
    const present = await findPresent(target.db, userId, id);
    if (present) {
      count.present += 1;
      return { ...present, isPresent: true };
    }
    const outcome = { isShared: input.isShared === true, isPresent: false };
    if (target.isDry) {
      count.written += 1;
      return outcome;
    }
    try {
      await createAssistant(target.db, userId, { ...input, fileIds: files.slice(0, ASSISTANT_FILES_MAX) }, id);
      const path = avatar ? await readInstallationBytes(from.folder, avatar.filepath) : null;
      if (path !== null) await saveAssistantAvatar(target, userId, id, path);
      count.written += 1;
      return outcome;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      skip(count, error.message);
      return null;
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
  const isUsed = (resource: string) => (agent.tool_resources?.[resource]?.file_ids.length ?? 0) > 0;
  const searches = tools.includes('file_search') || ['file_search', 'context', 'ocr'].some(isUsed);
  const known: AssistantTool[] = [
    ...(tools.includes('execute_code') || isUsed('execute_code') ? [{ type: 'code_interpreter' as const }] : []),
    ...(searches ? [{ type: 'retrieval' as const }] : []),
  ];
  return {
    endpoint: provider === '' ? null : provider,
    model,
    name,
    description,
    instructions: instructions ? cutText(cleanText(instructions), ASSISTANT_INSTRUCTIONS_MAX) : null,
    tools: known,
    ...(starters.length > 0 && { metadata: { conversation_starters: starters } }),
  };
}

const TOOL_NAME_MAX = 80;

/** The tools of an action come with it. */
function isChosenAnew(tool: string): boolean {
  return !['execute_code', 'file_search'].includes(tool) && !tool.includes('_action_');
}

/** What of assistants did not come along. */
interface Left {
  /** Names of tools. */
  tools: Set<string>;
  /** Agents whose instructions were too long. */
  cut: string[];
  /** Agents whose files are not all here, with the number of these. */
  files: string[];
}

function addNotes({ assistants: count, notes }: Report, { tools, cut, files }: Left): void {
  if (count.read > 0)
    notes.push('Names, models, instructions and tools of assistants are kept at OpenAI: fill them in in the builder.');
  if (tools.size > 0) notes.push(`Tools of agents that are to be chosen anew: ${[...tools].sort().join(', ')}.`);
  if (cut.length > 0)
    notes.push(`Instructions of agents that were cut at ${ASSISTANT_INSTRUCTIONS_MAX} characters: ${cut.join(', ')}.`);
  if (files.length > 0)
    notes.push(
      `Files of agents that are not in the folder, or more than ${ASSISTANT_FILES_MAX}: ${files.join(', ')}. Add them in the builder.`,
    );
}

function nameOf({ name, id }: z.infer<typeof Agent>): string {
  return cutText(visibleText(name ?? id), TOOL_NAME_MAX);
}

/** Each once, in the order of what uses them. */
function filesOf({ tool_resources: resources, file_ids: own }: z.infer<typeof Agent>): string[] {
  return [...new Set([...RESOURCES.flatMap((name) => resources?.[name]?.file_ids ?? []), ...own])];
}

async function findPresent({ query }: Db, userId: string, id: string): Promise<{ isShared: boolean } | undefined> {
  const isIt = and(eq(assistants.userId, userId), eq(assistants.id, id));
  const [row] = await query.select({ isShared: assistants.isShared }).from(assistants).where(isIt);
  return row;
}
