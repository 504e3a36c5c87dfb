// Reads the export files of Parley and of LibreChat.
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import type { Settings } from '@parley/schema/catalog/params';
import { readReason } from '@parley/schema/transfer/reason';
import { parseSettings } from '@parley/schema/settings/settings';
import { ExportedMessage, ExportedOptions, type ExportedConvo } from '@parley/schema/transfer/exported';
import * as z from 'zod';
import type { MessagePart } from '@parley/schema/messages/messages';
import { readExportedParts } from './exported-parts.ts';
import { nothingStored, relinkContext, relinkSettings, type FindFile, type StoredLinks } from './stored-links.ts';
import type { Slices } from '../platform/event-loop.ts';
import type { SourceConvo, SourceMessage } from './source.ts';

/** The default when the file names no endpoint. */
const DEFAULT_ENDPOINT = 'openAI';

/** `kept` finds the files of which more than the name is known here. */
export async function readExported(
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
    translated.push(translate(message, read.parts, { endpoint, endpointType, kept: stored.file }));
    await slices.spend();
  }
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
    createdAt: file.createdAt,
    updatedAt: file.updatedAt,
    messages: translated,
    dropped: found.dropped + unread,
    droppedMessages: found.dropped,
  };
}

/** The messages of a list or a tree, in file order. Never recurses: a tree may be deeper than the call stack. */
async function listMessages(
  { messages, messagesTree }: ExportedConvo,
  slices: Slices,
): Promise<{ messages: ExportedMessage[]; dropped: number }> {
  const found: ExportedMessage[] = [];
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
    found.push({ ...message, children: [], parentMessageId: under === NO_PARENT ? null : under });
    for (const value of children.toReversed()) waiting.push({ value, under: message.messageId });
  }
  return { messages: found, dropped };
}

function translate(
  message: ExportedMessage,
  parts: MessagePart[],
  convo: { endpoint: string; endpointType: EndpointType; kept: FindFile },
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
    context: message.context && relinkContext(message.context, convo.kept),
    ...(message.rating && !message.isCreatedByUser && { rating: message.rating }),
    tokenCount: message.tokenCount,
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
  };
}

/** An unknown endpoint is a custom one of that name. */
function typeOf(endpoint: string, told: EndpointType | null): EndpointType {
  if (Object.hasOwn(endpointTable, endpoint)) return endpoint as EndpointType;
  return told ?? 'custom';
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
