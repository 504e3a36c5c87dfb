// What an assistant's tools are to the loop: keys of tools, and files.
import type { Query } from '@parley/db/client';
import type { AssistantTool } from '@parley/schema/assistants/assistants';
import { serverToolKey } from '@parley/schema/tools/mcp-servers';
import type { Attachment, FilePart, Message } from '@parley/schema/messages/messages';
import { readAssistantFiles } from './assistant-files.ts';
import type { ActionStore } from './action-store.ts';
import type { AssistantRow } from './present.ts';
import { IMAGE_VISION } from './tool-catalog.ts';
import type { Lender } from '../tools/tool.ts';
import type { AssistantRules } from './rules.ts';
import { isStillShared } from './still-shared.ts';

export interface ChosenByAssistant {
  /** As `ToolInfo.key`, of all sources. */
  keys: string[];
  /** Its files, for the tools that may read them; of one that another shares, for the search alone. */
  files: Attachment[];
  /** Set where it is another's: whose tools and files are used. */
  lender?: Lender;
  /** Whether its files take part in retrieval, as if attached to each question. */
  searchesFiles: boolean;
}

/** Between the operation and the domain in the name of an action's function. */
const ACTION_MARK = '_action_';
/** Begins the key of a tool server, in whose name anything may stand. */
const SERVER_MARK = 'mcp:';

/** The tools but the functions of actions. */
export function withoutActions(tools: readonly AssistantTool[]): AssistantTool[] {
  return tools.filter((tool) => tool.type !== 'function' || !isOfAction(tool.function.name));
}

function isOfAction(name: string): boolean {
  return name.includes(ACTION_MARK) && !name.startsWith(SERVER_MARK);
}

interface From {
  query: Query;
  actions: Pick<ActionStore, 'list'>;
  rules: AssistantRules;
}

/**
 * The tools of an assistant that the operator's capabilities leave on. A person who is answered by another's gets them through
 * its owner: of the files only what a search finds, so the code interpreter has none of them.
 */
export async function findChosenTools(
  { query, actions, rules }: From,
  row: AssistantRow,
  userId: string,
): Promise<ChosenByAssistant> {
  const isOwn = row.userId === userId;
  const uses = (tool: 'code_interpreter' | 'retrieval') =>
    rules.capabilities.includes(tool) && row.tools.some(({ type }) => type === tool);
  const interprets = uses('code_interpreter');
  const { retrievalModels } = rules;
  const searchesFiles = uses('retrieval') && (!retrievalModels || retrievalModels.includes(row.model));
  const names = withoutActions(row.tools).flatMap((tool) => (tool.type === 'function' ? keysOf(tool.function) : []));
  const named = rules.capabilities.includes('tools') ? names.filter((name) => name !== IMAGE_VISION) : [];
  const own = rules.capabilities.includes('actions') ? await actions.list(row.userId, row.id) : [];
  const keys = [...(interprets ? ['code_interpreter'] : []), ...named, ...own.map(({ id }) => `action:${id}`)];
  const usesFiles = searchesFiles || (isOwn && interprets);
  const files = usesFiles ? await readAssistantFiles(query, row) : [];
  if (isOwn) return { keys, files, searchesFiles };
  const lender = { userId: row.userId, keys, isLending: () => isStillShared(query, row) };
  return { keys, files, searchesFiles, lender };
}

/** Of a tool server of which it uses only some tools, also the keys of these. */
function keysOf({ name, parameters }: Extract<AssistantTool, { type: 'function' }>['function']): string[] {
  const { tools } = name.startsWith(SERVER_MARK) ? (parameters ?? {}) : {};
  if (!Array.isArray(tools)) return [name];
  if (tools.length === 0) return [];
  return [name, ...tools.map((tool) => serverToolKey(name, String(tool)))];
}

/** The question with the files that its assistant searches, as if they were attached to it. */
export function withKnowledge<Question extends Pick<Message, 'parts'>>(
  question: Question,
  assistant: Pick<ChosenByAssistant, 'files' | 'searchesFiles'> | null,
): Question {
  return assistant?.searchesFiles ? withFiles(question, assistant.files) : question;
}

/** The question with those of the files that it doesn't have, but not with pictures. */
export function withFiles<Question extends Pick<Message, 'parts'>>(
  question: Question,
  files: readonly Attachment[],
): Question {
  const attached = new Set(question.parts.map((part) => ('fileId' in part ? part.fileId : null)));
  const more = files.filter((file): file is FilePart => file.type === 'file' && !attached.has(file.fileId));
  return more.length > 0 ? { ...question, parts: [...question.parts, ...more] } : question;
}
