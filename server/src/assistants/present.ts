import type { assistants } from '@parley/db/tables/assistants';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { isoTime } from '../platform/iso-time.ts';

export type AssistantRow = typeof assistants.$inferSelect;

export function presentAssistant(row: AssistantRow, fileIds: readonly string[]): Assistant {
  const { id, endpoint, model, name, description, instructions, tools, sources, metadata, isShared, knowsAsker } = row;
  return {
    assistantId: id,
    endpoint,
    model,
    name,
    description,
    instructions,
    tools,
    fileIds: [...fileIds],
    sources,
    metadata,
    isShared,
    knowsAsker,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}
