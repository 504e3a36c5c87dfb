import type { ProviderKind } from '@parley/schema/catalog/provider-kinds';
import type { ProviderRow, Tried } from '@parley/schema/catalog/saved-providers';
import { useState } from 'react';
import { trpc } from '../../../trpc.ts';
import { useTrial } from '../../trial.tsx';
import { formErrors, findProviderKind, newValues, providerInput, savedValues, type FormValues } from './form-values.ts';

export type Edited = ProviderRow & { saved: NonNullable<ProviderRow['saved']> };

interface FormOptions {
  /** Null for a new one. */
  edited: Edited | null;
  first: ProviderKind;
  onSaved: (name: string, tried: Tried | null) => void;
}

/** The state of the form of a provider: what is written, what a try said, and what is sent. */
export function useProviderForm({ edited, first, onSaved }: FormOptions) {
  const { providers } = trpc.useUtils().client.admin;
  // Of what the form began with: what somebody else saves meanwhile is not written over.
  const [version] = useState(edited?.saved.version ?? null);
  const { check, input, change, choose, ...written } = useWritten(edited, first);
  const trial = useTrial<Tried>({
    check,
    attempt: () => providers.try.mutate(input([])),
    // What a try has found is kept; without one the provider is not called.
    save: (tried) => providers.save.mutate({ ...input(tried?.models ?? edited?.saved.models ?? []), version }),
    onSaved: (tried) => onSaved(input([]).name, tried),
  });
  return {
    ...written,
    trial,
    change(to: Partial<FormValues>): void {
      change(to);
      trial.forget();
    },
    choose(to: ProviderKind): void {
      choose(to);
      trial.forget();
    },
    async submit(): Promise<void> {
      const tried = await trial.tryIt();
      if (tried?.ok) await trial.saveIt(tried);
    },
  };
}

/** The kind and the fields, and what is wrong with them. */
function useWritten(edited: Edited | null, first: ProviderKind) {
  const [kind, setKind] = useState(edited ? findProviderKind(edited.name, edited.saved) : first);
  const [values, setValues] = useState(edited ? savedValues(edited.name, edited.saved) : newValues(first));
  const [areErrorsShown, showErrors] = useState(false);
  const errors = formErrors(values, kind, edited);

  return {
    kind,
    values,
    errors: areErrorsShown ? errors : {},
    change: (to: Partial<FormValues>) => setValues((before) => ({ ...before, ...to })),
    choose(to: ProviderKind): void {
      setKind(to);
      // The key is of another company.
      setValues(newValues(to));
      showErrors(false);
    },
    /** Whether everything is filled in; else the errors are shown. */
    check(): boolean {
      const isRight = Object.keys(errors).length === 0;
      showErrors(!isRight);
      return isRight;
    },
    input: (found: readonly string[]) => providerInput(values, kind, found),
  };
}
