import { createContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SafeLink } from '../links.tsx';
import type { BingImage } from './find-bing-image.ts';
import classes from './bing-image-frame.module.css';

/** The valid image frame of the surrounding message, if any. */
export const BingImageContext = createContext<BingImage | null>(null);

/** A Bing image. It loads only on request, because loading it reveals the reader to Bing. */
export function BingImageFrame({ address }: { address: string }) {
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
