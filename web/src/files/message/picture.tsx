import { IconPhotoOff } from '@tabler/icons-react';
import type { ImagePart } from '@parley/schema/messages/messages';
import { createContext, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { formatNumber } from '../../lib/format-number.ts';
import { useIsRemoved } from '../removed-files.ts';
import { fitInto } from '../upload/image-size.ts';
import classes from './message-files.module.css';
import { VisuallyHidden } from '../../ui/primitives/visually-hidden.tsx';

/** The largest thumbnail in a thread, in CSS pixels. */
const BOX = { width: 360, height: 280 };
/** Of a picture that a provider sent without its size. */
const UNKNOWN = { width: 1920, height: 1080 };

/** All pictures of the thread on screen, oldest first: the large view steps through them. */
export const ThreadPictures = createContext<() => readonly ImagePart[]>(() => []);

interface PictureProps {
  picture: ImagePart;
  box?: { width: number; height: number };
  /** One of several that are of the same size. */
  isTile?: boolean;
  /** How many are not shown: it stands for them. */
  more?: number;
}

/** A picture as a thumbnail that opens the large view. Its size is known before it loads, so nothing moves. */
export function Picture({ picture, box = BOX, isTile = false, more = 0 }: PictureProps) {
  const { t, i18n } = useTranslation();
  const show = useShowDialog();
  const pictures = useContext(ThreadPictures);
  const [hasFailed, setFailed] = useState(false);
  const isRemoved = useIsRemoved(picture.fileId);
  const name = pictureName(picture) ?? t('com_chat_image');
  const size = fitInto(sizeOfPicture(picture), box);

  function open(): void {
    const all = pictures();
    const index = all.findIndex(({ fileId }) => fileId === picture.fileId);
    show(index < 0 ? { name: 'picture', pictures: [picture], index: 0 } : { name: 'picture', pictures: all, index });
  }

  if (hasFailed || isRemoved) {
    return (
      <span
        className={classes.missing}
        data-tile={isTile || undefined}
        role="img"
        aria-label={t('com_files_picture_missing', { 0: name })}
      >
        <IconPhotoOff aria-hidden />
        <span className={classes.pictureName} dir="auto">
          {name}
        </span>
      </span>
    );
  }
  return (
    <button
      type="button"
      className={classes.button}
      data-tile={isTile || undefined}
      data-content
      data-tooltip={name}
      onClick={open}
    >
      <img
        className={classes.image}
        src={picture.path}
        {...(isTile ? { loading: 'lazy' } : size)}
        alt={t('com_files_open_picture', { 0: picture.prompt ?? name })}
        onError={() => setFailed(true)}
      />
      {more > 0 && (
        <span className={classes.more}>
          <span aria-hidden>+{formatNumber(more, i18n.language)}</span>
          <VisuallyHidden>{t('com_files_more_pictures', { 0: more })}</VisuallyHidden>
        </span>
      )}
    </button>
  );
}

/** In pixels; where it is unknown, an assumption. */
export function sizeOfPicture({ width, height }: ImagePart): { width: number; height: number } {
  return width > 0 && height > 0 ? { width, height } : UNKNOWN;
}

/** The name of an attached picture, or what a made one shows. */
export function pictureName({ name, prompt }: ImagePart): string | undefined {
  return name ?? prompt;
}
