import type { PendingPicture } from '@parley/schema/messages/made-pictures';
import { useTranslation } from 'react-i18next';
import { cssVars } from '../../lib/css-vars.ts';
import { fitInto } from '../upload/image-size.ts';
import classes from './message-files.module.css';

/** A picture that is being made, in the size that it will have. */
export function PendingTile({ picture, box }: { picture: PendingPicture; box: { width: number; height: number } }) {
  const { t } = useTranslation();
  const { width, progress, preview } = picture;
  const label = t('com_pictures_making');
  return (
    <span
      className={classes.pending}
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(progress * 100)}
      style={cssVars({ '--width': `${fitInto(picture, box).width}px`, '--ratio': width / picture.height })}
    >
      <span className={classes.room} aria-hidden>
        {preview && <img src={preview} alt="" />}
        <span>{label}</span>
      </span>
    </span>
  );
}
