import '@mantine/core/styles/SegmentedControl.css';
import { SegmentedControl } from '@mantine/core';
import { MEMORY_MODES, type MemoryMode, type MemorySettings } from '@parley/schema/settings/memory-mode';
import { MEMORY_TEXT_MAX, type Memory } from '@parley/schema/tools/memory-rules';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { onChange } from '../../feed/change-feed.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { TwoClickButton } from '../../ui/two-click-button.tsx';
import { Exceptions } from '../personalization/personalization-settings.tsx';
import { Findable } from '../search/findable.tsx';
import { Setting } from '../setting.tsx';
import classes from './memory-settings.module.css';

const OFF: MemorySettings = { mode: 'off', exceptEndpoints: [] };
/** A list of fewer is read at a glance. */
const SEARCHED_FROM = 6;

/** Whether chats remember, and all that they do. */
export function MemorySettings() {
  const { t } = useTranslation();
  useReread();
  return (
    <Findable words={`${t('com_memory')} ${t('com_memory_hint')}`}>
      <Mode />
      <Entries />
    </Findable>
  );
}

/** Changes of other browsers, and of answers, come as those of settings. */
function useReread(): void {
  const utils = trpc.useUtils();
  useEffect(
    () =>
      onChange(({ type }) => {
        if (type !== 'settings' && type !== 'reset') return;
        void utils.memories.list.invalidate();
        void utils.settings.list.invalidate();
      }),
    [utils],
  );
}

function Mode() {
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const stored = trpc.settings.list.useQuery();
  const set = trpc.memories.setMode.useMutation({ onSettled: () => utils.settings.list.invalidate() });
  if (stored.error) return <p className={classes.failure}>{describeError(stored.error, t)}</p>;
  if (!stored.data) return <SkeletonRows count={2} />;
  const { mode, exceptEndpoints } = stored.data.memory ?? OFF;
  const shownMode = (set.isPending && set.variables.mode) || mode;
  return (
    <>
      <p className={classes.note}>{t('com_memory_hint')}</p>
      <SegmentedControl
        fullWidth
        withItemsBorders={false}
        aria-label={t('com_memory')}
        data={MEMORY_MODES.map((value) => ({ value, label: t(`com_memory_mode_${value}`) }))}
        value={shownMode}
        onChange={(value) =>
          set.mutate({ mode: MEMORY_MODES.find((one): one is MemoryMode => one === value) ?? 'off' })
        }
      />
      <p className={classes.note} role="status" data-error={set.error !== null || undefined}>
        {set.error ? describeError(set.error, t) : t(`com_memory_mode_${mode}_hint`)}
      </p>
      {mode !== 'off' && (
        <Exceptions
          names={exceptEndpoints}
          hint={t('com_memory_except_hint')}
          onChange={(names) => set.mutate({ mode, exceptEndpoints: names })}
        />
      )}
    </>
  );
}

function Entries() {
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const list = trpc.memories.list.useQuery();
  const [query, setQuery] = useState('');
  const clear = trpc.memories.clear.useMutation({ onSuccess: () => utils.memories.list.invalidate() });
  if (list.error) return <p className={classes.failure}>{describeError(list.error, t)}</p>;
  if (!list.data) return <SkeletonRows count={3} />;
  const found = list.data.filter(({ text }) => text.toLowerCase().includes(query.trim().toLowerCase()));
  return (
    <>
      <Setting name={t('com_memory_entries', { count: list.data.length })}>
        {list.data.length > 0 && (
          <TwoClickButton
            label={t('com_memory_clear')}
            confirm={t('com_memory_clear_sure')}
            run={() => clear.mutateAsync({})}
          />
        )}
      </Setting>
      {clear.error && <p className={classes.failure}>{describeError(clear.error, t)}</p>}
      {list.data.length >= SEARCHED_FROM && (
        <SearchField
          placeholder={t('com_memory_search')}
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        />
      )}
      {list.data.length === 0 && <p className={classes.note}>{t('com_memory_none')}</p>}
      {list.data.length > 0 && found.length === 0 && <p className={classes.note}>{t('com_memory_not_found')}</p>}
      <ul className={classes.entries}>
        {found.map((memory) => (
          <Entry key={memory.id} memory={memory} />
        ))}
      </ul>
    </>
  );
}

function Entry({ memory }: { memory: Memory }) {
  const { t, i18n } = useTranslation();
  const utils = trpc.useUtils();
  const onSuccess = () => utils.memories.list.invalidate();
  const save = trpc.memories.save.useMutation({ onSuccess });
  const remove = trpc.memories.remove.useMutation({ onSuccess });
  const [text, setText] = useState<string | null>(null);
  const { id, from } = memory;
  const error = save.error ?? remove.error;
  const keep = async () => {
    await save.mutateAsync({ id, text: text ?? memory.text, scope: memory.scope }).then(
      () => setText(null),
      () => undefined,
    );
  };
  return (
    <li className={classes.entry}>
      {text === null ? (
        <p dir="auto">{memory.text}</p>
      ) : (
        <TextField
          aria-label={t('com_memory_sentence')}
          maxLength={MEMORY_TEXT_MAX}
          dir="auto"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <p className={classes.facts}>
        {new Date(memory.updatedAt).toLocaleDateString(i18n.language)}
        {' · '}
        {t(
          memory.scope === ''
            ? 'com_memory_scope_all'
            : memory.scope.startsWith('folder:')
              ? 'com_memory_scope_folder'
              : 'com_memory_scope_assistant',
        )}
        {from && (
          <>
            {' · '}
            <a href={`/c/${from.conversationId}`} dir="auto">
              {from.title ?? t('com_ui_new_chat')}
            </a>
          </>
        )}
      </p>
      {error && <p className={classes.failure}>{describeError(error, t)}</p>}
      <ButtonRow>
        {text === null ? (
          <Button size="sm" variant="subtle" onClick={() => setText(memory.text)}>
            {t('com_memory_edit')}
          </Button>
        ) : (
          <>
            <Button size="sm" onClick={() => void keep()} disabled={text.trim() === '' || save.isPending}>
              {t('com_ui_save')}
            </Button>
            <Button size="sm" variant="subtle" onClick={() => setText(null)}>
              {t('com_ui_cancel')}
            </Button>
          </>
        )}
        <Button size="sm" variant="danger" onClick={() => remove.mutate({ id })} disabled={remove.isPending}>
          {t('com_ui_delete')}
        </Button>
      </ButtonRow>
    </li>
  );
}
