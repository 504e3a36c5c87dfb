import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { DialogFrame } from '../../dialogs/dialog-frame.tsx';
import { rowKey } from '../scroll/row-key.ts';
import type { Chat } from '../use-chat.ts';
import { pathOutline, questionAt } from './outline-rows.ts';
import { TreeList } from './tree-list.tsx';

/** The questions of the branch on screen; the one being read is marked. Choosing one goes there. */
export function Outline({ chat: { path, slot }, onClose }: { chat: Chat; onClose: (hasChosen: boolean) => void }) {
  const { t } = useTranslation();
  const rows = useMemo(() => pathOutline(path), [path]);
  const [inView] = useState(() => messageInView(path));
  const current = questionAt(rows, inView);
  const shown = useMemo(
    () => new Set(rows.slice(current, current + 1).map(({ messageId }) => messageId)),
    [rows, current],
  );
  const { conversationId } = slot;
  return (
    <DialogFrame title={t('com_chat_outline')} size="md" onClose={() => onClose(false)}>
      <TreeList
        label={t('com_chat_outline')}
        conversationId={conversationId}
        rows={rows}
        shown={shown}
        first={current}
        isOutline
        onChoose={({ messageId }) => {
          onClose(true);
          navigate(`/c/${conversationId}?message=${messageId}`);
        }}
      />
    </DialogFrame>
  );
}

/** Where in the view the message that is being read crosses, from its top. */
const READING_LINE = 1 / 3;

/** The index on the path of the message being read: the last one at the end of the thread. */
function messageInView(path: Chat['path']): number {
  const indexes = new Map(path.map((node, index) => [rowKey(node), index]));
  const indexOf = (row: HTMLElement) => indexes.get(row.dataset.key ?? '');
  // Answers side by side are a list each, below one of what they have in common.
  const thread = [...document.querySelectorAll('[role=log]')].findLast((one) =>
    rowsOf(one).every((row) => indexOf(row) !== undefined),
  );
  if (!thread) return 0;
  const { scrollTop, clientHeight, scrollHeight } = thread;
  if (scrollTop + clientHeight >= scrollHeight - 2) return Infinity;
  const line = thread.getBoundingClientRect().top + clientHeight * READING_LINE;
  const rows = rowsOf(thread);
  const row = rows.findLast((one) => one.getBoundingClientRect().top <= line) ?? rows[0];
  return (row && indexOf(row)) ?? 0;
}

function rowsOf(thread: Element): HTMLElement[] {
  return [...thread.querySelectorAll<HTMLElement>('[data-key]')];
}
