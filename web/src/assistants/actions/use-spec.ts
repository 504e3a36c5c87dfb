import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { api } from '../../trpc.ts';
import type { SpecState } from './action-form.ts';

/** Milliseconds after the last key. */
const PARSE_AFTER = 800;

type Answer = { of: string; state: SpecState };

/** Reads an OpenAPI document on the server, once its text rests. An answer to an older text is dropped. */
export function useSpec(rawSpec: string): SpecState {
  const { t } = useTranslation();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const isEmpty = rawSpec.trim() === '';

  useEffect(() => {
    if (isEmpty) return;
    const ending = new AbortController();
    const { signal } = ending;
    const settle = (state: SpecState) => !signal.aborted && setAnswer({ of: rawSpec, state });
    const timer = setTimeout(() => {
      api.actions.parse.mutate({ rawSpec }, { signal }).then(
        (spec) => settle({ status: 'read', spec }),
        (error: unknown) => settle({ status: 'refused', sentence: describeError(error, t) }),
      );
    }, PARSE_AFTER);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [rawSpec, isEmpty, t]);

  if (isEmpty) return { status: 'empty' };
  return answer?.of === rawSpec ? answer.state : { status: 'reading' };
}
