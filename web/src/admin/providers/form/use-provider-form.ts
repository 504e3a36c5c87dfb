import type { ProviderKind } from '@parley/schema/catalog/provider-kinds';
import type { ProviderRow, Tried } from '@parley/schema/catalog/saved-providers';
import { useEffect, useRef, useState } from 'react';
import { trpc } from '../../../trpc.ts';
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
  const [tried, setTried] = useState<Tried | null>(null);
  // Of what the form began with: what somebody else saves meanwhile is not written over.
  const [version] = useState(edited?.saved.version ?? null);
  const { attempt, save, isThere, reset, ...calls } = useCalls();
  const written = useWritten(edited, first, forget);

  function forget(): void {
    setTried(null);
    reset();
  }

  async function tryIt(): Promise<Tried | null> {
    if (calls.isTrying || calls.isSaving || !written.check()) return null;
    forget();
    const result = await attempt(written.input([])).catch(() => null);
    if (isThere.current) setTried(result);
    return result;
  }

  /** What `result` found is kept; without one the provider is not called. */
  async function saveIt(result: Tried | null): Promise<void> {
    if (calls.isSaving || !written.check()) return;
    const input = written.input(result?.models ?? edited?.saved.models ?? []);
    await save({ ...input, version }).then(
      () => isThere.current && onSaved(input.name, result),
      // The form shows it.
      () => undefined,
    );
  }

  async function submit(): Promise<void> {
    const result = await tryIt();
    if (result?.ok && isThere.current) await saveIt(result);
  }

  return {
    ...written,
    ...calls,
    tried,
    tryIt: () => void tryIt(),
    saveIt: () => void saveIt(tried),
    submit: () => void submit(),
  };
}

/** The kind and the fields, and what is wrong with them. */
function useWritten(edited: Edited | null, first: ProviderKind, onChanged: () => void) {
  const [kind, setKind] = useState(edited ? findProviderKind(edited.name, edited.saved) : first);
  const [values, setValues] = useState(edited ? savedValues(edited.name, edited.saved) : newValues(first));
  const [areErrorsShown, showErrors] = useState(false);
  const errors = formErrors(values, kind, edited);

  function change(to: Partial<FormValues>): void {
    setValues((before) => ({ ...before, ...to }));
    onChanged();
  }

  return {
    kind,
    values,
    errors: areErrorsShown ? errors : {},
    change,
    choose(to: ProviderKind): void {
      setKind(to);
      // The key is of another company.
      change(newValues(to));
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

function useCalls() {
  const isThere = useIsThere();
  const attempt = trpc.admin.providers.try.useMutation();
  const save = trpc.admin.providers.save.useMutation();
  return {
    isThere,
    attempt: attempt.mutateAsync,
    save: save.mutateAsync,
    reset() {
      attempt.reset();
      save.reset();
    },
    failure: attempt.error ?? save.error,
    isTrying: attempt.isPending,
    isSaving: save.isPending,
  };
}

/** Whether the form is still on screen: whoever leaves it while it waits saves nothing. */
function useIsThere() {
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => void (isThere.current = false);
  }, []);
  return isThere;
}
