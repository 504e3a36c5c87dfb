// What the keys for the last answer and its last code copy, from the chat on screen.
import type { Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import type { ThreadNode } from '@parley/schema/messages/thread';
import type { Store } from '../../lib/jotai-store.ts';
import { copyText } from '../../lib/clipboard.ts';
import { FIRST_SLOT, slotAtom } from '../../slots/slot.ts';
import { api, queryClient } from '../../trpc.ts';
import { branchesAtom, shownPath } from '../cache/branches.ts';
import { EMPTY_THREAD } from '../cache/stored-thread.ts';
import { findThread } from '../cache/thread-query.ts';
import { exchangesAtom, listExchanges } from '../exchanges/exchange.ts';
import { rowKey } from '../scroll/row-key.ts';
import { writtenMessages, withExchanges } from '../thread/with-exchanges.ts';
import { copyMessage } from './copy-message.ts';
import { lastCode } from './last-code.ts';

/** Copies the last answer of the branch on screen, as its button does. False if there is none or the browser refuses. */
export async function copyLastAnswer(store: Store): Promise<boolean> {
  const answer = await lastAnswer(store);
  return answer !== null && copyMessage(answer.text, articleOf(answer.node));
}

/** Copies the last code block of the last answer. False if it has none or the browser refuses. */
export async function copyLastCode(store: Store): Promise<boolean> {
  const answer = await lastAnswer(store);
  const code = answer && lastCode(answer.text);
  return typeof code === 'string' && copyText(code);
}

interface Answer {
  node: ThreadNode;
  text: string;
}

async function lastAnswer(store: Store): Promise<Answer | null> {
  const { conversationId } = store.get(slotAtom(FIRST_SLOT));
  const { tree: stored, bodies } = findThread(queryClient, conversationId) ?? EMPTY_THREAD;
  const written = writtenMessages(listExchanges(store, conversationId));
  const path = shownPath(withExchanges(stored, written), store.get(branchesAtom)[conversationId] ?? {});
  for (const node of path.toReversed()) {
    if (node.isCreatedByUser) continue;
    const { messageId } = node;
    const known = written.get(messageId) ?? bodies.get(messageId) ?? (await readBody(conversationId, messageId));
    const text = known ? readableText(newest(store, known)) : '';
    if (text !== '') return { node, text };
  }
  return null;
}

/** The last answer may be far from what is on screen, and so not loaded. */
async function readBody(conversationId: string, messageId: string): Promise<Message | undefined> {
  const read = await api.messages.bodies.query({ conversationId, messageIds: [messageId] }).catch(() => []);
  return read[0];
}

/** A reply in progress, as far as it has come. */
function newest(store: Store, message: Message): Message {
  const atoms = store.get(exchangesAtom).get(message.generationId ?? '');
  return atoms ? store.get(atoms.reply) : message;
}

/** Where the message is drawn, if it is. */
function articleOf(node: ThreadNode): ParentNode | null {
  return document.querySelector(`[role=log] [data-key="${CSS.escape(rowKey(node))}"] article`);
}
