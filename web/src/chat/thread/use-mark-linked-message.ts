import type { ThreadNode } from '@parley/schema/messages/thread';
import { useStore } from 'jotai';
import { useEffect, useLayoutEffect, useState } from 'react';
import { chooseBranchesAtom, choicesTo } from '../cache/branches.ts';
import { clearLinkedMessage, useLinkedMessage } from './linked-message.ts';
import type { Chat } from '../use-chat.ts';
import type { Rows } from '../scroll/use-rows.ts';

/** Duration of the highlight of a linked message, in milliseconds. */
const MARKED_MS = 2000;

/**
 * Opens the linked message: selects its branch, scrolls to it, highlights it, and focuses it so that a screen reader
 * reads it. Returns the attributes for a row.
 */
export function useMarkLinkedMessage({ tree, path, slot }: Chat, rows: Rows) {
  const store = useStore();
  const target = useLinkedMessage();
  const [marked, setMarked] = useState<{ messageId: string; isLit: boolean } | null>(null);

  useLayoutEffect(() => {
    if (!target || !tree.byId.has(target)) return;
    const index = path.findIndex(({ messageId }) => messageId === target);
    if (index < 0) return store.set(chooseBranchesAtom, slot.conversationId, choicesTo(tree, target));
    rows.toRow(index);
    setMarked({ messageId: target, isLit: true });
    clearLinkedMessage();
    // `rows` changes on every render and does not affect the target.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [target, tree, path]);

  const messageId = marked?.messageId;
  const isLit = marked?.isLit ?? false;
  useEffect(() => {
    if (!messageId || !isLit) return;
    document.getElementById(markId(messageId))?.focus({ preventScroll: true });
    const timer = setTimeout(() => setMarked({ messageId, isLit: false }), MARKED_MS);
    return () => clearTimeout(timer);
  }, [messageId, isLit]);

  return {
    of(node: ThreadNode) {
      if (node.messageId !== messageId) return {};
      return {
        id: markId(node.messageId),
        tabIndex: -1,
        'aria-current': isLit || undefined,
        'data-marked': isLit || undefined,
      };
    },
  };
}

function markId(messageId: string): string {
  return `message-${messageId}`;
}
