import type { ExternalLink } from '@parley/schema/catalog/startup';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useStartup } from '../startup.ts';
import classes from './footer.module.css';

/** The line under the composer: the operator's text or the product description, and the operator's links. */
export function Footer() {
  const { t } = useTranslation();
  const startup = useStartup();
  if (!startup) return <footer className={classes.footer} />;
  const { customFooter } = startup;
  const about = `${startup.appTitle} v${startup.version} · ${t('com_ui_tagline')}`;
  return (
    <footer className={classes.footer}>
      {customFooter !== '' && <span className={customFooter ? undefined : classes.about}>{customFooter ?? about}</span>}
      <OutwardLink link={startup.interface?.privacyPolicy} label={t('com_ui_privacy_policy')} />
      <OutwardLink link={startup.interface?.termsOfService} label={t('com_ui_terms_of_service')} />
    </footer>
  );
}

function OutwardLink({ link, label }: { link: ExternalLink | undefined; label: string }) {
  if (!link?.externalUrl) return null;
  return (
    <Fragment>
      <span aria-hidden> · </span>
      <a href={link.externalUrl} target={link.openNewTab ? '_blank' : undefined} rel="noreferrer">
        {label}
      </a>
    </Fragment>
  );
}
