import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useStartup } from '../../startup.ts';
import { buttonClasses } from '../../ui/button-classes.ts';
import { Setting } from '../setting.tsx';

/** Which program this is, whose rules hold here, and what leaves the server. */
export function AboutSettings() {
  const { t } = useTranslation();
  const startup = useStartup();
  if (!startup) return null;
  const { version, helpAndFaqURL, interface: site } = startup;
  return (
    <>
      <Setting name={t('com_about_version', { 0: version })} hint={t('com_about_licence')} />
      <Setting name={t('com_about_leaves')} hint={t('com_about_leaves_hint')} />
      {helpAndFaqURL !== '/' && <LinkRow name={t('com_nav_help_faq')} url={helpAndFaqURL} />}
      <LinkRow name={t('com_ui_privacy_policy')} url={site?.privacyPolicy?.externalUrl} />
      <LinkRow name={t('com_ui_terms_of_service')} url={site?.termsOfService?.externalUrl} />
    </>
  );
}

function LinkRow({ name, url }: { name: string; url: string | undefined }) {
  const { t } = useTranslation();
  const id = useId();
  const linkId = useId();
  if (!url) return null;
  return (
    <Setting name={name} nameId={id}>
      <a
        id={linkId}
        className={buttonClasses({ size: 'sm' })}
        href={url}
        target="_blank"
        rel="noreferrer"
        aria-labelledby={`${linkId} ${id}`}
      >
        {t('com_settings_open')}
      </a>
    </Setting>
  );
}
