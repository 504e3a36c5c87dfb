// Converts conversations of Claude's data export.
import { FOLDER_NAME_MAX } from '@parley/schema/convos/folder-rules';
import type { MessagePart } from '@parley/schema/messages/messages';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import { ClaudeMessage, type ClaudeArtifact, type ClaudeConvo } from '@parley/schema/transfer/claude';
import type { Slices } from '../../platform/event-loop.ts';
import { type SourceConvo, type SourceMessage, UNTOLD } from '../source.ts';
import { partsOfClaude } from './claude-parts.ts';
import { countLeftOut } from './left-out.ts';
import { countedFields } from './plain-message.ts';

const ENDPOINT = { endpoint: 'anthropic', endpointType: 'anthropic' } as const;

export async function readClaude(file: ClaudeConvo, slices: Slices): Promise<SourceConvo> {
  const messages: SourceMessage[] = [];
  const counted = countLeftOut();
  const artifacts = new Map<string, ClaudeArtifact>();
  for (const value of file.chat_messages) {
    await slices.spend();
    const { data } = ClaudeMessage.safeParse(value);
    if (!data) counted.add('message');
    else {
      const parts = partsOfClaude(data, { leftOut: counted, artifacts });
      messages.push(messageOf(data, messages.at(-1)?.id ?? null, file.model, parts));
    }
  }
  return {
    ...ENDPOINT,
    id: file.uuid,
    title: file.name,
    model: file.model,
    settings: {},
    isArchived: false,
    createdAt: file.created_at,
    updatedAt: file.updated_at,
    messages,
    ...folderOf(file),
    ...countedFields(counted),
  };
}

/** That of its project, which `projects.json` has made before where the file came with it. */
function folderOf({ project, project_uuid: uuid }: ClaudeConvo): Pick<SourceConvo, 'folder'> {
  const id = project?.uuid ?? uuid;
  if (!id) return {};
  const name = (project?.name ?? 'Claude project').slice(0, FOLDER_NAME_MAX);
  return { folder: { id, name, color: null, instructions: '' } };
}

/** Older exports name no parents: their messages follow each other. */
function messageOf(
  message: ClaudeMessage,
  before: string | null,
  model: string | null,
  parts: MessagePart[],
): SourceMessage {
  const isCreatedByUser = message.sender === 'human';
  const parent = message.parent_message_uuid ?? before;
  return {
    ...ENDPOINT,
    id: message.uuid,
    parentId: parent === NO_PARENT ? null : parent,
    isCreatedByUser,
    sender: isCreatedByUser ? 'User' : 'Claude',
    model,
    parts,
    finishReason: isCreatedByUser ? null : 'stop',
    ...UNTOLD,
    createdAt: message.created_at,
    updatedAt: message.updated_at,
  };
}
