import { IconBulb, IconEye, IconTool } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './endpoint-menu.module.css';

/** What the marks of models mean, for who sees them: the options say it in words. */
export function MarksLegend() {
  const { t } = useTranslation();
  return (
    <p className={classes.legend} aria-hidden>
      <Meaning column="images" sign={<IconEye />}>
        {t('com_endpoint_vision')}
      </Meaning>
      <Meaning column="tools" sign={<IconTool />}>
        {t('com_endpoint_tools')}
      </Meaning>
      <Meaning column="thinking" sign={<IconBulb />}>
        {t('com_endpoint_thinks')}
      </Meaning>
      <Meaning column="price" sign="$">
        {t('com_endpoint_price')}
      </Meaning>
    </p>
  );
}

function Meaning({ column, sign, children }: { column: string; sign: ReactNode; children: string }) {
  return (
    <span className={classes.meaning} data-column={column}>
      {typeof sign === 'string' ? <span>{sign}</span> : sign}
      {children}
    </span>
  );
}
