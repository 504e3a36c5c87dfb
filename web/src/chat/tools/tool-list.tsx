import '../../locales/load/plugins.ts';
import { IconPuzzle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { AllowedTools } from './allowed-tools.tsx';
import { arrangeTools, SEARCHED_FROM, toggleTool } from './arrange-tools.ts';
import { toolInWords } from './tool-labels.ts';
import { describeHindrance } from '../../plugins/describe-hindrance.ts';
import { ToolSwitches } from './tool-switches.tsx';
import classes from './tools-menu.module.css';

interface ToolListProps {
  /** The keys of the tools that are on. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** Closes the menu around it and returns the focus. */
  onClose: () => void;
}

/** All tools with their switches, what is allowed without asking, and the way to the store. */
export function ToolList({ chosen, onChange, onClose }: ToolListProps) {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  return (
    <>
      <List chosen={chosen} onChange={onChange} />
      <AllowedTools />
      <div className={classes.foot}>
        <Button
          type="button"
          variant="subtle"
          size="sm"
          onClick={() => {
            // The focus returns to the button when the store closes.
            onClose();
            showDialog({ name: 'plugins' });
          }}
        >
          <IconPuzzle aria-hidden />
          {t('com_plugins_store')}
        </Button>
      </div>
    </>
  );
}

function List({ chosen, onChange }: Pick<ToolListProps, 'chosen' | 'onChange'>) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const {
    data: offered,
    isError,
    refetch,
  } = trpc.tools.list.useQuery(
    undefined,
    // Who signs in on another page comes back to what has changed by it.
    { refetchOnWindowFocus: 'always' },
  );
  if (!offered && isError) {
    return (
      <p className={classes.note} role="alert">
        {t('com_tools_load_failed')}{' '}
        <Button type="button" variant="subtle" size="sm" onClick={() => void refetch()}>
          {t('com_ui_retry')}
        </Button>
      </p>
    );
  }
  if (!offered) {
    return (
      <div role="status" aria-label={t('com_tools_loading')}>
        <SkeletonRows count={4} />
      </div>
    );
  }
  const inWords = offered.map((tool) => toolInWords(tool, t));
  const groups = arrangeTools(inWords, chosen, {
    query,
    gone: t('com_tools_gone'),
    describe: (why) => describeHindrance(why, t),
  });
  const isSearched = offered.length >= SEARCHED_FROM;
  const nothing = query.trim() === '' ? t('com_tools_none') : t('com_tools_not_found');
  return (
    <>
      {isSearched && (
        <SearchField
          className={classes.search}
          placeholder={t('com_tools_search')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          data-autofocus
        />
      )}
      {groups.length === 0 ? (
        <p className={classes.note} role="status">
          {nothing}
        </p>
      ) : (
        <ToolSwitches groups={groups} onToggle={(key) => onChange(toggleTool(chosen, key))} />
      )}
    </>
  );
}
