// Tests of this room: tests/e2e/research.

import { PLAN_STEPS_MAX, QUESTION_MAX, readShownPlan, type PlanStep } from '@parley/schema/chat/research';
import { IconPlus, IconReportSearch, IconX } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { describeError } from '../errors/describe-error.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ButtonRow } from '../ui/primitives/button-row.tsx';
import classes from './research.module.css';
import { useEditedPlan, type Start } from './use-edited-plan.ts';

interface PlanFormProps {
  messageId: string;
  /** The plan as its call holds it. */
  input: string;
  isSending: boolean;
  /** Absent where nothing can be started any more. */
  onStart: ((start: Start) => void) | undefined;
  onDecline: (() => void) | undefined;
}

type Plan = ReturnType<typeof useEditedPlan>;

/** The plan as a list that can be changed; other devices see each change. */
export function PlanForm({ messageId, input, isSending, onStart, onDecline }: PlanFormProps) {
  const { t } = useTranslation();
  const titleId = useId();
  const shown = readShownPlan(input);
  const plan = useEditedPlan(messageId, shown);
  if (!shown) return null;
  const { steps, budget } = plan.edited;
  const isDisabled = isSending || onStart === undefined;
  const isFilled = steps.some(({ question }) => question.trim() !== '') && budget >= 1;
  return (
    <section className={classes.card} aria-labelledby={titleId} data-testid="research-plan">
      <h2 id={titleId} className={classes.title}>
        <IconReportSearch aria-hidden />
        <span dir="auto">{shown.title || t('com_research_plan')}</span>
      </h2>
      <p className={classes.hint}>{t(onStart || isSending ? 'com_research_plan_hint' : 'com_research_gone')}</p>
      <Questions plan={plan} isDisabled={isDisabled} />
      <BudgetField plan={plan} isDisabled={isDisabled} />
      {plan.error !== null && (
        <p className={classes.failure} role="alert">
          {describeError(plan.error, t)}
        </p>
      )}
      <ButtonRow>
        <Button
          size="sm"
          variant="filled"
          disabled={isDisabled || !isFilled}
          onClick={() => onStart && plan.begin(onStart)}
        >
          {t('com_research_start')}
        </Button>
        <Button size="sm" variant="subtle" disabled={isDisabled} onClick={onDecline}>
          {t('com_research_without')}
        </Button>
      </ButtonRow>
    </section>
  );
}

function Questions({ plan, isDisabled }: { plan: Plan; isDisabled: boolean }) {
  const { t } = useTranslation();
  const list = useRef<HTMLOListElement>(null);
  const { steps, budget } = plan.edited;
  return (
    <>
      <ol className={classes.plan} ref={list}>
        {steps.map((step, at) => (
          <li key={step.id}>
            <TextField
              aria-label={t('com_research_question', { 0: at + 1 })}
              maxLength={QUESTION_MAX}
              value={step.question}
              title={step.why}
              disabled={isDisabled}
              dir="auto"
              onChange={({ currentTarget }) =>
                plan.change({ steps: steps.with(at, { ...step, question: currentTarget.value }), budget })
              }
              onBlur={plan.keep}
            />
            <IconButton
              label={t('com_research_remove', { 0: at + 1 })}
              disabled={isDisabled || steps.length === 1}
              onClick={() => plan.keepNow({ steps: steps.toSpliced(at, 1), budget })}
            >
              <IconX aria-hidden />
            </IconButton>
          </li>
        ))}
      </ol>
      {steps.length < PLAN_STEPS_MAX && (
        <Button
          className={classes.add}
          size="sm"
          variant="subtle"
          disabled={isDisabled}
          onClick={() => {
            const added = { id: freeId(steps), question: '', why: '' };
            // At once: what is typed next is for it.
            flushSync(() => plan.change({ steps: [...steps, added], budget }));
            list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus();
          }}
        >
          <IconPlus aria-hidden />
          {t('com_research_add')}
        </Button>
      )}
    </>
  );
}

/** In credits. */
const DOLLAR = 1_000_000;

function BudgetField({ plan, isDisabled }: { plan: Plan; isDisabled: boolean }) {
  const { t } = useTranslation();
  const { steps, budget } = plan.edited;
  return (
    <TextField
      label={t('com_research_budget')}
      description={t('com_research_budget_hint')}
      type="number"
      inputMode="decimal"
      min={0.000001}
      step="any"
      className={classes.budget}
      disabled={isDisabled}
      value={String(budget / DOLLAR)}
      onChange={({ currentTarget }) => plan.change({ steps, budget: Math.round(Number(currentTarget.value) * DOLLAR) })}
      onBlur={plan.keep}
    />
  );
}

function freeId(steps: readonly PlanStep[]): string {
  let n = steps.length + 1;
  while (steps.some(({ id }) => id === `s${n}`)) n += 1;
  return `s${n}`;
}
