import type { ParseKeys } from 'i18next';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import page from '../layout/page/page.module.css';
import classes from './projects.module.css';

interface SectionProps {
  title: ParseKeys;
  hint?: ParseKeys;
  children: ReactNode;
}

/** A part of the page of a project, below its heading. */
export function Section({ title, hint, children }: SectionProps) {
  const { t } = useTranslation();
  const titleId = useId();
  return (
    <section className={classes.section} aria-labelledby={titleId}>
      <div>
        <h2 id={titleId} className={classes.heading}>
          {t(title)}
        </h2>
        {hint && <p className={page.note}>{t(hint)}</p>}
      </div>
      {children}
    </section>
  );
}
