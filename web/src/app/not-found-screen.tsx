import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { buttonClasses } from '../ui/button-classes.ts';
import { BlankScreen } from '../ui/blank-screen.tsx';
import { useDocumentTitle } from '../ui/hooks/use-document-title.ts';

export function NotFoundScreen() {
  const { t } = useTranslation();
  useDocumentTitle(t('com_ui_not_found'));
  return (
    <BlankScreen title={t('com_ui_not_found')} hint={t('com_ui_not_found_hint')}>
      <Link className={buttonClasses({ size: 'lg' })} href="/c/new">
        {t('com_ui_not_found_home')}
      </Link>
    </BlankScreen>
  );
}
