import { useTranslation } from 'react-i18next';
import { composerId } from '../chat/composer/focus-composer.ts';
import { FIRST_SLOT } from '../chat/slot.ts';
import classes from './skip-link.module.css';

/** The first stop of the Tab key: over the list of conversations, straight to where one writes. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <a
      className={classes.link}
      href="#main"
      onClick={(event) => {
        const composer = document.getElementById(composerId(FIRST_SLOT));
        if (!composer) return;
        event.preventDefault();
        composer.focus();
      }}
    >
      {t('com_nav_skip')}
    </a>
  );
}
