import '@mantine/core/styles/SegmentedControl.css';
import { SegmentedControl } from '@mantine/core';
import { MEMORY_MODES, type MemoryMode, type MemorySettings } from '@parley/schema/settings/memory-mode';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { trpc } from '../../trpc.ts';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { TwoClickButton } from '../../ui/two-click-button.tsx';
import { Exceptions } from '../personalization/personalization-settings.tsx';
import { Findable } from '../search/findable.tsx';
import { Setting } from '../setting.tsx';
import { MemoryEntry } from './memory-entry.tsx';
import classes from './memory-settings.module.css';
import { useRereadMemories } from './use-reread-memories.ts';

const OFF: MemorySettings = { mode: 'off', exceptEndpoints: [] };
/** A list of fewer is read at a glance. */
const SEARCHED_FROM = 6;

/** Whether chats remember, and all that they do. */
export function MemorySettings() {
  const { t } = useTranslation();
  useRereadMemories();
  return (
    <Findable words={`${t('com_memory')} ${t('com_memory_hint')}`}>
      <Mode />
      <Entries />
    </Findable>
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
          <MemoryEntry key={memory.id} memory={memory} />
        ))}
      </ul>
    </>
  );
}
