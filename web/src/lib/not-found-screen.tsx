import './not-found-words.ts';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { QuietScreen } from './quiet-screen.tsx';
import { useDocumentTitle } from './use-document-title.ts';

export function NotFoundScreen() {
  const { t } = useTranslation();
  useDocumentTitle(t('com_ui_not_found'));
  return (
    <QuietScreen title={t('com_ui_not_found')} hint={t('com_ui_not_found_hint')}>
      <Link href="/c/new">{t('com_ui_not_found_home')}</Link>
    </QuietScreen>
  );
}
