import { IconBulb, IconEye, IconTool } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './endpoint-menu.module.css';

/** What the marks of models mean, for who sees them: the options say it in words. */
export function MarksLegend() {
  const { t } = useTranslation();
  return (
    <p className={classes.legend} aria-hidden>
      <Meaning sign={<IconEye />}>{t('com_endpoint_vision')}</Meaning>
      <Meaning sign={<IconTool />}>{t('com_endpoint_tools')}</Meaning>
      <Meaning sign={<IconBulb />}>{t('com_endpoint_thinks')}</Meaning>
      <Meaning sign="$">{t('com_endpoint_price')}</Meaning>
    </p>
  );
}

function Meaning({ sign, children }: { sign: ReactNode; children: string }) {
  return (
    <span className={classes.meaning}>
      {sign}
      {children}
    </span>
  );
}
