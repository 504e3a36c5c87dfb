import type { Assistant } from '@parley/schema/assistants/assistants';
import type { AssistantDocument, RestAssistant } from '../shapes/assistant.ts';

/** An assistant in the first version of OpenAI's protocol for them, as REST clients expect it. */
export function presentRestAssistant(assistant: Assistant): RestAssistant {
  const { assistantId, name, description, model, instructions, tools, fileIds, metadata, endpoint } = assistant;
  return {
    id: assistantId,
    object: 'assistant',
    created_at: Math.floor(Date.parse(assistant.createdAt) / 1000),
    name,
    description,
    model,
    instructions,
    tools,
    file_ids: fileIds,
    metadata,
    // Ours; absent where the operator's default answers.
    ...(endpoint !== null && { endpoint }),
  };
}

/** What this server keeps beside the assistant. `actions` are named `<domain>_action_<id>`. */
export function presentDocument(userId: string, assistant: Assistant, actions: readonly string[]): AssistantDocument {
  const { assistantId, fileIds, metadata, createdAt, updatedAt } = assistant;
  const { avatar, avatar_source: source } = metadata;
  return {
    user: userId,
    assistant_id: assistantId,
    ...(avatar !== undefined && { avatar: { filepath: avatar, source: source ?? 'local' } }),
    file_ids: fileIds,
    actions: [...actions],
    createdAt,
    updatedAt,
  };
}
