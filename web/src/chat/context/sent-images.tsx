import type { ContextImage } from '@parley/schema/messages/messages';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { i18n } from '../../i18n.ts';
import { formatNumber } from '../../lib/format-number.ts';
import classes from './shown-files.module.css';

/** The images that the model was shown, with what each cost. */
export function SentImages({ images }: { images: readonly ContextImage[] }) {
  const { t } = useTranslation();
  return (
    <section className={classes.files}>
      <h3 className={classes.title}>{t('com_context_images')}</h3>
      <ul className={classes.list}>
        {images.map((image) => (
          <li key={image.fileId}>
            <span className={classes.name} dir="auto">
              {image.name ?? t('com_files_context_image_generation')}
            </span>
            <span className={classes.description}>{describeSent(image, t)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeSent({ width, height, detail, tokens }: ContextImage, t: TFunction): string {
  const [across, down] = [width, height].map((side) => formatNumber(side, i18n.language));
  return [
    t('com_context_image_size', { 0: across, 1: down }),
    ...(detail ? [t(`com_context_image_detail_${detail}`)] : []),
    ...(tokens > 0 ? [t('com_context_about', { 0: t('com_chat_tokens', { count: tokens }) })] : []),
  ].join(' · ');
}
