import type { ThreadNode } from '@parley/schema/messages/thread';
import { listSiblings } from '@parley/schema/messages/tree';
import { useSetAtom } from 'jotai';
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ThreadImagesProvider } from '../attachments/thread-images.tsx';
import { chooseBranchesAtom, choicesTo } from '../cache/branches.ts';
import { ContextCutoff } from '../context/context-cutoff.tsx';
import { MessageView } from '../message/message-view.tsx';
import { useChatSession } from '../chat-session-context.tsx';
import { QuoteOffer } from '../quote/quote-offer.tsx';
import { RowList } from './row-list.tsx';
import classes from './thread.module.css';
import { ThreadArtifacts } from './thread-artifacts.tsx';
import { useLoadBodies } from './use-load-bodies.ts';
import { useKeepFocus } from './use-keep-focus.ts';
import type { Chat } from '../use-chat.ts';
import { useMarkLinkedMessage } from './use-mark-linked-message.ts';
import { useRows } from '../scroll/use-rows.ts';
import { useStopKey } from './use-stop-key.ts';
import { composerId } from '../../slots/focus-composer.ts';
import { useSlotIndex } from '../../slots/slot.ts';
import { useEventListener } from '../../ui/hooks/use-event-listener.ts';

/**
 * The messages of the branch on screen. One instance per conversation: it opens at the stored scroll position, else at
 * the end.
 */
export function Thread({ chat }: { chat: Chat }) {
  return (
    <ThreadImagesProvider chat={chat}>
      <ThreadArtifacts chat={chat}>
        <Rows chat={chat} />
      </ThreadArtifacts>
    </ThreadImagesProvider>
  );
}

function Rows({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const { tree, path, slot, findMessage } = chat;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const rows = useRows(slot.conversationId, path, { scroller, content });
  useLoadBodies(slot.conversationId, chat, rows.range);
  const askedReply = useAskedReply(chat, rows.toEnd);
  const choose = useSetAtom(chooseBranchesAtom);
  const mark = useMarkLinkedMessage(path, rows.toRow, (messageId) => {
    if (tree.byId.has(messageId)) choose(slot.conversationId, choicesTo(tree, messageId));
  });
  useKeepFocus(scroller, chat.generationId !== null);
  useStopKey(chat);
  useRecallKey();
  const seen = findMessage(path.at(-1)?.messageId ?? '')?.context;

  return (
    <div className={classes.frame}>
      <RowList
        {...{ path, findMessage, rows, scroller, content }}
        label={t('com_chat_thread')}
        classNames={CLASS_NAMES}
        attributesOf={(node) => ({ ...mark.of(node), ...(node.messageId === askedReply && ASKED) })}
      >
        {(node, pending) => (
          <>
            {seen && seen.omitted > 0 && seen.oldestId === node.messageId && <ContextCutoff context={seen} />}
            {pending ?? <Row chat={chat} node={node} />}
          </>
        )}
      </RowList>
      <QuoteOffer thread={scroller} />
    </div>
  );
}

const CLASS_NAMES = { scroller: classes.scroller, content: classes.column };
const ASKED = { 'data-asked': true };

function Row({ chat, node }: { chat: Chat; node: ThreadNode }) {
  const message = chat.findMessage(node.messageId);
  if (!message) return null;
  const siblings = listSiblings(chat.tree, node);
  return (
    <MessageView
      message={message}
      exchange={chat.exchangeOf.get(node.messageId)}
      isWriting={chat.generationId !== null && message.generationId === chat.generationId}
      isLatest={node === chat.path.at(-1)}
      hasQuestion={chat.tree.byId.get(node.parentMessageId ?? '')?.isCreatedByUser === true}
      isBusy={chat.generationId !== null}
      siblingIndex={siblings.indexOf(node)}
      siblingCount={siblings.length}
      actions={chat.actions}
    />
  );
}

/**
 * The last reply that this page asked for. The user wants to see it: its question scrolls to the top of the viewport,
 * and the reply has the space below. A reply asked for elsewhere does not scroll.
 */
function useAskedReply({ running }: Chat, toEnd: (behavior: ScrollBehavior) => void): string | null {
  const { exchanges } = useChatSession();
  const [asked, setAsked] = useState<string | null>(null);
  const generationId = running?.generationId;
  const replyId = running?.reply.messageId ?? null;
  const noteAsked = useEffectEvent(() => {
    if (generationId && exchanges.findPendingAsk(generationId)) setAsked(replyId);
  });
  const showAsked = useEffectEvent(() => asked && toEnd('instant'));
  // Only a new exchange scrolls the thread.
  // oxlint-disable-next-line react/set-state-in-effect -- a store is not read while rendering
  useLayoutEffect(() => noteAsked(), [generationId]);
  useLayoutEffect(() => void showAsked(), [asked, generationId]);
  return asked;
}

/** ArrowUp in an empty message box edits the last question. */
function useRecallKey(): void {
  const index = useSlotIndex();
  useEventListener('keydown', (event) => {
    const { target } = event;
    const isPlain = !event.isComposing && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key !== 'ArrowUp' || !isPlain || !(target instanceof HTMLTextAreaElement)) return;
    if (target.id !== composerId(index) || target.value !== '') return;
    const edits = document.querySelectorAll<HTMLElement>('[role=log] [data-own] [data-action=edit]');
    const last = edits[edits.length - 1];
    if (!last) return;
    event.preventDefault();
    last.click();
  });
}
