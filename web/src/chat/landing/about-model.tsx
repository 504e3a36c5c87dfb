import { knowledgeCutoff } from '@parley/schema/catalog/knowledge-cutoffs';
import { findWindow } from '@parley/schema/catalog/windows';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelTarget } from '../../catalog/model-target.ts';
import { trpc } from '../../trpc.ts';
import classes from './about-model.module.css';

/** What is known of the model, and what models do and do not do; folded at first. */
export function AboutModel({ modelTarget }: { modelTarget: ModelTarget | null | undefined }) {
  const { t, i18n } = useTranslation();
  const windows = trpc.endpoints.windows.useQuery(undefined, { staleTime: Infinity }).data;
  const model = modelTarget?.model ?? null;
  const size = model === null ? undefined : (windows?.[modelTarget?.endpoint ?? '']?.[model] ?? findWindow(model));
  const knowledge = model === null ? undefined : knowledgeCutoff(model);
  const month = (date: string) =>
    new Intl.DateTimeFormat(i18n.language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(date));
  return (
    <details className={classes.about} data-testid="about-model">
      <summary className={classes.summary}>
        {t('com_landing_about')}
        <IconChevronDown aria-hidden />
      </summary>
      <div className={classes.facts}>
        {(size !== undefined || knowledge !== undefined) && (
          <Facts title={<bdi>{model}</bdi>}>
            {size !== undefined && (
              <li>{t('com_landing_window', { 0: new Intl.NumberFormat(i18n.language).format(size) })}</li>
            )}
            {knowledge !== undefined && <li>{t('com_landing_knowledge', { 0: month(knowledge) })}</li>}
          </Facts>
        )}
        <Facts title={t('com_ui_capabilities')}>
          <li>{t('com_ui_capability_remember')}</li>
          <li>{t('com_ui_capability_correction')}</li>
          <li>{t('com_ui_capability_decline_requests')}</li>
        </Facts>
        <Facts title={t('com_ui_limitations')}>
          <li>{t('com_ui_limitation_incorrect_info')}</li>
          <li>{t('com_ui_limitation_harmful_biased')}</li>
          <li>
            {knowledge === undefined || knowledge.startsWith('2021')
              ? t('com_ui_limitation_limited_2021')
              : t('com_landing_recent')}
          </li>
        </Facts>
      </div>
    </details>
  );
}

function Facts({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section>
      <h2 className={classes.heading}>{title}</h2>
      <ul className={classes.list}>{children}</ul>
    </section>
  );
}
