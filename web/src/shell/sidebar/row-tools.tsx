import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Arriving } from '../../lib/arriving.tsx';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import classes from './convo-row.module.css';
import { preloadDialog } from '../dialogs/dialog-place.tsx';
import { useShowDialog } from '../dialogs/dialogs.ts';
import { IconButton } from '../icon-button.tsx';
import { MoreButton } from './more-button.tsx';
import type { RowMenuProps } from './row-menu.tsx';

const menu = lazyScreen(async () => (await import('./row-menu.tsx')).OpenRowMenu, 'ahead');

/** What can be done to a conversation. Where nothing hovers there is only the menu, so that titles keep their room. */
export function RowTools({ convo, onRename, onSelect }: Omit<RowMenuProps, 'onRemove'>) {
  const { t } = useTranslation();
  const show = useShowDialog();
  const [isWanted, setWanted] = useState(false);
  const title = convo.title ?? t('com_ui_new_chat');
  const remove = () => show({ name: 'remove', convos: [convo] });

  return (
    <div className={classes.tools}>
      <IconButton label={t('com_ui_rename_for', { 0: title })} className={classes.tool} onClick={onRename}>
        <IconPencil />
      </IconButton>
      <IconButton
        label={t('com_ui_delete_for', { 0: title })}
        className={classes.tool}
        onPointerEnter={() => preloadDialog('remove')}
        onFocus={() => preloadDialog('remove')}
        onClick={remove}
      >
        <IconTrash />
      </IconButton>
      {isWanted ? (
        <Arriving fallback={<MoreButton convo={convo} aria-expanded />} onFailure={() => setWanted(false)}>
          <menu.Screen convo={convo} onRename={onRename} onSelect={onSelect} onRemove={remove} />
        </Arriving>
      ) : (
        <MoreButton
          convo={convo}
          aria-expanded={false}
          onPointerEnter={menu.preload}
          onFocus={menu.preload}
          onClick={() => setWanted(true)}
        />
      )}
    </div>
  );
}
