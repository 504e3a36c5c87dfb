import { useEffect, useRef, useState, type ChangeEvent, type FormEvent } from 'react';
import type { FieldErrors } from './field-errors.ts';

/** The rules of the forms, and with them the schema library, for a person who types. */
export const loadFieldErrors = () => import('./field-errors.ts');

type ErrorsOf<Name extends string> = (values: Record<Name, string>) => FieldErrors<Name>;

export interface FormRules<Name extends string> {
  empty: Record<Name, string>;
  /**
   * Loads the validation rules, which are heavy and arrive after the form. Must be the same function on each render.
   */
  loadRules: () => Promise<ErrorsOf<Name>>;
  send: (values: Record<Name, string>) => Promise<unknown>;
  /** Milliseconds that an error stays visible; by default until the next attempt. */
  failureMs?: number;
  /** For a form that stays on screen: clears it after a successful submit. */
  isEmptiedWhenSent?: boolean;
}

/**
 * A form that validates fields as they change and submits once at a time. Input survives every failure. A field's error
 * shows once the field was touched or the form was submitted.
 */
export function useForm<Name extends string>(rules: FormRules<Name>) {
  const { empty, loadRules, send, failureMs, isEmptiedWhenSent } = rules;
  const { values, field, errorsOf, errors, touchAll, clear } = useFields(empty, loadRules);
  const [failure, setFailure] = useState<unknown>(null);
  const [isPending, setPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);

  useEffect(() => {
    if (!isPending && failure) refocus(form.current);
  }, [isPending, failure]);

  useEffect(() => {
    if (!failure || failureMs === undefined) return;
    const timer = setTimeout(() => setFailure(null), failureMs);
    return () => clearTimeout(timer);
  }, [failure, failureMs]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    // State updates one render late; this blocks a second click.
    if (isSending.current) return;
    isSending.current = true;
    await judgeAndSend();
    isSending.current = false;
  }

  async function judgeAndSend(): Promise<void> {
    touchAll();
    // If the rules do not load, the server validates.
    const judge = errorsOf ?? (await loadRules().catch(() => null));
    const [firstWrong] = Object.keys(judge?.(values) ?? {});
    if (firstWrong) return focusField(form.current, firstWrong);
    setPending(true);
    setFailure(null);
    await send(values).then(isEmptiedWhenSent ? clear : undefined, setFailure);
    setPending(false);
  }

  return {
    form: { ref: form, onSubmit: (event: FormEvent) => void submit(event), noValidate: true },
    field,
    errors,
    failure,
    isPending,
    canSubmit: Object.keys(errors).length === 0,
  };
}

/** What is typed into the fields, and what is wrong with those that were touched. */
function useFields<Name extends string>(empty: Record<Name, string>, loadRules: FormRules<Name>['loadRules']) {
  const [values, setValues] = useState(empty);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const errorsOf = useRules(loadRules, touched.size > 0);
  const errors = Object.entries(errorsOf?.(values) ?? {}).filter(([name]) => touched.has(name));

  function field(name: Name) {
    return {
      name,
      value: values[name],
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
        const { value } = currentTarget;
        setValues((before) => ({ ...before, [name]: value }));
        setTouched((before) => new Set(before).add(name));
      },
    };
  }

  function clear(): void {
    setValues(empty);
    setTouched(new Set());
  }

  return {
    values,
    field,
    errorsOf,
    errors: Object.fromEntries(errors) as FieldErrors<Name>,
    touchAll: () => setTouched(new Set(Object.keys(empty))),
    clear,
  };
}

/** Null until the user types and the rules are loaded. */
function useRules<Name extends string>(loadRules: FormRules<Name>['loadRules'], isWanted: boolean) {
  const [rules, setRules] = useState<ErrorsOf<Name> | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    loadRules().then(
      (loaded) => setRules(() => loaded),
      () => undefined,
    );
  }, [loadRules, isWanted]);
  return rules;
}

function focusField(form: HTMLFormElement | null, name: string): void {
  form?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus();
}

/** Disabling the button drops its focus; restore it after a failure. */
function refocus(form: HTMLFormElement | null): void {
  if (document.activeElement === document.body) form?.querySelector<HTMLButtonElement>('[type="submit"]')?.focus();
}
