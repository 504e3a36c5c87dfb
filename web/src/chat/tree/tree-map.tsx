import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { DialogFrame } from '../../dialogs/dialog-frame.tsx';
import classes from './tree-map.module.css';
import { TreeList } from './tree-list.tsx';
import { listTree, type TreeRow } from './tree-rows.ts';
import type { Chat } from '../use-chat.ts';

/** All messages of a conversation with its branches. Choosing one opens it. */
export function TreeMap({ chat, onClose }: { chat: Chat; onClose: (hasChosen: boolean) => void }) {
  const { t } = useTranslation();
  const rows = useMemo(() => listTree(chat.tree), [chat.tree]);
  const shown = useMemo(() => new Set(chat.path.map(({ messageId }) => messageId)), [chat.path]);
  const last = chat.path.at(-1)?.messageId;
  const { conversationId } = chat.slot;

  function choose({ messageId }: TreeRow): void {
    onClose(true);
    navigate(`/c/${conversationId}?message=${messageId}`);
  }

  return (
    <DialogFrame title={t('com_chat_tree')} size="lg" onClose={() => onClose(false)}>
      <p className={classes.hint}>{t('com_chat_tree_hint')}</p>
      <TreeList
        label={t('com_chat_tree')}
        conversationId={conversationId}
        rows={rows}
        shown={shown}
        first={rows.findIndex(({ messageId }) => messageId === last)}
        onChoose={choose}
      />
    </DialogFrame>
  );
}
