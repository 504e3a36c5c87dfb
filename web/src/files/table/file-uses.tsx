import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { describeError } from '../../errors/describe-error.ts';
import { useFileUses } from '../files-api.ts';
import classes from './files-table.module.css';

/** Links to the conversations that use a file. */
export function FileUses({ fileId, onLeave }: { fileId: string; onLeave: () => void }) {
  const { t } = useTranslation();
  const { data: uses, error } = useFileUses(fileId);
  if (error) return <p className={classes.uses}>{describeError(error, t)}</p>;
  if (!uses) return <p className={classes.uses}>…</p>;
  if (uses.length === 0) return <p className={classes.uses}>{t('com_files_unused')}</p>;
  return (
    <ul className={classes.uses}>
      {uses.map(({ conversationId, messageId, title }) => (
        <li key={messageId}>
          <Link href={`/c/${conversationId}?message=${messageId}`} onClick={onLeave} dir="auto">
            {title ?? t('com_ui_new_chat')}
          </Link>
        </li>
      ))}
    </ul>
  );
}
