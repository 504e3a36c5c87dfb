import { useTranslation } from 'react-i18next';
import { useLaterParts } from '../../lazy/use-later-parts.ts';
import classes from './rail.module.css';

/** What a closed sidebar leaves beside the chat: its place from the start, what stands in it a moment later. */
export function Rail() {
  const { t } = useTranslation();
  const later = useLaterParts();
  return (
    <nav className={classes.rail} aria-label={t('com_nav_rail')} data-testid="rail">
      {later && <later.RailButtons />}
    </nav>
  );
}
