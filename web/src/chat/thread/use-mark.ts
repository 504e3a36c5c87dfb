import type { ThreadNode } from '@parley/schema/thread';
import { useStore } from 'jotai';
import { useEffect, useLayoutEffect, useState } from 'react';
import { chooseBranchesAtom, choicesTo } from './branches.ts';
import { clearTarget, useTarget } from '../exchanges/target.ts';
import type { Chat } from '../use-chat.ts';
import type { Rows } from './use-rows.ts';

/** Milliseconds for which a message that was asked for is marked. */
const MARKED = 2000;

/**
 * Opens the message that the address asks for: on its branch, scrolled to, marked, and with the focus so that it is read
 * out. Gives the attributes of a row.
 */
export function useMark({ tree, path, slot }: Chat, rows: Rows) {
  const store = useStore();
  const target = useTarget();
  const [marked, setMarked] = useState<{ messageId: string; isLit: boolean } | null>(null);

  useLayoutEffect(() => {
    if (!target || !tree.byId.has(target)) return;
    const index = path.findIndex(({ messageId }) => messageId === target);
    if (index < 0) return store.set(chooseBranchesAtom, slot.conversationId, choicesTo(tree, target));
    rows.toRow(index);
    setMarked({ messageId: target, isLit: true });
    clearTarget();
    // The rows are new each time; where they stand changes nothing of what is asked for.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [target, tree, path]);

  const messageId = marked?.messageId;
  const isLit = marked?.isLit ?? false;
  useEffect(() => {
    if (!messageId || !isLit) return;
    document.getElementById(markId(messageId))?.focus({ preventScroll: true });
    const timer = setTimeout(() => setMarked({ messageId, isLit: false }), MARKED);
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
