// What a reply has been shown that its person has not written. Such texts may ask the model to remember something, so a
// reply that was shown any only proposes it. All of the branch counts, also what no longer fits the window: the answers
// that do fit may repeat it.
import type { Query } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import type { ContextRecord, MessagePart, ToolCall, ToolSourceName } from '@parley/schema/messages/messages';
import { FOREIGN_SKILL, isOfOwnSkill } from '@parley/schema/skills/skill-rules';
import { isOfMemory } from '@parley/schema/tools/memory-rules';
import { cutText, visibleText } from '@parley/schema/tools/foreign-text';
import { and, eq, sql } from 'drizzle-orm';
import { isAmong } from '../../convos/rows.ts';
import type { Delta } from '../../generation/delta.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Ask } from '../begin/ask.ts';
import type { AskMemory } from '../context/ask-memory.ts';
import { lineUpFrom } from '../context/history.ts';
import type { Branch, BranchFiles } from './branch-files.ts';

export interface ForeignShown {
  /** Notes what this run is shown. */
  hear(delta: Delta): void;
  /** Notes the tools whose descriptions somebody else has written. */
  offer(tools: Iterable<Pick<Tool, 'from' | 'does'>>): void;
  /** Names all of it, for people; empty where the person has written all. */
  list(): Promise<string[]>;
}

interface Shown {
  ask: Pick<Ask, 'userId' | 'assistant' | 'apiKeyId'>;
  branch: Branch;
  files: BranchFiles;
  memory: Pick<AskMemory, 'origin'>;
}

/** Sources of tools whose descriptions somebody else has written. */
const FOREIGN: ReadonlySet<ToolSourceName> = new Set(['mcp', 'action']);
const NAMED_MAX = 8;
const NAME_CHARS = 80;

export function createForeignShown(query: Query, shown: Shown): ForeignShown {
  const inRun = new Set<string>();
  return {
    hear(delta) {
      if (delta.type === 'tool' && !isOwnWord(delta.call)) inRun.add(delta.call.from?.label ?? delta.call.name);
      if (delta.type === 'made') inRun.add(delta.part.name ?? 'image');
    },
    offer(tools) {
      for (const { from, does } of tools)
        if (FOREIGN.has(from.source) || from.id === FOREIGN_SKILL || does !== undefined) inRun.add(from.label);
    },
    async list() {
      const names = [
        ...namesAtHand(shown),
        ...inRun,
        ...(await namesInBranch(query, shown)),
        ...(await namesOfOrigin(query, shown)),
      ];
      const clean = names.map((name) => cutText(visibleText(name).trim() || '?', NAME_CHARS));
      return [...new Set(clean)].slice(0, NAMED_MAX);
    },
  };
}

/** An assistant or a folder of another person, the files that are shown, and a program that asks. */
function namesAtHand({ ask: { assistant, apiKeyId }, files, branch: { reply, last, sharedFolder } }: Shown): string[] {
  return [
    ...(assistant?.lender ? [assistant.name ?? 'assistant'] : []),
    ...(sharedFolder === null ? [] : [sharedFolder]),
    ...(assistant?.files ?? []).map(({ name }) => name ?? 'image'),
    ...files.shown.record.map(({ name }) => name),
    ...files.files.map(({ name }) => name),
    ...(apiKeyId === undefined ? [] : ['API']),
    ...partsNames(last.parts),
    ...partsNames(reply.parts),
  ];
}

async function namesInBranch(query: Query, { ask, branch }: Shown): Promise<string[]> {
  const { userId, assistant } = ask;
  const names: string[] = [];
  const ids: string[] = [];
  for await (const { id, parts } of lineUpFrom(branch.source, branch.last)) {
    names.push(...partsNames(parts));
    if (id !== null) ids.push(id);
  }
  if (branch.reply.context) names.push(...contextNames(branch.reply.context, assistant));
  const hasContext = sql`${messages.context} ?| array['files', 'images', 'assistantId', 'sharedFolder']`;
  const rows = await query
    .select({ context: messages.context })
    .from(messages)
    .where(and(eq(messages.userId, userId), isAmong(messages.id, ids), hasContext));
  return [...names, ...rows.flatMap(({ context }) => (context ? contextNames(context, assistant) : []))];
}

/** Calls, and what was attached or made. */
function partsNames(parts: readonly MessagePart[]): string[] {
  return parts.flatMap((part) => {
    if (part.type === 'tool_call') return isOwnWord(part.call) ? [] : [part.call.from?.label ?? part.call.name];
    if (part.type === 'file' || part.type === 'image') return [part.name ?? 'image'];
    return [];
  });
}

/** Whether a call shows nothing but what the person wrote: what is remembered, and their own skills. */
function isOwnWord(call: ToolCall): boolean {
  return isOfMemory(call) || isOfOwnSkill(call);
}

/** An assistant of one's own that answers again has shown nothing new. */
function contextNames(
  { files = [], images = [], assistantId, sharedFolder }: ContextRecord,
  assistant: Ask['assistant'],
): string[] {
  const isOwn = assistantId === undefined || (assistant?.id === assistantId && !assistant.lender);
  return [
    ...files.map(({ name }) => name),
    ...images.map(({ name }) => name ?? 'image'),
    ...(isOwn ? [] : ['another assistant']),
    ...(sharedFolder ? ['a shared project'] : []),
  ];
}

/** A conversation that was imported, or copied from one that was. */
async function namesOfOrigin(query: Query, { ask: { userId }, branch: { convo }, memory }: Shown): Promise<string[]> {
  const imported = ['an imported chat'];
  if (memory.origin !== null) return imported;
  if (convo.forkedFrom === null) return [];
  const rows = await query.execute(sql`
    with recursive line as (
      select c.id, c.origin, c.arrived_at, c.forked_from from ${convos} c
      where c.user_id = ${userId} and c.id = ${convo.conversationId}
      union
      select c.id, c.origin, c.arrived_at, c.forked_from from ${convos} c
      join line on c.id = (line.forked_from ->> 'conversationId')::uuid
      where c.user_id = ${userId}
    )
    select from line where origin is not null or arrived_at is not null limit 1`);
  return rows.length > 0 ? imported : [];
}
