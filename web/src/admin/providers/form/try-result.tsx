import type { Tried } from '@parley/schema/catalog/saved-providers';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { describeProviderError, describeTryReason } from '../describe-provider.ts';
import classes from './provider-form.module.css';

interface TryResultProps {
  tried: Tried | null;
  /** Of a try or a save that the server refused. */
  failure: unknown;
  isTrying: boolean;
  name: string;
  /** Whether the form has a field for the address. */
  hasAddress: boolean;
}

/** What a provider answered: how many models it has and what one of them said, or why it does not work. */
export function TryResult({ tried, failure, isTrying, name, hasAddress }: TryResultProps) {
  const { t } = useTranslation();
  const result = useRef<HTMLDivElement>(null);
  // A phone ends above it, and the focus stays in the field.
  useEffect(() => void result.current?.scrollIntoView({ block: 'nearest' }), [isTrying, tried, failure]);
  return (
    <div ref={result} className={classes.result} role="status">
      {isTrying && <p className={classes.note}>{t('com_admin_providers_trying', { 0: name })}</p>}
      {!isTrying && failure !== null && failure !== undefined && (
        <Failed sentence={describeProviderError(failure, t)} />
      )}
      {!isTrying &&
        tried &&
        (tried.ok ? <Worked tried={tried} /> : <Refused tried={tried} name={name} hasAddress={hasAddress} />)}
    </div>
  );
}

function Worked({ tried: { models, answer } }: { tried: Extract<Tried, { ok: true }> }) {
  const { t, i18n } = useTranslation();
  const seconds = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 }).format(answer.ms / 1000);
  return (
    <div className={classes.worked}>
      <IconCheck aria-hidden />
      <div className={classes.said}>
        <p>
          {t('com_admin_providers_models_found', { 0: new Intl.NumberFormat(i18n.language).format(models.length) })}
          {' · '}
          {t('com_admin_providers_answered', { 0: seconds })}
        </p>
        <p className={classes.words}>
          <bdi>{answer.model}</bdi>: <bdi>{answer.text}</bdi>
        </p>
      </div>
    </div>
  );
}

type RefusedProps = Pick<TryResultProps, 'name' | 'hasAddress'> & { tried: Extract<Tried, { ok: false }> };

function Refused({ tried, name, hasAddress }: RefusedProps) {
  const { t } = useTranslation();
  return <Failed sentence={describeTryReason(tried, name, t, hasAddress)} words={tried.words} />;
}

export function Failed({ sentence, words = null }: { sentence: string; words?: string | null }) {
  return (
    <div className={classes.failed}>
      <IconAlertTriangle aria-hidden />
      <div className={classes.said}>
        <p>{sentence}</p>
        {words !== null && (
          <blockquote className={classes.words} dir="auto">
            {words}
          </blockquote>
        )}
      </div>
    </div>
  );
}
