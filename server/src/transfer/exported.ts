// The files of Parley's own export and of the reference system's.
import { endpointTable, type EndpointType } from '@parley/schema/endpoints';
import { NO_PARENT } from '@parley/schema/no-parent';
import type { Settings } from '@parley/schema/params';
import { readReason } from '@parley/schema/transfer-reason';
import { parseSettings } from '@parley/schema/settings';
import { ExportedMessage, ExportedOptions, type ExportedConvo } from '@parley/schema/transfer-exported';
import { partsOf } from './exported-parts.ts';
import type { SourceConvo, SourceMessage } from './source.ts';

/** Where the file names no endpoint. */
const DEFAULT_ENDPOINT = 'openAI';

export function readExported(file: ExportedConvo): SourceConvo {
  const options = ExportedOptions.parse(file.options ?? {});
  const found = listMessages(file);
  const newest = found.messages.findLast((message) => !message.isCreatedByUser) ?? found.messages[0];
  const endpoint = file.endpoint ?? newest?.endpoint ?? DEFAULT_ENDPOINT;
  const endpointType = typeOf(endpoint, options.endpointType ?? newest?.endpointType ?? null);
  const model = options.model ?? newest?.model ?? null;
  return {
    id: file.conversationId,
    title: file.title,
    endpoint,
    endpointType,
    model,
    settings: settingsOf(endpointType, model, file.options ?? {}),
    isArchived: false,
    createdAt: null,
    updatedAt: null,
    messages: found.messages.map((message) => translate(message, { endpoint, endpointType })),
    dropped: found.dropped,
  };
}

/** The messages of a list or of a tree, in the order of the file. A tree may be deeper than a call stack. */
function listMessages({ messages, messagesTree }: ExportedConvo): { messages: ExportedMessage[]; dropped: number } {
  const found: ExportedMessage[] = [];
  let dropped = 0;
  const waiting = (messages ?? messagesTree ?? []).map((value) => ({ value, under: null as string | null }));
  waiting.reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
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

function translate(message: ExportedMessage, convo: { endpoint: string; endpointType: EndpointType }): SourceMessage {
  const endpoint = message.endpoint ?? convo.endpoint;
  const isSame = endpoint === convo.endpoint;
  // What the reference system calls an error is a message whose text says what went wrong.
  const reason = readReason(message.reason) ?? (message.error ? { type: 'unknown', text: message.text } : null);
  const isOnlyError = message.error && message.parts === undefined && message.content === undefined;
  return {
    id: message.messageId,
    parentId: message.parentMessageId ?? null,
    isCreatedByUser: message.isCreatedByUser,
    sender: message.sender ?? (message.isCreatedByUser ? 'User' : 'AI'),
    endpoint,
    endpointType: typeOf(endpoint, message.endpointType ?? (isSame ? convo.endpointType : null)),
    model: message.model,
    parts: isOnlyError ? [] : partsOf(message),
    finishReason: message.finish_reason,
    reason: message.isCreatedByUser ? null : reason,
    unfinished: message.unfinished,
    isEdited: message.isEdited,
    usage: message.usage,
    context: message.context,
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
  };
}

/** An endpoint that is no kind of its own is a custom one by that name. */
function typeOf(endpoint: string, told: EndpointType | null): EndpointType {
  if (Object.hasOwn(endpointTable, endpoint)) return endpoint as EndpointType;
  return told ?? 'custom';
}

/** Each setting by itself: one that is out of bounds is the default here and spoils no other. */
function settingsOf(type: EndpointType, model: string | null, options: Record<string, unknown>): Settings {
  const settings: Settings = {};
  for (const name of Object.keys(endpointTable[type].params)) {
    try {
      Object.assign(settings, parseSettings(type, { [name]: options[name] }, model));
    } catch {
      continue;
    }
  }
  return settings;
}
