import { messageAttachments, isFailure, type Attachment, type Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import type { Attached, RestMessage } from '../shapes/message.ts';
import { replyText, presentReply, assistantThreadId } from './assistant-content.ts';
import { reasonFailureText } from './failure-text.ts';
import { presentContent, presentText } from './present-content.ts';
import { hasPluginCalls, pluginText, presentPluginCalls } from './present-plugin-calls.ts';
import { waitingText } from './waiting-text.ts';

/** A message as REST clients expect it. Their schema rejects null for optional fields, so unset ones are omitted. */
export function presentMessage(userId: string, message: Message): RestMessage {
  const { messageId, conversationId, parentMessageId, sender, endpoint, model, isCreatedByUser } = message;
  const hasCalls = hasPluginCalls(message);
  const isAssistants = message.endpointType === 'assistants';
  // Clients of the plugins endpoint read the calls from `plugins`.
  const isPlain = isCreatedByUser || hasCalls;
  const content = isPlain ? null : isAssistants ? presentReply(message) : presentContent(message.parts);
  const waiting = waitingText(message.parts);
  const text = hasCalls ? pluginText(message) : wordsOf(message);
  const files = isCreatedByUser ? messageAttachments(message).map(presentAttached) : [];
  const tokenCount = message.tokenCount ?? message.usage?.output;
  return {
    messageId,
    conversationId,
    parentMessageId: parentMessageId ?? NO_PARENT,
    user: userId,
    endpoint,
    // Clients find an assistant's name and image by it.
    model: message.context?.assistantId ?? model,
    sender,
    text: [text, waiting].filter(Boolean).join('\n\n'),
    isCreatedByUser,
    isEdited: message.isEdited,
    unfinished: message.unfinished,
    error: isFailure(message),
    ...(message.finishReason && { finish_reason: message.finishReason }),
    ...(tokenCount !== undefined && { tokenCount }),
    ...(content && { content: waiting === '' ? content : [...content, presentText(waiting)] }),
    ...(hasCalls && { plugins: presentPluginCalls(message.parts) }),
    ...(isAssistants && { thread_id: assistantThreadId(conversationId) }),
    ...(files.length > 0 && { files }),
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
  };
}

/** An attachment as clients show it: what they need of its file document. */
function presentAttached(attached: Attachment): Attached {
  if (attached.type === 'file')
    return { file_id: attached.fileId, filepath: 'vectordb', filename: attached.name, type: attached.mime };
  const { fileId, name, mime, path, width, height } = attached;
  return { file_id: fileId, filepath: path, filename: name ?? '', type: mime ?? 'image/png', width, height };
}

/** The text; clients read the reason of a failure from it. */
function wordsOf(message: Message): string {
  // A failure that was imported keeps the words of the system that it comes from.
  if (message.reason?.type === 'unknown' && message.reason.text !== '' && isFailure(message))
    return message.reason.text;
  return message.reason && isFailure(message)
    ? reasonFailureText(message.reason, { date: message.updatedAt })
    : message.endpointType === 'assistants'
      ? replyText(message.parts)
      : readableText(message);
}
