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
/** Of an image that a provider sent without its size. */
const UNKNOWN = { width: 1920, height: 1080 };

/** All images of the thread on screen, oldest first: the large view steps through them. */
export const ThreadImages = createContext<() => readonly ImagePart[]>(() => []);

interface MessageImageProps {
  image: ImagePart;
  box?: { width: number; height: number };
  /** One of several that are of the same size. */
  isTile?: boolean;
  /** How many are not shown: it stands for them. */
  more?: number;
}

/** An image as a thumbnail that opens the large view. Its size is known before it loads, so nothing moves. */
export function MessageImage({ image, box = BOX, isTile = false, more = 0 }: MessageImageProps) {
  const { t, i18n } = useTranslation();
  const show = useShowDialog();
  const images = useContext(ThreadImages);
  const [hasFailed, setFailed] = useState(false);
  const isRemoved = useIsRemoved(image.fileId);
  const name = imageName(image) ?? t('com_chat_image');
  const size = fitInto(imageSize(image), box);

  function open(): void {
    const all = images();
    const index = all.findIndex(({ fileId }) => fileId === image.fileId);
    show(index < 0 ? { name: 'picture', images: [image], index: 0 } : { name: 'picture', images: all, index });
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
        <span className="ellipsis" dir="auto">
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
        src={image.path}
        {...(isTile ? { loading: 'lazy' } : size)}
        alt={t('com_files_open_picture', { 0: image.prompt ?? name })}
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
export function imageSize({ width, height }: ImagePart): { width: number; height: number } {
  return width > 0 && height > 0 ? { width, height } : UNKNOWN;
}

/** The name of an attached image, or what a made one shows. */
export function imageName({ name, prompt }: ImagePart): string | undefined {
  return name ?? prompt;
}
