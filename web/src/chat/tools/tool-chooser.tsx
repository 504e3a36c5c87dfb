import { useAtomValue } from 'jotai';
import type { ToolInfo } from '@parley/schema/tools/tools';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { describeHindrance } from '../../plugins/describe-hindrance.ts';
import { session } from '../../session/current-session.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { arrangeTools, SEARCHED_FROM, type ToolRow } from './arrange-tools.ts';
import { toolInWords } from './tool-labels.ts';
import { ToolSwitches } from './tool-switches.tsx';
import { enterList } from './walk-list.ts';
import classes from './tools-menu.module.css';

interface ToolChooserProps {
  isOfChat?: boolean;
  /** What the list is made from, as its query has it. */
  tools: { data: readonly ToolInfo[] | undefined; isError: boolean; refetch: () => unknown };
  /** The keys of the tools that are on. */
  chosen: readonly string[];
  onToggle: (key: string) => void;
  /** Asks for the values of a plugin; absent where that is done elsewhere. */
  onSetUp?: (key: string) => void;
  /** The tools of a server; absent where they are not chosen one by one. */
  renderParts?: (row: ToolRow) => ReactNode;
}

/** A list of tools with their switches, and a search where there are many. */
export function ToolChooser({ tools, chosen, ...acts }: ToolChooserProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const [first] = useState(chosen);
  const isOperator = useAtomValue(session.state).user?.role === 'ADMIN';
  const { data: offered, isError, refetch } = tools;
  if (!offered && isError) {
    return (
      <p className={classes.note} role="alert">
        {t('com_tools_load_failed')}{' '}
        <Button variant="subtle" size="sm" onClick={() => void refetch()}>
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
    describe: (why) => describeHindrance(why, t, isOperator),
    first,
    isOperator,
  });
  const nothing = query.trim() === '' ? t('com_tools_none') : t('com_tools_not_found');
  return (
    <>
      {offered.length >= SEARCHED_FROM && (
        <SearchField
          className={classes.search}
          placeholder={t('com_tools_search')}
          value={query}
          onKeyDown={enterList}
          onChange={(event) => setQuery(event.currentTarget.value)}
          data-autofocus
        />
      )}
      {groups.length === 0 ? (
        <p className={classes.note} role="status">
          {nothing}
        </p>
      ) : (
        <ToolSwitches groups={groups} {...acts} />
      )}
    </>
  );
}
