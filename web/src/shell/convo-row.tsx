import type { Convo } from '@parley/schema/convos';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import classes from './convo-row.module.css';
import { RenameBox } from './rename-box.tsx';
import { RowTools } from './row-tools.tsx';

interface ConvoRowProps {
  convo: Convo;
  isOpen: boolean;
  onRename: (input: { conversationId: string; title: string }) => void;
  onRemove: (convo: Convo) => void;
}

/** One conversation: a link to it, whether an answer is being written in it, and what can be done to it. */
export const ConvoRow = memo(function ConvoRow({ convo, isOpen, onRename, onRemove }: ConvoRowProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<'shown' | 'renaming' | 'renamed'>('shown');
  const title = convo.title ?? t('com_ui_new_chat');

  function finishRenaming(newTitle: string | null, isFocused: boolean): void {
    setState(isFocused ? 'renamed' : 'shown');
    if (newTitle !== null && newTitle !== convo.title)
      onRename({ conversationId: convo.conversationId, title: newTitle });
  }

  if (state === 'renaming') {
    return (
      <li className={classes.row}>
        <RenameBox title={title} onFinish={finishRenaming} />
      </li>
    );
  }
  return (
    <li className={classes.row} data-open={isOpen || undefined}>
      <Link
        ref={state === 'renamed' ? focusOnMount : undefined}
        href={`/c/${convo.conversationId}`}
        className={classes.link}
        aria-current={isOpen ? 'page' : undefined}
        title={title}
        data-testid="convo-item"
      >
        <span className={classes.title} dir="auto">
          {title}
        </span>
        {convo.running && <span className={classes.dot} role="img" aria-label={t('com_ui_convo_running')} />}
      </Link>
      <RowTools title={title} onRename={() => setState('renaming')} onRemove={() => onRemove(convo)} />
    </li>
  );
});

/** Once the box that had the focus is gone, what stands in its place takes it. */
function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
