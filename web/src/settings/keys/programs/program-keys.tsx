import { IconPlus, IconCheck, IconCopy } from '@tabler/icons-react';
import { useAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import type { ApiKeyInfo } from '@parley/schema/accounts/api-key-rules';
import { useId, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { describeError } from '../../../errors/describe-error.ts';
import { focusIfLost } from '../../../lib/focus-if-lost.ts';
import { trpc } from '../../../trpc.ts';
import { Button } from '../../../ui/button.tsx';
import { SkeletonRows } from '../../../ui/skeleton/skeleton-rows.tsx';
import { Findable } from '../../search/findable.tsx';
import { keyBeingMadeAtom, NEW_DRAFT } from './program-key-draft.ts';
import { ProgramKeyForm } from './program-key-form.tsx';
import { useCopied } from '../../../content/use-copied.ts';
import { ButtonRow } from '../../../ui/primitives/button-row.tsx';
import { relativeTime } from '../../../chat/message-time/relative-time.ts';
import { formatDate } from '../../../lib/format-date.ts';
import { formatCredits } from '../../../lib/format-number.ts';
import { showToast } from '../../../ui/toast/toast.ts';
import { TwoClickButton } from '../../../ui/two-click-button.tsx';
import { useShowError } from '../../../ui/toast/use-show-error.ts';
import classes from './program-keys.module.css';

/** The keys by which programs ask this server's models in the person's name. */
export function ProgramKeys() {
  const { t } = useTranslation();
  const words = ['com_program_keys', 'com_program_keys_hint', 'com_program_keys_new'] as const;
  return (
    <Findable words={words.map((key) => t(key)).join(' ')}>
      <section className={classes.section} aria-labelledby="program-keys-title">
        <h3 id="program-keys-title" className={classes.title}>
          {t('com_program_keys')}
        </h3>
        <p className={classes.hint}>{t('com_program_keys_hint')}</p>
        <MakeKey />
        <KeyList />
        <ProgramPaths />
      </section>
    </Findable>
  );
}

/** The button, then the form, then the key that was made. */
function MakeKey() {
  const { t } = useTranslation();
  const [made, setMade] = useAtom(keyBeingMadeAtom);
  if (made && 'secret' in made) return <NewKey secret={made.secret} onDone={() => setMade(null)} />;
  if (made) return <ProgramKeyForm draft={made} onChange={setMade} />;
  return (
    <Button ref={focusIfLost} size="sm" className={classes.make} onClick={() => setMade(NEW_DRAFT)}>
      <IconPlus aria-hidden />
      {t('com_program_keys_new')}
    </Button>
  );
}

function KeyList() {
  const { t } = useTranslation();
  const { data: keys, error, dataUpdatedAt } = trpc.apiKeys.list.useQuery(undefined, { staleTime: 0 });
  if (error) return <p className={classes.hint}>{describeError(error, t)}</p>;
  if (!keys) return <SkeletonRows count={2} />;
  if (keys.length === 0) return <p className={classes.hint}>{t('com_program_keys_none')}</p>;
  return (
    <ul>
      {keys.map((key) => (
        <ProgramKeyRow key={key.id} apiKey={key} now={dataUpdatedAt} />
      ))}
    </ul>
  );
}

/** A key that the server shows only now, with what a program needs beside it. */
function NewKey({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { t } = useTranslation();
  const address = `${window.location.origin}/v1`;
  return (
    <div className={classes.made} role="group" aria-label={t('com_program_keys_made')}>
      <p className={classes.strong} role="status">
        {t('com_program_keys_made')}
      </p>
      <Copyable name="key" label={t('com_program_keys_key')} text={secret} isFirst />
      <Copyable name="address" label={t('com_program_keys_address')} text={address} />
      <Copyable name="try" label={t('com_program_keys_try')} text={curlOf(address, secret)} />
      <ButtonRow end>
        <Button onClick={onDone}>{t('com_program_keys_done')}</Button>
      </ButtonRow>
    </div>
  );
}

/** Asks for the models, so that it works whatever they are. */
function curlOf(address: string, secret: string): string {
  return `curl ${address}/models -H "Authorization: Bearer ${secret}"`;
}

interface CopyableProps {
  name: 'key' | 'address' | 'try';
  label: string;
  text: string;
  /** The one action that is asked for, which gets the focus. */
  isFirst?: boolean;
}

function Copyable({ name, label, text, isFirst = false }: CopyableProps) {
  const { t } = useTranslation();
  const { copied, copy } = useCopied();
  return (
    <div className={classes.copyable}>
      <span className={classes.label}>{label}</span>
      <code className={classes.code} dir="ltr" data-testid={`copyable-${name}`}>
        {text}
      </code>
      <Button
        size="sm"
        variant={isFirst ? 'filled' : undefined}
        autoFocus={isFirst}
        aria-label={`${t('com_program_keys_copy')}: ${label}`}
        onClick={() => copy(text)}
      >
        {copied ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
        <span aria-live="polite">{copied ? t('com_program_keys_copied') : t('com_program_keys_copy')}</span>
      </Button>
    </div>
  );
}

function ProgramKeyRow({ apiKey, now }: { apiKey: ApiKeyInfo; now: number }) {
  const { t } = useTranslation();
  const showError = useShowError();
  const id = useId();
  const { apiKeys } = trpc.useUtils();
  const revoke = trpc.apiKeys.revoke.useMutation({
    onSuccess: () => showToast({ message: t('com_program_keys_revoked', { 0: apiKey.name }), severity: 'success' }),
    onError: showError,
    onSettled: () => apiKeys.invalidate(),
  });
  const { name, shown, scopes } = apiKey;
  return (
    <li className={classes.row}>
      <div className={classes.names}>
        <span id={id}>
          <bdi>{name}</bdi>
        </span>
        <p className={classes.hint}>
          <code dir="ltr">{shown}…</code> · {scopes.map((scope) => t(`com_program_keys_scope_${scope}`)).join(', ')}
        </p>
        <p className={classes.hint}>{useFacts(apiKey, now).join(' · ')}</p>
      </div>
      <TwoClickButton
        label={t('com_program_keys_revoke')}
        confirm={t('com_program_keys_revoke_confirm')}
        describedBy={id}
        run={() => revoke.mutateAsync({ id: apiKey.id })}
      />
    </li>
  );
}

/** When it was used, what it has spent, and when it ends. */
function useFacts({ lastUsedAt, spentCredits, monthlyCredits, expiresAt }: ApiKeyInfo, now: number): string[] {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const spent = formatCredits(spentCredits, language);
  const hasEnded = expiresAt !== null && Date.parse(expiresAt) <= now;
  const ends = expiresAt && { 0: formatDate(expiresAt, language, new Date(now)) };
  return [
    lastUsedAt
      ? t('com_program_keys_used', { 0: relativeTime(lastUsedAt, language, now) })
      : t('com_program_keys_unused'),
    monthlyCredits === null
      ? t('com_program_keys_spent', { 0: spent })
      : t('com_program_keys_spent_of', { 0: spent, 1: formatCredits(monthlyCredits, language) }),
    ends ? t(hasEnded ? 'com_program_keys_ended' : 'com_program_keys_until', ends) : t('com_program_keys_endless'),
  ];
}

const DOCUMENT = '/v1/openapi.json';
/** The paths that older clients know, of which some open to keys. */
const REST_DOCUMENT = '/api/openapi.json';

interface ApiDocument {
  paths: Record<string, Record<string, { summary?: string }>>;
}

/** What programs may call, as the server's document says; read when it is opened. */
function ProgramPaths() {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={classes.paths} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t('com_program_paths')}</summary>
      <p className={classes.hint}>{t('com_program_paths_hint')}</p>
      {isOpen && <Paths />}
      {[DOCUMENT, REST_DOCUMENT].map((path) => (
        <p key={path}>
          <a href={path} target="_blank" rel="noreferrer">
            {t('com_program_paths_document')} <code dir="ltr">{path}</code>
          </a>
        </p>
      ))}
    </details>
  );
}

function Paths() {
  const { t } = useTranslation();
  const { data, error } = useQuery({ queryKey: ['program paths'], queryFn: readDocument, staleTime: Infinity });
  if (error) return <p className={classes.hint}>{t('com_program_paths_failed')}</p>;
  const rows = Object.entries(data?.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary = '' }]) => ({ path, method: method.toUpperCase(), summary })),
  );
  return (
    <dl className={classes.pathList} lang="en" dir="ltr">
      {rows.map(({ path, method, summary }) => (
        <div key={`${method} ${path}`}>
          <dt>
            <code>
              {method} {path}
            </code>
          </dt>
          <dd>{summary}</dd>
        </div>
      ))}
    </dl>
  );
}

async function readDocument(): Promise<ApiDocument> {
  const response = await fetch(DOCUMENT);
  if (!response.ok) throw new Error('The document of /v1 cannot be read');
  return (await response.json()) as ApiDocument;
}
