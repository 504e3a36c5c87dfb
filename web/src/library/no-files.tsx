import { useTranslation } from 'react-i18next';
import { focusIfLost } from '../lib/focus-if-lost.ts';
import { useNewChat } from '../slots/use-new-chat.ts';
import { Button } from '../ui/button.tsx';
import classes from './files-table.module.css';
import { UploadButton, type Uploads } from './upload-files.tsx';

/** There are no files yet, or no longer: what comes here, and where to begin. */
export function NoFiles({ uploads, onLeave }: { uploads: Uploads; onLeave: () => void }) {
  const { t } = useTranslation();
  const newChat = useNewChat();
  return (
    <div className={classes.empty}>
      <p>{t('com_files_none')}</p>
      <div className={classes.beginnings}>
        <UploadButton {...uploads} />
        <Button
          size="sm"
          // The last one may be deleted, and with it the button that had the focus.
          ref={focusIfLost}
          onClick={() => {
            onLeave();
            newChat();
          }}
        >
          {t('com_files_begin')}
        </Button>
      </div>
    </div>
  );
}
