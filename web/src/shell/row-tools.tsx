import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState, type FocusEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './convo-row.module.css';
import { loadDeleteDialog } from './use-ask-removal.tsx';
import { IconButton } from './icon-button.tsx';

interface RowToolsProps {
  title: string;
  onRename: () => void;
  onRemove: () => void;
}

/** What can be done to a conversation. Where nothing hovers, a single button unfolds it, so that titles keep their room. */
export function RowTools({ title, onRename, onRemove }: RowToolsProps) {
  const { t } = useTranslation();
  const [isUnfolded, setUnfolded] = useState(false);
  const firstTool = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isUnfolded) firstTool.current?.focus();
  }, [isUnfolded]);

  function onBlur(event: FocusEvent): void {
    if (!event.currentTarget.contains(event.relatedTarget)) setUnfolded(false);
  }

  return (
    <div className={classes.tools} data-unfolded={isUnfolded || undefined} onBlur={onBlur}>
      <IconButton
        label={t('com_ui_more_for', { 0: title })}
        className={classes.unfold}
        aria-expanded={isUnfolded}
        onClick={() => setUnfolded(true)}
      >
        <IconDots />
      </IconButton>
      <IconButton
        ref={firstTool}
        label={t('com_ui_rename_for', { 0: title })}
        className={classes.tool}
        onClick={onRename}
      >
        <IconPencil />
      </IconButton>
      <IconButton
        label={t('com_ui_delete_for', { 0: title })}
        className={classes.tool}
        onPointerEnter={() => void loadDeleteDialog()}
        onFocus={() => void loadDeleteDialog()}
        onClick={onRemove}
      >
        <IconTrash />
      </IconButton>
    </div>
  );
}
