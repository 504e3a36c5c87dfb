import { SCHEDULE_TEXT_MAX, SCHEDULE_TITLE_MAX, type Schedule } from '@parley/schema/schedules/schedule-rules';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Catalog, Choice } from '../catalog/choose-model.ts';
import { describeError } from '../errors/describe-error.ts';
import page from '../layout/page/page.module.css';
import { SaveButton } from '../ui/busy-button.tsx';
import { buttonClasses } from '../ui/button-classes.ts';
import { TextArea } from '../ui/fields/text-area.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import { ButtonRow } from '../ui/primitives/button-row.tsx';
import { Problem } from '../ui/primitives/problem.tsx';
import { AnswererFields } from './answerer-fields.tsx';
import { PlaceField } from './place-field.tsx';
import { choiceOf } from './schedule-draft.ts';
import { SCHEDULES_PATH } from './schedule-paths.ts';
import { useScheduleDraft } from './use-schedule-draft.ts';
import { useSaveSchedule } from './use-schedules.ts';
import { ruleOf } from './when.ts';
import { NextTimes, WhenFields } from './when-fields.tsx';
import classes from './schedules.module.css';

interface ScheduleFormProps {
  schedule: Schedule | null;
  catalog: Catalog;
  /** Who answers at first; null where there is no endpoint. */
  first: Choice | null;
}

/** Changes a schedule, or makes a new one. */
export function ScheduleForm({ schedule, catalog, first }: ScheduleFormProps) {
  const { t } = useTranslation();
  const { key, draft, isChanged, change, forget } = useScheduleDraft(schedule, first);
  const { title, text, timeZone, when, place } = draft;
  const choice = choiceOf(draft, catalog);
  const files = schedule?.files ?? [];
  const save = useSaveSchedule(key);
  const rule = ruleOf(when, timeZone);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!rule || !choice || save.isPending) return;
    const { endpoint, model, settings = {} } = choice;
    const target = { endpoint, model, settings };
    save.mutate({ id: draft.id, title, text, target, timeZone, ...rule, ...place, files });
  }

  return (
    <form className={classes.form} aria-label={title || t('com_schedules_new')} onSubmit={submit}>
      <TextField
        label={t('com_schedules_title')}
        required
        maxLength={SCHEDULE_TITLE_MAX}
        value={title}
        dir="auto"
        autoFocus={!schedule}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <TextArea
        label={t('com_schedules_text')}
        required={files.length === 0}
        maxLength={SCHEDULE_TEXT_MAX}
        rows={5}
        value={text}
        dir="auto"
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <AnswererFields choice={choice} catalog={catalog} onChange={(next) => change({ choice: next })} />
      <WhenFields
        when={when}
        timeZone={timeZone}
        onChange={(next) => change({ when: next })}
        onTimeZone={(next) => change({ timeZone: next })}
      />
      <NextTimes rule={rule} timeZone={timeZone} />
      <PlaceField {...place} onChange={(next) => change({ place: next })} />
      <Problem>{save.error && describeError(save.error, t)}</Problem>
      {isChanged && <p className={page.note}>{t('com_assistants_unsaved')}</p>}
      <ButtonRow end>
        <Link className={buttonClasses()} href={SCHEDULES_PATH} onClick={forget}>
          {t('com_ui_cancel')}
        </Link>
        <SaveButton isBusy={save.isPending} disabled={!rule || !choice} />
      </ButtonRow>
    </form>
  );
}
