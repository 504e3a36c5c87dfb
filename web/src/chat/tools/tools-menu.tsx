import '../../locales/load/plugins.ts';
import '@mantine/core/styles/Popover.css';
import { Popover } from '@mantine/core';
import { IconPuzzle } from '@tabler/icons-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { focusOnOpen } from '../../ui/menu/focus-on-open.ts';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { arrangeTools, SEARCHED_FROM, toggleTool } from './arrange-tools.ts';
import { AllowedTools } from './allowed-tools.tsx';
import { toolInWords } from './builtin-words.ts';
import { ToolSwitches } from './tool-switches.tsx';
import { describeHindrance } from './describe-hindrance.ts';
import classes from './tools-menu.module.css';

interface ToolsMenuProps {
  /** The keys of the tools that are on. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** Closes and returns the focus. */
  onClose: () => void;
  /** The focus moved elsewhere. */
  onLeave: () => void;
}

/** The open list of tools, each with a switch, above its parent. */
export function ToolsMenu({ chosen, onChange, onClose, onLeave }: ToolsMenuProps) {
  const { t } = useTranslation();
  const titleId = useId();
  const showDialog = useShowDialog();

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
    // The menu stands in the form of the message.
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
  }

  return (
    <Popover
      opened
      onDismiss={onLeave}
      closeOnEscape={false}
      position="top-start"
      middlewares={{ shift: { padding: 10 }, flip: { padding: 10 } }}
      offset={6}
      width={380}
      trapFocus
      withRoles={false}
      withinPortal={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <span className={classes.target} />
      </Popover.Target>
      <Popover.Dropdown
        ref={focusOnOpen}
        tabIndex={-1}
        className={classes.dropdown}
        role="dialog"
        aria-labelledby={titleId}
        onKeyDown={onKeyDown}
      >
        <h2 id={titleId} className={classes.title}>
          {t('com_tools')}
        </h2>
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
      </Popover.Dropdown>
    </Popover>
  );
}

function List({ chosen, onChange }: Pick<ToolsMenuProps, 'chosen' | 'onChange'>) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const { data: offered, isError, refetch } = trpc.tools.list.useQuery();
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
