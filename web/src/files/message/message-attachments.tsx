import { messageAttachments, type Message } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { FileRow } from './file-row.tsx';
import classes from './message-files.module.css';
import { MessageImage } from './message-image.tsx';

/** Images of a message that are on screen; the large view steps through all of them. */
const SHOWN_MAX = 8;

/** The images and files of a question, above its text. */
export function MessageAttachments({ message }: { message: Pick<Message, 'parts'> }) {
  const { t } = useTranslation();
  const attachments = messageAttachments(message);
  if (attachments.length === 0) return null;
  const images = attachments.filter((one) => one.type === 'image');
  const files = attachments.filter((one) => one.type === 'file');
  const [single] = images;
  return (
    <div className={classes.attached} role="group" aria-label={t('com_files_attached')}>
      {images.length === 1 && single && <MessageImage image={single} />}
      {images.length > 1 && (
        <ul className={classes.tiles} data-count={Math.min(images.length, SHOWN_MAX)}>
          {images.slice(0, SHOWN_MAX).map((one, at) => (
            <li key={one.fileId}>
              <MessageImage image={one} isTile more={at === SHOWN_MAX - 1 ? images.length - SHOWN_MAX : 0} />
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
