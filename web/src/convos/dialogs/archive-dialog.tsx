import type { Convo } from '@parley/schema/convos/convos';
import { IconArchive, IconArchiveOff } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { formatDate } from '../../lib/format-date.ts';
import { DialogFrame } from '../../dialogs/dialog-frame.tsx';
import classes from './list-dialog.module.css';
import { ListDialogBody } from './list-dialog-body.tsx';
import { useArchive } from '../actions/use-archive.ts';
import { useSidebar } from '../../layout/use-sidebar.ts';
import { NO_SELECTION, selectionAtom } from '../selection.ts';
import { useArchivedConvos } from '../use-convos.ts';

/** The archived conversations, newest first, to open or unarchive. */
export function ArchiveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { convos, list } = useArchivedConvos();
  const setSelection = useSetAtom(selectionAtom);
  const sidebar = useSidebar();

  /** In the list of the others. */
  function select(): void {
    onClose();
    setSelection(NO_SELECTION);
    if (!sidebar.isOpen) sidebar.toggle();
  }

  return (
    <DialogFrame title={t('com_archive')} size="lg" onClose={onClose}>
      <p className={classes.hint}>{t('com_archive_hint')}</p>
      <ListDialogBody
        query={list}
        count={convos.length}
        empty={t('com_archive_empty')}
        next={<Button onClick={select}>{t('com_archive_choose')}</Button>}
      >
        {convos.map((convo) => (
          <ArchiveRow key={convo.conversationId} convo={convo} onOpen={onClose} />
        ))}
      </ListDialogBody>
    </DialogFrame>
  );
}

function ArchiveRow({ convo, onOpen }: { convo: Convo; onOpen: () => void }) {
  const { t, i18n } = useTranslation();
  const archive = useArchive();
  const title = convo.title ?? t('com_ui_new_chat');
  return (
    <li className={classes.row}>
      <IconArchive aria-hidden />
      <div className={classes.entry}>
        <Link
          href={`/c/${convo.conversationId}`}
          className={classes.name}
          dir="auto"
          data-tooltip={title}
          data-cut
          onClick={onOpen}
        >
          {title}
        </Link>
        <span className={classes.about}>{formatDate(convo.updatedAt, i18n.language)}</span>
      </div>
      <Button size="sm" aria-label={t('com_archive_leave_for', { 0: title })} onClick={() => archive([convo], false)}>
        <IconArchiveOff aria-hidden />
        {t('com_archive_leave')}
      </Button>
    </li>
  );
}
