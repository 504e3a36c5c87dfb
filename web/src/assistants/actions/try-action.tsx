import type { Action, TriedOperation } from '@parley/schema/assistants/actions';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { buttonClasses } from '../../ui/button-classes.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import classes from '../builder/builder.module.css';
import { readArguments } from './read-arguments.ts';
import { ScrollText } from '../../ui/primitives/scroll-region.tsx';

/** Calls an operation of a saved action, and shows what was sent, without secrets, and what came back. */
export function TryAction({ action }: { action: Action }) {
  const { t } = useTranslation();
  const id = useId();
  const [name, setName] = useState(action.operations[0]?.name ?? '');
  const [text, setText] = useState('{}');
  const { mutate, data, error, isPending } = trpc.actions.tryOut.useMutation();
  const args = readArguments(text);
  const isKnown = action.operations.some((one) => one.name === name);
  return (
    <section className={classes.group} aria-label={t('com_actions_try')}>
      <h2 className={classes.label}>{t('com_actions_try')}</h2>
      <SelectField
        aria-label={t('com_assistants_name')}
        value={name}
        options={action.operations.map((one) => ({ value: one.name, label: one.name }))}
        onChange={setName}
      />
      <label htmlFor={id} className={classes.help}>
        {t('com_actions_arguments')}
      </label>
      <textarea
        id={id}
        className={classes.input}
        rows={3}
        dir="ltr"
        spellCheck={false}
        aria-invalid={args === null || undefined}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {args === null && <p className={classes.error}>{t('com_actions_not_json')}</p>}
      <BusyButton
        size="sm"
        isBusy={isPending}
        disabled={args === null || !isKnown}
        onClick={() => args && mutate({ actionId: action.id, operation: name, args })}
      >
        <IconPlayerPlay aria-hidden />
        {t('com_actions_try')}
      </BusyButton>
      <div role="status" className={classes.group}>
        {error && <p className={classes.error}>{describeError(error, t)}</p>}
        {data && !isPending && <Tried tried={data} />}
      </div>
    </section>
  );
}

function Tried({ tried: { request, reply, problem, signInUrl } }: { tried: TriedOperation }) {
  const { t } = useTranslation();
  return (
    <>
      {problem && <p className={classes.error}>{problem}</p>}
      {signInUrl && (
        <a className={buttonClasses({ size: 'sm' })} href={signInUrl} target="_blank" rel="noreferrer">
          {t('com_actions_sign_in')}
        </a>
      )}
      {request && (
        <>
          <h3 className={classes.help}>{t('com_actions_request')}</h3>
          <Output label={t('com_actions_request')}>
            {[`${request.method.toUpperCase()} ${request.url}`, ...headerLines(request.headers), request.body ?? '']
              .join('\n')
              .trimEnd()}
          </Output>
        </>
      )}
      {reply && (
        <>
          <h3 className={classes.help}>
            {t('com_actions_reply')} {reply.status}
          </h3>
          <Output label={t('com_actions_reply')}>{reply.text}</Output>
          {reply.isCut && <p className={classes.help}>{t('com_actions_cut')}</p>}
        </>
      )}
    </>
  );
}

function Output({ label, children }: { label: string; children: string }) {
  return (
    <ScrollText className={classes.output} dir="ltr" role="group" aria-label={label}>
      {children}
    </ScrollText>
  );
}

function headerLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}
