import type { ProviderKind } from '@parley/schema/catalog/provider-kinds';
import type { ProviderRow, Tried } from '@parley/schema/catalog/saved-providers';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorSentences, useFields } from '../../admin-form.tsx';
import { describeTry } from '../describe-provider.ts';
import {
  type FormValues,
  OTHER,
  findProviderKind,
  formErrors,
  hasAddress,
  newValues,
  providerInput,
  savedValues,
} from './form-values.ts';
import { ProviderFields } from './provider-fields.tsx';
import classes from './provider-form.module.css';
import { TrialResult, onSubmit, useTrial } from '../../trial.tsx';
import { endpointLabel } from '../../../catalog/choose-model.ts';
import { EndpointIcon } from '../../../endpoints/endpoint-icons.tsx';
import { trpc } from '../../../trpc.ts';
import { BusyButton } from '../../../ui/busy-button.tsx';
import { Button } from '../../../ui/button.tsx';
import { ButtonRow } from '../../../ui/primitives/button-row.tsx';

interface ProviderFormProps {
  /** Null for a new one. */
  edited: Edited | null;
  /** Those that are not there yet. */
  kinds: readonly [ProviderKind, ...ProviderKind[]];
  onSaved: (name: string, tried: Tried | null) => void;
  onCancel: () => void;
}

/** Adds a provider, or changes one. It is tried before it is saved. */
export function ProviderForm({ edited, kinds, onSaved, onCancel }: ProviderFormProps) {
  const { t, i18n } = useTranslation();
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const form = useProviderForm({ edited, first: kinds[0], onSaved });
  const { kind, fields, trial } = form;
  const isBusy = trial.running !== null;
  const name = endpointLabel(fields.values.name || kind.label);
  useLayoutEffect(() => title.current?.focus(), []);

  return (
    <form
      noValidate
      className={classes.form}
      aria-labelledby={titleId}
      onChange={trial.forget}
      onSubmit={onSubmit(form.submit)}
    >
      <h2 ref={title} id={titleId} className={classes.title} tabIndex={-1} dir="auto">
        {edited ? t('com_admin_providers_edit', { 0: endpointLabel(edited.name) }) : t('com_landing_add_provider')}
      </h2>
      {!edited && <KindTiles kinds={kinds} chosen={kind} onChoose={form.choose} />}
      {kind.baseURL !== undefined && !hasAddress(kind) && (
        <p className={classes.note}>
          <bdi dir="ltr">{kind.baseURL}</bdi>
        </p>
      )}
      <ProviderFields kind={kind} fields={fields} hasKey={edited?.hasKey ?? false} isEdited={edited !== null} />
      <TrialResult
        name={name}
        trial={trial}
        describe={(tried) => describeTry(tried, name, hasAddress(kind), i18n.language, t)}
      />
      <ButtonRow className={classes.buttons}>
        <BusyButton type="submit" variant="filled" isBusy={isBusy}>
          {t(edited ? 'com_admin_providers_try_save' : 'com_admin_providers_try_add')}
        </BusyButton>
        <Button aria-disabled={isBusy || undefined} onClick={() => void trial.tryIt()}>
          {t('com_admin_providers_try')}
        </Button>
        {trial.tried?.ok === false && (
          <Button aria-disabled={isBusy || undefined} onClick={() => void trial.saveIt()}>
            {t('com_admin_providers_save_anyway')}
          </Button>
        )}
        <Button variant="subtle" onClick={onCancel}>
          {t('com_ui_cancel')}
        </Button>
      </ButtonRow>
    </form>
  );
}

interface KindTilesProps {
  kinds: readonly ProviderKind[];
  chosen: ProviderKind;
  onChoose: (kind: ProviderKind) => void;
}

/** The providers that can be added. */
function KindTiles({ kinds, chosen, onChoose }: KindTilesProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.tiles}>
      <legend className={classes.legend}>{t('com_admin_providers_provider')}</legend>
      {kinds.map((kind) => (
        <label key={kind.label} className={classes.tile}>
          <input
            type="radio"
            name="kind"
            className={classes.input}
            checked={kind === chosen}
            onChange={() => onChoose(kind)}
          />
          <EndpointIcon endpointType={kind.type} endpoint={kind.label} model={null} size="small" />
          <span className={classes.name}>{kind === OTHER ? t('com_admin_providers_compatible') : kind.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

export type Edited = ProviderRow & { saved: NonNullable<ProviderRow['saved']> };

interface FormOptions {
  /** Null for a new one. */
  edited: Edited | null;
  first: ProviderKind;
  onSaved: (name: string, tried: Tried | null) => void;
}

/** The state of the form of a provider: what is written, what a try said, and what is sent. */
function useProviderForm({ edited, first, onSaved }: FormOptions) {
  const { t } = useTranslation();
  const { providers } = trpc.useUtils().client.admin;
  // Of what the form began with: what somebody else saves meanwhile is not written over.
  const [version] = useState(edited?.saved.version ?? null);
  const [kind, setKind] = useState(edited ? findProviderKind(edited.name, edited.saved) : first);
  const fields = useFields<FormValues>({
    initial: edited ? savedValues(edited.name, edited.saved) : newValues(first),
    check: (written) => errorSentences(formErrors(written, kind, edited), t),
  });
  const input = (found: readonly string[]) => providerInput(fields.values, kind, found);
  const trial = useTrial<Tried>({
    check: fields.isRight,
    attempt: () => providers.try.mutate(input([])),
    // What a try has found is kept; without one the provider is not called.
    save: (tried) => providers.save.mutate({ ...input(tried?.models ?? edited?.saved.models ?? []), version }),
    onSaved: (tried) => onSaved(input([]).name, tried),
  });
  return {
    kind,
    fields,
    trial,
    choose(to: ProviderKind): void {
      setKind(to);
      // The key is of another company.
      fields.reset(newValues(to));
    },
    async submit(): Promise<void> {
      const tried = await trial.tryIt();
      if (tried?.ok) await trial.saveIt(tried);
    },
  };
}
