import { isObject, parseJson } from '@parley/schema/json';
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import { IconAlertTriangle, IconCheck, IconCircleDashed, IconPlayerStop } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatCredits } from '../lib/format-number.ts';
import { trpc } from '../trpc.ts';
import { Button } from '../ui/button.tsx';
import classes from './research.module.css';
import { stepsIn, type Step } from './steps-in.ts';

interface StepListProps {
  messageId: string;
  plan: ToolCall;
  parts: readonly MessagePart[];
  isWriting: boolean;
}

/** What each step reads, has found and has cost. */
export function StepList({ messageId, plan, parts, isWriting }: StepListProps) {
  const { t } = useTranslation();
  const steps = stepsIn(plan, parts);
  const isAtWork = isWriting && steps.some(({ call }) => call?.state === 'running');
  const isReported = parts.some(({ type }) => type === 'text');
  return (
    <section className={classes.steps} aria-label={t('com_research_progress')} data-testid="research-steps">
      <ol>
        {steps.map((step, at) => (
          <StepRow key={step.shown.id} step={step} place={at + 1} isWriting={isWriting} />
        ))}
      </ol>
      {isWriting && isReported && <p className={classes.hint}>{t('com_research_writing')}</p>}
      {isAtWork && <WriteNow messageId={messageId} />}
    </section>
  );
}

function StepRow({ step, place, isWriting }: { step: Step; place: number; isWriting: boolean }) {
  const { t, i18n } = useTranslation();
  const { shown, call } = step;
  const isRunning = isWriting && call?.state === 'running';
  const facts = isRunning ? [doing(step, t)] : factsOf(step, isWriting, { t, language: i18n.language });
  return (
    <li className={classes.step} data-state={call?.state}>
      <Sign call={call} isWriting={isWriting} />
      <div>
        <p className={classes.question} dir="auto">
          {shown.question}
        </p>
        <p className={classes.hint} dir="auto">
          {facts.join(' · ')}
        </p>
        {call?.state === 'done' && (
          <details className={classes.notes}>
            <summary>{t('com_research_notes', { 0: place })}</summary>
            <p dir="auto">{call.output}</p>
          </details>
        )}
      </div>
    </li>
  );
}

function Sign({ call, isWriting }: { call: ToolCall | null; isWriting: boolean }) {
  if (!call || (isWriting && call.state === 'running')) return <IconCircleDashed aria-hidden />;
  if (call.state === 'done') return <IconCheck aria-hidden />;
  return call.state === 'failed' ? <IconAlertTriangle aria-hidden /> : <IconPlayerStop aria-hidden />;
}

function doing({ newest }: Step, t: TFunction): string {
  const args = parseJson(newest?.input ?? '');
  const { query, url } = isObject(args) ? args : {};
  if (typeof query === 'string') return t('com_research_searching', { 0: query });
  if (typeof url === 'string' && URL.canParse(url)) return t('com_research_reading', { 0: new URL(url).host });
  return t('com_research_working');
}

function factsOf(
  { shown: { sources, credits }, call }: Step,
  isWriting: boolean,
  { t, language }: { t: TFunction; language: string },
): string[] {
  if (!call) return [t(isWriting ? 'com_research_next' : 'com_research_skipped')];
  const seconds = call.tookMs === undefined ? null : Math.max(1, Math.round(call.tookMs / 1000));
  return [
    ...(call.state === 'failed' ? [t('com_research_none')] : []),
    ...(call.state === 'stopped' || call.state === 'running' ? [t('com_research_skipped')] : []),
    ...(sources === null || sources === 0 ? [] : [t('com_research_sources', { count: sources })]),
    ...(seconds === null
      ? []
      : [seconds.toLocaleString(language, { style: 'unit', unit: 'second', unitDisplay: 'short' })]),
    ...(credits === null || credits === 0 ? [] : [formatCredits(credits, language)]),
  ];
}

function WriteNow({ messageId }: { messageId: string }) {
  const { t } = useTranslation();
  const write = trpc.research.write.useMutation();
  if (write.data === true)
    return (
      <p className={classes.hint} role="status">
        {t('com_research_write_asked')}
      </p>
    );
  return (
    <Button size="sm" className={classes.write} disabled={write.isPending} onClick={() => write.mutate({ messageId })}>
      {t('com_research_write')}
    </Button>
  );
}
