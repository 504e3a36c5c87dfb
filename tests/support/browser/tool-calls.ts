// Replies with tool calls, as a run would have left them.
import { connect } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { Attachment, FinishReason, MessagePart } from '@parley/schema/messages/messages';
import { messageAttachments } from '@parley/schema/messages/messages';
import { and, eq } from 'drizzle-orm';
import { callFromFacts, type CallFacts } from '../tools/call-facts.ts';
import type { App } from './app.ts';

/** A finished call of a built-in tool. */
export function toolCall(rest: CallFacts = {}): MessagePart {
  const call = callFromFacts({
    id: '0:0',
    kind: 'function',
    name: 'calculator',
    input: '{"expression":"6*7"}',
    output: '42',
    progress: 1,
    step: 0,
    from: { source: 'builtin', id: 'calculator', label: 'Calculator' },
    state: 'done',
    tookMs: 420,
    ...rest,
  });
  return { type: 'tool_call', call };
}

/** A finished run of code. */
export function codeCall(rest: CallFacts = {}): MessagePart {
  return toolCall({
    kind: 'code_interpreter',
    name: 'code_interpreter',
    from: { source: 'builtin', id: 'code_interpreter', label: 'Code interpreter' },
    ...rest,
  });
}

/** Gives the answer of a conversation, its only one, other parts. */
export async function setAnswer(
  app: App,
  conversationId: string,
  parts: MessagePart[],
  finishReason: FinishReason = 'stop',
): Promise<void> {
  const db = connect(app.database, { max: 1 });
  await db.query
    .update(messages)
    .set({ parts, finishReason })
    .where(and(eq(messages.convoId, conversationId), eq(messages.isCreatedByUser, false)));
  await db.end();
}

/** The files attached to the question of a conversation. */
export async function attachedFiles(app: App, conversationId: string): Promise<Attachment[]> {
  const db = connect(app.database, { max: 1 });
  const rows = await db.query
    .select({ parts: messages.parts })
    .from(messages)
    .where(and(eq(messages.convoId, conversationId), eq(messages.isCreatedByUser, true)));
  await db.end();
  return rows.flatMap(messageAttachments);
}
