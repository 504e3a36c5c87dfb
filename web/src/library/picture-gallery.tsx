import { IconPhoto } from '@tabler/icons-react';
import type { StoredFile } from '@parley/schema/files/stored-file';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { useFiles } from '../files/files-api.ts';
import { storedAttachment } from '../files/stored-attachment.ts';
import { Button } from '../ui/button.tsx';
import classes from './picture-gallery.module.css';

/** The table of all files, or the pictures that were made, where there are some. */
export function WithGallery({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [isGallery, setGallery] = useState(false);
  const { data: files = [] } = useFiles();
  const made = files.filter((file) => file.context === 'image_generation' && storedAttachment(file).type === 'image');
  if (made.length === 0) return children;
  return (
    <>
      <div className={classes.views}>
        <Button size="sm" aria-pressed={isGallery} onClick={() => setGallery(!isGallery)}>
          <IconPhoto aria-hidden />
          {t('com_pictures_gallery', { count: made.length })}
        </Button>
      </div>
      {isGallery ? <PictureGallery files={made} /> : children}
    </>
  );
}

/** The pictures that were made, the newest first, below the day on which they were. */
function PictureGallery({ files }: { files: readonly StoredFile[] }) {
  const { t, i18n } = useTranslation();
  const show = useShowDialog();
  const newest = files.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  const images = newest.map(storedAttachment).filter((one) => one.type === 'image');
  const days = new Map<string, StoredFile[]>();
  for (const file of newest) {
    const day = new Date(file.createdAt).toDateString();
    days.set(day, [...(days.get(day) ?? []), file]);
  }
  const named = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'full' });

  function open({ fileId }: StoredFile): void {
    const index = images.findIndex((image) => image.fileId === fileId);
    show({ name: 'picture', images, index, back: { name: 'files' } });
  }

  return (
    <div className={classes.days}>
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={named.format(new Date(day))}>
          <h3 className={classes.day}>{named.format(new Date(day))}</h3>
          <ul className={classes.pictures}>
            {ofDay.map((file) => (
              <li key={file.fileId}>
                <button type="button" className={classes.picture} data-tooltip={file.name} onClick={() => open(file)}>
                  <img src={file.path} loading="lazy" alt={t('com_files_open_picture', { 0: file.name })} />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
