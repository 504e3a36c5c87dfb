import { attachmentsOf, type Message } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { FileRow } from './file-row.tsx';
import classes from './message-files.module.css';
import { Picture } from './picture.tsx';

/** Pictures of a message that are on screen; the large view steps through all of them. */
const SHOWN_MAX = 8;

/** The pictures and files of a question, above its text. */
export function MessageAttachments({ message }: { message: Pick<Message, 'parts'> }) {
  const { t } = useTranslation();
  const attachments = attachmentsOf(message);
  if (attachments.length === 0) return null;
  const pictures = attachments.filter((one) => one.type === 'image');
  const files = attachments.filter((one) => one.type === 'file');
  const [single] = pictures;
  return (
    <div className={classes.attached} role="group" aria-label={t('com_files_attached')}>
      {pictures.length === 1 && single && <Picture picture={single} />}
      {pictures.length > 1 && (
        <ul className={classes.tiles} data-count={Math.min(pictures.length, SHOWN_MAX)}>
          {pictures.slice(0, SHOWN_MAX).map((one, at) => (
            <li key={one.fileId}>
              <Picture picture={one} isTile more={at === SHOWN_MAX - 1 ? pictures.length - SHOWN_MAX : 0} />
            </li>
          ))}
        </ul>
      )}
      {files.length > 0 && (
        <ul className={classes.files}>
          {files.map((one) => (
            <li key={one.fileId}>
              <FileRow file={one} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
