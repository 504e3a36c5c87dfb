// Reads the export files of Parley and of LibreChat.
import { rowReader } from '@parley/db/travelling';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { hasKey } from '@parley/schema/entries';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import type { Settings } from '@parley/schema/catalog/params';
import { readReason } from '@parley/schema/transfer/reason';
import { TEXT_MAX } from '@parley/schema/chat/ask';
import { COLUMNS_MAX, type Column } from '@parley/schema/chat/columns';
import { maybe, SourceId } from '@parley/schema/transfer/fields';
import { cleanText } from '@parley/schema/clean-text';
import { parseSettings } from '@parley/schema/settings/settings';
import { ExportedMessage, ExportedOptions, type ExportedConvo } from '@parley/schema/transfer/exported';
import * as z from 'zod';
import type { MessagePart } from '@parley/schema/messages/messages';
import { readExportedParts } from './exported-parts.ts';
import { nothingStored, relinkContext, relinkSettings, type StoredLinks } from './stored-links.ts';
import type { Slices } from '../platform/event-loop.ts';
import { CONVO_FIELDS, MESSAGE_FIELDS, type SourceConvo, type SourceMessage } from './source.ts';

/** The default when the file names no endpoint. */
const DEFAULT_ENDPOINT = 'openAI';

const readOthersOfConvo = rowReader('convos', {}, CONVO_FIELDS);
const readOthersOfMessage = rowReader(
  'messages',
  { summary: z.string().max(TEXT_MAX).overwrite(cleanText).nullable() },
  MESSAGE_FIELDS,
);

const name = z.string().min(1).max(256).overwrite(cleanText);
/** Columns of a conversation that name other rows. */
const Naming = z.object({
  columns: maybe(
    z
      .array(
        z.object({
          endpoint: name,
          model: name.nullable().catch(null),
          settings: z.record(z.string(), z.unknown()).catch({}),
          replyId: SourceId,
        }),
      )
      .max(COLUMNS_MAX),
  ),
  forkedFrom: maybe(z.object({ conversationId: SourceId, messageId: SourceId })),
});

/**
 * `value` is what was parsed to `file`, which has columns by their names, too. `stored` finds the files of which more
 * than the name is known here.
 */
export async function readExported(
  value: unknown,
  file: ExportedConvo,
  slices: Slices,
  stored: StoredLinks = nothingStored,
): Promise<SourceConvo> {
  const options = ExportedOptions.parse(file.options ?? {});
  const found = await listMessages(file, slices);
  const newest = found.messages.findLast((message) => !message.isCreatedByUser) ?? found.messages[0];
  const endpoint = file.endpoint ?? newest?.endpoint ?? DEFAULT_ENDPOINT;
  const endpointType = typeOf(endpoint, options.endpointType ?? newest?.endpointType ?? null);
  const model = options.model ?? newest?.model ?? null;
  const translated: SourceMessage[] = [];
  let unread = 0;
  for (const message of found.messages) {
    const read = readExportedParts(message, stored.file);
    unread += read.unread;
    translated.push(translate(message, read.parts, { endpoint, endpointType, stored }));
    await slices.spend();
  }
  const { columns, forkedFrom } = Naming.parse(value);
  return {
    id: file.conversationId,
    title: file.title,
    endpoint,
    endpointType,
    model,
    settings: relinkSettings(settingsOf(endpointType, model, file.options ?? {}), stored),
    isArchived: file.isArchived,
    isPinned: file.isPinned,
    ...(file.folder && { folder: file.folder }),
    ...(columns && { columns: columns.map((column) => relinkColumn(column, stored)) }),
    ...(forkedFrom && { forkedFrom }),
    others: readOthersOfConvo(value),
    createdAt: file.createdAt,
    updatedAt: file.updatedAt,
    messages: translated,
    dropped: found.dropped + unread,
    droppedMessages: found.dropped,
  };
}

/** With settings that fit its endpoint, and the ids of assistants here. */
function relinkColumn(
  { settings, ...column }: Omit<Column, 'settings'> & { settings: Record<string, unknown> },
  stored: StoredLinks,
): Column {
  const type = typeOf(column.endpoint, null);
  return { ...column, settings: relinkSettings(settingsOf(type, column.model, settings), stored) };
}

/** A message with what it was parsed from. */
type ListedMessage = ExportedMessage & { value: unknown };

/** The messages of a list or a tree, in file order. Never recurses: a tree may be deeper than the call stack. */
async function listMessages(
  { messages, messagesTree }: ExportedConvo,
  slices: Slices,
): Promise<{ messages: ListedMessage[]; dropped: number }> {
  const found: ListedMessage[] = [];
  let dropped = 0;
  const waiting = (messages ?? messagesTree ?? []).map((value) => ({ value, under: null as string | null }));
  waiting.reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    await slices.spend();
    const parsed = ExportedMessage.safeParse(next.value);
    if (!parsed.success) {
      dropped += 1;
      continue;
    }
    const { children, ...message } = parsed.data;
    const under = next.under ?? message.parentMessageId ?? null;
    const parentMessageId = under === NO_PARENT ? null : under;
    found.push({ ...message, children: [], parentMessageId, value: next.value });
    for (const value of children.toReversed()) waiting.push({ value, under: message.messageId });
  }
  return { messages: found, dropped };
}

function translate(
  message: ListedMessage,
  parts: MessagePart[],
  convo: { endpoint: string; endpointType: EndpointType; stored: StoredLinks },
): SourceMessage {
  const endpoint = message.endpoint ?? convo.endpoint;
  const isSame = endpoint === convo.endpoint;
  // LibreChat stores an error as a message whose text gives the reason.
  const reason = readReason(message.reason) ?? (message.error ? { type: 'unknown', text: message.text } : null);
  const isOnlyError = message.error && !message.parts?.length && !message.content?.length;
  return {
    id: message.messageId,
    parentId: message.parentMessageId ?? null,
    isCreatedByUser: message.isCreatedByUser,
    sender: message.sender ?? (message.isCreatedByUser ? 'User' : 'AI'),
    endpoint,
    endpointType: typeOf(endpoint, message.endpointType ?? (isSame ? convo.endpointType : null)),
    model: message.model,
    parts: isOnlyError ? [] : parts,
    finishReason: message.finish_reason,
    reason: message.isCreatedByUser ? null : reason,
    unfinished: message.unfinished,
    isEdited: message.isEdited,
    usage: message.usage,
    context: message.context && relinkContext(message.context, convo.stored),
    ...(message.rating && !message.isCreatedByUser && { rating: message.rating }),
    tokenCount: message.tokenCount,
    others: readOthersOfMessage(message.value),
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
  };
}

/** An unknown endpoint is a custom one of that name. */
function typeOf(endpoint: string, told: EndpointType | null): EndpointType {
  return hasKey(endpointTable, endpoint) ? endpoint : (told ?? 'custom');
}

/** Checks each setting by itself: an invalid one falls back to the default without affecting the others. */
function settingsOf(type: EndpointType, model: string | null, given: Record<string, unknown>): Settings {
  const options: Record<string, unknown> = { ...given, tools: toolKeysOf(given.tools) };
  const settings: Settings = {};
  for (const name of Object.keys(endpointTable[type].params)) {
    if (options[name] === undefined || options[name] === null) continue;
    try {
      Object.assign(settings, parseSettings(type, { [name]: options[name] }, model));
    } catch {
      continue;
    }
  }
  return settings;
}

const NamedTool = z.union([z.string(), z.object({ pluginKey: z.string() }).transform(({ pluginKey }) => pluginKey)]);

/** The reference system writes whole plugins, of which the keys count. */
function toolKeysOf(tools: unknown): unknown {
  return Array.isArray(tools) ? tools.flatMap((tool) => NamedTool.safeParse(tool).data ?? []) : tools;
}
