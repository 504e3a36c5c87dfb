// Forms of what is tried before it is saved: providers, and the services and servers of tools.
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { describeProviderError } from './providers/describe-provider.ts';
import classes from './trial.module.css';

/** Fields that browsers and password managers leave alone. */
export const PLAIN = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  'data-1p-ignore': true,
} as const;

interface Calls<Tried> {
  /** Whether everything is filled in; what is not is marked. */
  check: () => boolean;
  attempt: () => Promise<Tried>;
  /** `tried` is what a try has said; null without one. */
  save: (tried: Tried | null) => Promise<unknown>;
  onSaved: (tried: Tried | null) => void;
}

/** Tries and saves what is written: one at a time, and what fails is said in the form. */
export function useTrial<Tried>({ check, attempt, save, onSaved }: Calls<Tried>) {
  const [running, setRunning] = useState<'try' | 'save' | null>(null);
  const [tried, setTried] = useState<Tried | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const isThere = useIsThere();

  async function run(what: 'try' | 'save', call: () => Promise<void>): Promise<void> {
    if (running !== null || !check()) return;
    setFailure(null);
    setRunning(what);
    await call().catch(setFailure);
    setRunning(null);
  }

  async function tryIt(): Promise<Tried | null> {
    let result: Tried | null = null;
    await run('try', async () => {
      setTried(null);
      result = await attempt();
      setTried(result);
    });
    return result;
  }

  return {
    running,
    tried,
    failure,
    forget() {
      setTried(null);
      setFailure(null);
    },
    tryIt,
    /** Anyone who leaves the form while it waits for a try saves nothing. */
    saveIt: (after: Tried | null = tried) =>
      run('save', async () => {
        if (!isThere.current) return;
        await save(after);
        if (isThere.current) onSaved(after);
      }),
  };
}

/** Whether the form is still on screen. */
function useIsThere() {
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => void (isThere.current = false);
  }, []);
  return isThere;
}

/** The focus goes to the first field that is wrong. */
export function onSubmit(submit: () => unknown) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = event.currentTarget;
    submit();
    // Once React has marked what is wrong.
    requestAnimationFrame(() => fields.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
}

interface Told {
  sentence: ReactNode;
  /** In the words of what was tried. */
  words?: ReactNode;
}

interface TrialResultProps<Tried> {
  /** Of what is tried. */
  name: string;
  trial: Pick<ReturnType<typeof useTrial<Tried>>, 'running' | 'tried' | 'failure'>;
  describe: (tried: Tried) => Told;
}

/** What a try has said, or why the server refused it. */
export function TrialResult<Tried extends { ok: boolean }>({ name, trial, describe }: TrialResultProps<Tried>) {
  const { t } = useTranslation();
  const { running, tried, failure } = trial;
  const result = useRef<HTMLDivElement>(null);
  // A phone ends above it, and the focus stays in the field.
  useEffect(() => void result.current?.scrollIntoView({ block: 'nearest' }), [running, tried, failure]);
  return (
    <div ref={result} className={classes.result} role="status">
      {running === 'try' && <p className={classes.note}>{t('com_admin_providers_trying', { 0: name })}</p>}
      {running !== 'try' && failure !== null && <Said isGood={false} sentence={describeProviderError(failure, t)} />}
      {running !== 'try' && tried && <Said isGood={tried.ok} {...describe(tried)} />}
    </div>
  );
}

function Said({ isGood, sentence, words }: Told & { isGood: boolean }) {
  const Icon = isGood ? IconCheck : IconAlertTriangle;
  const Words = isGood ? 'p' : 'blockquote';
  return (
    <div className={isGood ? classes.worked : classes.failed}>
      <Icon aria-hidden />
      <div className={classes.said}>
        <p>{sentence}</p>
        {words && (
          <Words className={classes.words} dir="auto">
            {words}
          </Words>
        )}
      </div>
    </div>
  );
}
