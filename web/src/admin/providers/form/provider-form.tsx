import type { ProviderKind } from '@parley/schema/catalog/provider-kinds';
import type { Tried } from '@parley/schema/catalog/saved-providers';
import { useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../../../catalog/choose-model.ts';
import { BusyButton } from '../../../ui/busy-button.tsx';
import { Button } from '../../../ui/button.tsx';
import { hasAddress } from './form-values.ts';
import { KindTiles } from './kind-tiles.tsx';
import { ProviderFields } from './provider-fields.tsx';
import classes from './provider-form.module.css';
import { TryResult } from './try-result.tsx';
import { useProviderForm, type Edited } from './use-provider-form.ts';
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
  const { t } = useTranslation();
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const form = useProviderForm({ edited, first: kinds[0], onSaved });
  const { kind, values, errors, tried, failure, isTrying, isSaving } = form;
  const isBusy = isTrying || isSaving;
  useLayoutEffect(() => title.current?.focus(), []);

  return (
    <form
      noValidate
      className={classes.form}
      aria-labelledby={titleId}
      onSubmit={(event) => {
        event.preventDefault();
        const fields = event.currentTarget;
        form.submit();
        // Once React has marked what is wrong.
        requestAnimationFrame(() => fields.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      }}
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
      <ProviderFields
        kind={kind}
        values={values}
        errors={errors}
        hasKey={edited?.hasKey ?? false}
        isEdited={edited !== null}
        onChange={form.change}
      />
      <TryResult
        tried={tried}
        failure={failure}
        isTrying={isTrying}
        name={endpointLabel(values.name || kind.label)}
        hasAddress={hasAddress(kind)}
      />
      <ButtonRow className={classes.buttons}>
        <BusyButton type="submit" variant="filled" isBusy={isBusy}>
          {t(edited ? 'com_admin_providers_try_save' : 'com_admin_providers_try_add')}
        </BusyButton>
        <Button type="button" aria-disabled={isBusy || undefined} onClick={form.tryIt}>
          {t('com_admin_providers_try')}
        </Button>
        {tried?.ok === false && (
          <Button type="button" aria-disabled={isBusy || undefined} onClick={form.saveIt}>
            {t('com_admin_providers_save_anyway')}
          </Button>
        )}
        <Button type="button" variant="subtle" onClick={onCancel}>
          {t('com_ui_cancel')}
        </Button>
      </ButtonRow>
    </form>
  );
}
