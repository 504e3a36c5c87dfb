import { knowledgeCutoff } from '@parley/schema/catalog/knowledge-cutoffs';
import { modelMarks } from '@parley/schema/catalog/marks';
import { knownRates } from '@parley/schema/catalog/rates';
import { findWindow } from '@parley/schema/catalog/windows';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelTarget } from '../../catalog/model-target.ts';
import { formatNumber, formatUsDollars } from '../../lib/format-number.ts';
import { trpc } from '../../trpc.ts';
import classes from './about-model.module.css';

/** What is known of the model, and what models do and do not do; folded at first. */
export function AboutModel({ modelTarget }: { modelTarget: ModelTarget | null | undefined }) {
  const { t } = useTranslation();
  const model = modelTarget?.model ?? null;
  const knowledge = model === null ? undefined : knowledgeCutoff(model);
  return (
    <details className={classes.about} data-testid="about-model">
      <summary className={classes.summary}>
        {t('com_landing_about')}
        <IconChevronDown aria-hidden />
      </summary>
      <div className={classes.facts}>
        {modelTarget && model !== null && <ModelFacts {...modelTarget} model={model} />}
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

type Known = Pick<ModelTarget, 'endpoint' | 'endpointType'> & { model: string };

/** Its window, its list price, what it takes and does, and how far its knowledge goes; nothing of a model of which none is known. */
function ModelFacts({ endpoint, endpointType, model }: Known) {
  const { t, i18n } = useTranslation();
  const windows = trpc.endpoints.windows.useQuery(undefined, { staleTime: Infinity }).data;
  const size = windows?.[endpoint]?.[model] ?? findWindow(model);
  const knowledge = knowledgeCutoff(model);
  const rates = knownRates(model);
  const { seesImages, usesTools, thinks } = modelMarks(endpointType, model);
  const money = (dollars: number) => formatUsDollars(dollars, i18n.language);
  const facts = [
    size !== undefined && t('com_landing_window', { 0: formatNumber(size, i18n.language) }),
    rates !== null &&
      rates.completion > 0 &&
      t('com_landing_price', { 0: money(rates.prompt), 1: money(rates.completion) }),
    seesImages && t('com_endpoint_vision'),
    usesTools && t('com_endpoint_tools'),
    thinks && t('com_endpoint_thinks'),
    knowledge !== undefined && t('com_landing_knowledge', { 0: formatMonth(knowledge, i18n.language) }),
  ].filter((fact) => fact !== false);
  if (facts.length === 0) return null;
  return (
    <Facts title={<bdi>{model}</bdi>}>
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </Facts>
  );
}

function formatMonth(date: string, language: string): string {
  return new Date(date).toLocaleDateString(language, { year: 'numeric', month: 'long', timeZone: 'UTC' });
}

function Facts({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section>
      <h2 className={classes.heading}>{title}</h2>
      <ul className={classes.list}>{children}</ul>
    </section>
  );
}
