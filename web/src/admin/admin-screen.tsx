import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { Link, Redirect, useParams } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { StepUpHost } from '../auth/step-up/step-up-host.tsx';
import { Page } from '../layout/page/page.tsx';
import pageClasses from '../layout/page/page.module.css';
import { session } from '../session/current-session.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import classes from './admin-screen.module.css';
import { ADMIN_PATH, SECTIONS } from './sections.ts';

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
      <div className={classes.frame}>
        <nav className={classes.sections} aria-label={t('com_nav_admin')}>
          <ul className={classes.list}>
            {SECTIONS.map(({ name, title }) => (
              <li key={name}>
                <Link
                  href={`${ADMIN_PATH}/${name}`}
                  className={classes.section}
                  aria-current={name === section.name ? 'page' : undefined}
                >
                  {t(title)}
                </Link>
              </li>
            ))}
          </ul>
          <div className={classes.select}>
            <SelectField
              aria-label={t('com_nav_admin')}
              value={section.name}
              options={SECTIONS.map(({ name, title }) => ({ value: name, label: t(title) }))}
              onChange={(name) => navigate(`${ADMIN_PATH}/${name}`)}
            />
          </div>
        </nav>
        <div className={classes.content}>
          <section.Section />
        </div>
      </div>
      <StepUpHost />
    </Page>
  );
}
