import { IconStar, IconStarFilled } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './endpoint-menu.module.css';
import { VisuallyHidden } from '../ui/primitives/visually-hidden.tsx';

/** For a pointer. An option cannot contain a button, so a shortcut in the search field does the same. */
export function Star({ isFavourite, onPress }: { isFavourite: boolean; onPress: () => void }) {
  const { t } = useTranslation();
  const label = isFavourite ? t('com_endpoint_unfavourite') : t('com_endpoint_favourite');

  function press(event: MouseEvent): void {
    event.stopPropagation();
    onPress();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <span
      className={classes.star}
      data-on={isFavourite || undefined}
      data-testid="favourite"
      data-tooltip={label}
      onClick={press}
    >
      {isFavourite ? <IconStarFilled size={15} aria-hidden /> : <IconStar size={15} stroke={1.6} aria-hidden />}
      {isFavourite && <VisuallyHidden>{t('com_endpoint_is_favourite')}</VisuallyHidden>}
    </span>
  );
}
