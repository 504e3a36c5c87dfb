import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { api } from '../../trpc.ts';
import type { ActionForm, SpecState } from './action-form.ts';

/** Milliseconds after the last key. */
const PARSE_AFTER_MS = 800;

type SpecResponse = { of: string; state: SpecState };

/**
 * Reads an OpenAPI document on the server, once its text rests. An answer to an older text is dropped. What is chosen
 * later is checked when it is saved: the document is not sent again for each switch.
 */
export function useSpec({ rawSpec, isChosen, operations }: ActionForm): SpecState {
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
