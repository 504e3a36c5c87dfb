import { useTranslation } from 'react-i18next';
import { composerId } from '../slots/focus-composer.ts';
import { FIRST_SLOT } from '../slots/slot.ts';
import classes from './skip-link.module.css';

/** The first tab stop: skips the sidebar and goes to the message box. */
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
