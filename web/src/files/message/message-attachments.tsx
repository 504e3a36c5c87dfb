import '../../locales/load/files.ts';
import { attachmentsOf, type Message } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { FileRow } from './file-row.tsx';
import classes from './message-files.module.css';
import { Picture } from './picture.tsx';

/** Several pictures stand beside each other, smaller than a single one. */
const BOX_OF_SEVERAL = { width: 220, height: 170 };

/** The pictures and files of a question, above its text. */
export function MessageAttachments({ message }: { message: Pick<Message, 'parts'> }) {
  const { t } = useTranslation();
  const attachments = attachmentsOf(message);
  if (attachments.length === 0) return null;
  const pictures = attachments.filter((one) => one.type === 'image').length;
  return (
    <ul className={classes.list} aria-label={t('com_files_attached')}>
      {attachments.map((one) => (
        <li key={one.fileId} className={one.type === 'file' ? classes.file : classes.item}>
          {one.type === 'file' ? (
            <FileRow file={one} />
          ) : (
            <Picture picture={one} {...(pictures > 1 && { box: BOX_OF_SEVERAL })} />
          )}
        </li>
      ))}
    </ul>
  );
}
