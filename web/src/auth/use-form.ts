import { useEffect, useRef, useState, type ChangeEvent, type FormEvent } from 'react';
import type { FieldErrors } from './field-errors.ts';

type ErrorsOf<Name extends string> = (values: Record<Name, string>) => FieldErrors<Name>;

export interface FormRules<Name extends string> {
  empty: Record<Name, string>;
  /** The rules are heavy and come after the form that they judge. The same function each time. */
  loadRules: () => Promise<ErrorsOf<Name>>;
  send: (values: Record<Name, string>) => Promise<unknown>;
  /** How long a failure is told, in milliseconds; until the next try unless given. */
  failureMs?: number;
  /** For a form that stays: what was sent is not to be sent again. */
  isEmptiedWhenSent?: boolean;
}

/**
 * A form that judges its fields as they change and can be sent once at a time. What was typed stays through every
 * failure. A field's error shows once the field was touched, or the form was sent.
 */
export function useForm<Name extends string>(rules: FormRules<Name>) {
  const { empty, loadRules, send, failureMs, isEmptiedWhenSent } = rules;
  const [values, setValues] = useState(empty);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<unknown>(null);
  const [isPending, setPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);

  const errorsOf = useRules(loadRules, touched.size > 0);
  const errors = errorsOf?.(values) ?? {};
  const shown = Object.fromEntries(Object.entries(errors).filter(([name]) => touched.has(name))) as FieldErrors<Name>;

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
    // State arrives a render late; a second click may not.
    if (isSending.current) return;
    isSending.current = true;
    await judgeAndSend();
    isSending.current = false;
  }

  async function judgeAndSend(): Promise<void> {
    setTouched(new Set(Object.keys(empty)));
    // Rules that cannot be loaded leave the judging to the server.
    const judge = errorsOf ?? (await loadRules().catch(() => null));
    const firstWrong = Object.keys(judge?.(values) ?? {})[0];
    if (firstWrong) return focusField(form.current, firstWrong);
    setPending(true);
    setFailure(null);
    await send(values).then(isEmptiedWhenSent ? clear : undefined, setFailure);
    setPending(false);
  }

  function clear(): void {
    setValues(empty);
    setTouched(new Set());
  }

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

  return {
    form: { ref: form, onSubmit: (event: FormEvent) => void submit(event), noValidate: true },
    field,
    errors: shown,
    failure,
    isPending,
    canSubmit: Object.keys(shown).length === 0,
  };
}

/** Null until somebody starts to type, and a moment longer. */
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

/** The button lost the focus when it was disabled; a failure gives it back. */
function refocus(form: HTMLFormElement | null): void {
  if (document.activeElement === document.body) form?.querySelector<HTMLButtonElement>('[type="submit"]')?.focus();
}
