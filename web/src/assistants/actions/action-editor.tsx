import type { Action, ActionWithDocument, ListedOperation } from '@parley/schema/assistants/actions';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { IconArrowLeft, IconLock, IconTrash } from '@tabler/icons-react';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { Confirm } from '../confirm.tsx';
import classes from '../builder/builder.module.css';
import { actionFormKey, actionFormsAtom, editedActionAtom, setActionFormAtom } from '../builder/builder-state.ts';
import { ActionAuthDialog } from './action-auth-dialog.tsx';
import {
  canSaveAction,
  actionFaults,
  formOfAction,
  operationsOn,
  withOperations,
  type ActionForm,
  type SpecState,
} from './action-form.ts';
import { DocumentField } from './document-field.tsx';
import { OperationList } from './operation-list.tsx';
import { SpecReport } from './spec-report.tsx';
import { TryAction } from './try-action.tsx';
import { useAction } from './use-actions.ts';
import { useSaveAction } from './use-save-action.ts';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { describeError } from '../../errors/describe-error.ts';
import { api } from '../../trpc.ts';

const NO_OPERATIONS: readonly ListedOperation[] = [];

interface ActionEditorProps {
  assistant: Assistant;
  /** Null for a new one. */
  actionId: string | null;
}

/** Edits an action in the place of its assistant. */
export function ActionEditor({ assistant, actionId }: ActionEditorProps) {
  const { t } = useTranslation();
  const setEdited = useSetAtom(editedActionAtom);
  const { data = null } = useAction(actionId);
  const saved = actionId === null ? null : data;
  return (
    <div className={classes.form}>
      <Button size="sm" className={classes.back} onClick={() => setEdited(null)} data-autofocus>
        <IconArrowLeft aria-hidden />
        {t('com_assistants_back')}
      </Button>
      <h2 className={classes.label}>{saved ? saved.domain : t('com_actions_new')}</h2>
      {actionId !== null && !saved ? (
        <SkeletonRows count={4} />
      ) : (
        <Fields assistantId={assistant.assistantId} saved={saved} />
      )}
    </div>
  );
}

function Fields({ assistantId, saved }: { assistantId: string; saved: ActionWithDocument | null }) {
  const { t } = useTranslation();
  const key = actionFormKey(assistantId, saved?.id ?? null);
  const draft = useAtomValue(actionFormsAtom)[key];
  const setForm = useSetAtom(setActionFormAtom);
  const form = draft ?? formOfAction(saved);
  const change = (part: Partial<ActionForm>) => setForm(key, { ...form, ...part });
  const spec = useSpec(form);
  const listed = spec.status === 'read' ? spec.spec.operations : NO_OPERATIONS;
  const saving = useSaveAction(assistantId, saved);
  const isAddressWrong = actionFaults(form, saved).includes('privacy_invalid');

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (canSaveAction(form, spec, saved)) void saving.save(form, listed);
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <AuthField form={form} saved={saved} onChange={change} />
      <DocumentField value={form.rawSpec} onChange={(rawSpec) => change({ rawSpec })} />
      <SpecReport spec={spec} />
      {listed.length > 0 && (
        <OperationList
          operations={listed}
          on={operationsOn(form, listed)}
          onSwitch={(names, isOn) => change(withOperations(form, listed, names, isOn))}
        />
      )}
      <TextField
        label={t('com_actions_privacy')}
        type="url"
        dir="ltr"
        error={isAddressWrong && t('com_actions_privacy_invalid')}
        value={form.privacyPolicyUrl}
        onChange={({ currentTarget }) => change({ privacyPolicyUrl: currentTarget.value })}
      />
      {saving.failure && (
        <p className={classes.error} role="alert">
          {saving.failure}
        </p>
      )}
      <ButtonRow end>
        {saved && <RemoveButton onRemove={() => void saving.remove(saved.id)} />}
        {draft && <DiscardButton onDiscard={() => setForm(key, null)} />}
        <BusyButton
          type="submit"
          variant="filled"
          isBusy={saving.isBusy}
          disabled={!canSaveAction(form, spec, saved)}
          data-testid="save-action"
        >
          {saved ? t('com_ui_save') : t('com_assistants_create')}
        </BusyButton>
      </ButtonRow>
      {saved && <TryAction action={saved} />}
    </form>
  );
}

interface AuthFieldProps {
  form: ActionForm;
  saved: Action | null;
  onChange: (part: Partial<ActionForm>) => void;
}

/** How the API knows the caller, and the dialog that changes it. */
function AuthField({ form, saved, onChange }: AuthFieldProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const names = { none: t('com_actions_auth_none'), service_http: t('com_actions_key'), oauth: 'OAuth' };
  return (
    <section className={classes.group} aria-label={t('com_actions_auth')}>
      <h2 className={classes.label}>{t('com_actions_auth')}</h2>
      <Button size="sm" onClick={() => setOpen(true)}>
        <IconLock aria-hidden />
        {names[form.authType]}
      </Button>
      {isOpen && (
        <ActionAuthDialog
          form={form}
          saved={saved}
          onClose={() => setOpen(false)}
          onSave={(part) => {
            onChange(part);
            setOpen(false);
          }}
        />
      )}
    </section>
  );
}

/** Asks before it forgets what was changed: a long document is not typed again. */
function DiscardButton({ onDiscard }: { onDiscard: () => void }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('com_assistants_discard')}</Button>
      {isAsking && (
        <Confirm
          title={t('com_assistants_discard')}
          text={t('com_actions_discard_ask')}
          confirm={t('com_assistants_discard')}
          onClose={() => setAsking(false)}
          onConfirm={onDiscard}
        />
      )}
    </>
  );
}

function RemoveButton({ onRemove }: { onRemove: () => void }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="danger"
        className={classes.atStart}
        aria-label={t('com_actions_delete')}
        data-tooltip={t('com_actions_delete')}
        onClick={() => setAsking(true)}
      >
        <IconTrash aria-hidden />
      </Button>
      {isAsking && (
        <Confirm
          title={t('com_actions_delete')}
          text={t('com_actions_delete_ask')}
          onClose={() => setAsking(false)}
          onConfirm={onRemove}
        />
      )}
    </>
  );
}

/** Milliseconds after the last key. */
const PARSE_AFTER_MS = 800;

type SpecResponse = { of: string; state: SpecState };

/**
 * Reads an OpenAPI document on the server, once its text rests. An answer to an older text is dropped. What is chosen
 * later is checked when it is saved: the document is not sent again for each switch.
 */
function useSpec({ rawSpec, isChosen, operations }: ActionForm): SpecState {
  const { t } = useTranslation();
  const [answer, setAnswer] = useState<SpecResponse | null>(null);
  const isEmpty = rawSpec.trim() === '';
  const read = useEffectEvent((signal: AbortSignal) =>
    api.actions.parse.mutate({ rawSpec, operations: isChosen ? operations : null }, { signal }),
  );

  useEffect(() => {
    if (isEmpty) return;
    const ending = new AbortController();
    const { signal } = ending;
    const settle = (state: SpecState) => !signal.aborted && setAnswer({ of: rawSpec, state });
    const timer = setTimeout(() => {
      read(signal).then(
        (spec) => settle({ status: 'read', spec }),
        (error: unknown) => settle({ status: 'refused', sentence: describeError(error, t) }),
      );
    }, PARSE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [rawSpec, isEmpty, t]);

  if (isEmpty) return { status: 'empty' };
  return answer?.of === rawSpec ? answer.state : { status: 'reading' };
}
