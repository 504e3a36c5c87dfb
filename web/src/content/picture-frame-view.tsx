import { createContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SafeLink } from './links.tsx';
import type { PictureFrame } from './picture-frame.ts';
import classes from './picture-frame.module.css';

/** The frame of the message around it that may be drawn. */
export const PictureFrameContext = createContext<PictureFrame | null>(null);

/** A picture that Bing makes. It is asked for when the reader wants it: to load it tells Bing of the reader. */
export function PictureFrameView({ address }: { address: string }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const name = t('com_content_made_picture');
  return (
    <figure className={classes.figure}>
      {isShown ? (
        <iframe
          className={classes.frame}
          title={name}
          src={address}
          sandbox="allow-scripts allow-same-origin allow-popups"
          referrerPolicy="no-referrer"
        />
      ) : (
        <button type="button" className={classes.show} onClick={() => setShown(true)}>
          {t('com_content_show_picture')}
        </button>
      )}
      <figcaption>
        <SafeLink href={address}>{name}</SafeLink>
      </figcaption>
    </figure>
  );
}
