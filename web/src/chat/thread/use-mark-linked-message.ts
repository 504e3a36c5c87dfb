import type { ThreadNode } from '@parley/schema/messages/thread';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useAtom } from 'jotai';
import { clearLinkedMessage, findLinkedMessage, useLinkedMessage } from './linked-message.ts';
import { soughtMessageAtom } from './sought-message.ts';

/** Duration of the highlight of a linked message, in milliseconds. */
const MARKED_MS = 2000;

/**
 * Opens the linked message where it stands on `path`: scrolls to it by `toRow`, highlights it, and focuses it so that a
 * screen reader reads it. `onElsewhere` is called with a linked message that is not on the path. Returns the attributes
 * for a row. A message that is sought in the chat comes on screen only.
 */
export function useMarkLinkedMessage(
  path: readonly ThreadNode[],
  toRow: (index: number) => void,
  onElsewhere?: (messageId: string) => void,
) {
  const target = useLinkedMessage();
  const [marked, setMarked] = useState<{ messageId: string; isLit: boolean } | null>(null);
  const unfocused = useRef<string | null>(null);
  const show = useEffectEvent((index: number) => toRow(index));
  const showElsewhere = useEffectEvent((messageId: string) => onElsewhere?.(messageId));

  useLayoutEffect(() => {
    // Another list on the page may have opened it just now.
    if (!target || findLinkedMessage() !== target) return;
    const index = path.findIndex(({ messageId }) => messageId === target);
    if (index < 0) return showElsewhere(target);
    show(index);
    // oxlint-disable-next-line react/set-state-in-effect -- the address of the page is not cleared while rendering
    setMarked({ messageId: target, isLit: true });
    unfocused.current = target;
    clearLinkedMessage();
  }, [target, path]);

  const [sought, setSought] = useAtom(soughtMessageAtom);
  useLayoutEffect(() => {
    if (!sought) return;
    const index = path.findIndex(({ messageId }) => messageId === sought.messageId);
    if (index < 0) return showElsewhere(sought.messageId);
    show(index);
    setSought(null);
  }, [sought, path, setSought]);

  const messageId = marked?.messageId;
  const isLit = marked?.isLit ?? false;
  useEffect(() => {
    if (!messageId || !isLit) return;
    const timer = setTimeout(() => setMarked({ messageId, isLit: false }), MARKED_MS);
    return () => clearTimeout(timer);
  }, [messageId, isLit]);

  // After each render: the row may be drawn only by a later one.
  useEffect(() => {
    const row = unfocused.current && document.getElementById(markId(unfocused.current));
    if (!row) return;
    unfocused.current = null;
    row.focus({ preventScroll: true });
  });

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
