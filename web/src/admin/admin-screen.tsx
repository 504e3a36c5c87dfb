import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { Link, Redirect, useParams } from 'wouter';
import { StepUpHost } from '../auth/step-up/step-up-host.tsx';
import { Page } from '../layout/page/page.tsx';
import pageClasses from '../layout/page/page.module.css';
import { session } from '../session/current-session.ts';
import classes from './admin-screen.module.css';
import { ADMIN_PATH, SECTIONS } from './sections.ts';

/** Where not all tabs fit, the chosen one is in sight, and so are those beside it. */
function showTab(tab: HTMLAnchorElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** What administrators see and change of this server, by section. */
export function AdminScreen() {
  const { t } = useTranslation();
  const { adminSection } = useParams();
  const { user } = useAtomValue(session.state);
  const section = SECTIONS.find(({ name }) => name === adminSection);
  if (user?.role !== 'ADMIN') {
    return (
      <Page title={t('com_nav_admin')}>
        <p className={pageClasses.note}>{t('com_admin_not_yours')}</p>
      </Page>
    );
  }
  if (!section) return <Redirect to={`${ADMIN_PATH}/${SECTIONS[0].name}`} replace />;
  return (
    <Page title={t('com_nav_admin')} isWide>
      <nav className={classes.sections} aria-label={t('com_nav_admin')}>
        {SECTIONS.map(({ name, title }) => (
          <Link
            key={name}
            href={`${ADMIN_PATH}/${name}`}
            className={classes.section}
            ref={name === section.name ? showTab : undefined}
            aria-current={name === section.name ? 'page' : undefined}
          >
            {t(title)}
          </Link>
        ))}
      </nav>
      <section.Section />
      <StepUpHost />
    </Page>
  );
}
