import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import classes from './convo-row.module.css';
import { preloadDialog } from '../dialogs/dialog-outlet.tsx';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ConvoMenuButton } from './more-button.tsx';
import type { RowMenuProps } from './row-menu.tsx';

const menu = lazyScreen(async () => (await import('./row-menu.tsx')).OpenRowMenu, 'ahead');

/** The actions of a conversation. Devices without hover get only the menu, which leaves room for the title. */
export function RowButtons({ convo, onRename, onSelect }: Omit<RowMenuProps, 'onRemove'>) {
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
        <LazyBoundary fallback={<ConvoMenuButton convo={convo} aria-expanded />} onFailure={() => setWanted(false)}>
          <menu.Screen convo={convo} onRename={onRename} onSelect={onSelect} onRemove={remove} />
        </LazyBoundary>
      ) : (
        <ConvoMenuButton
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
