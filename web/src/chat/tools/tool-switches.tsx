import type { ParseKeys } from 'i18next';
import { IconChevronDown } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ToolGroup, ToolSection } from './arrange-tools.ts';
import { ToolRow, type ToolRowActs } from './tool-row.tsx';
import { walkList } from './walk-list.ts';
import classes from './tools-menu.module.css';

const HEADINGS: Record<ToolSection, ParseKeys> = {
  on: 'com_tools_section_on',
  usable: 'com_tools_section_usable',
  more: 'com_tools_section_more',
  builtin: 'com_tools_source_builtin',
  plugin: 'com_tools_source_service',
  action: 'com_tools_source_action',
  mcp: 'com_tools_source_mcp',
  skill: 'com_tools_source_skill',
};

interface ToolSwitchesProps extends ToolRowActs {
  groups: readonly ToolGroup[];
  /** They are those of one chat. */
  isOfChat?: boolean;
}

/** The tools, each with a switch. The arrow keys move from one to the next. */
export function ToolSwitches({ groups, isOfChat = false, ...acts }: ToolSwitchesProps) {
  const { t } = useTranslation();
  const headingOf = (section: ToolSection) =>
    t(section === 'on' && isOfChat ? 'com_tools_section_on_here' : HEADINGS[section]);
  return (
    // Only handles keys that bubble up from its switches.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.list} data-list onKeyDown={walkList}>
      {groups.map(({ section, rows }) => {
        const drawn = rows.map((row) => <ToolRow key={row.key} row={row} {...acts} />);
        if (section === 'more' && groups.length > 1) {
          const locked = acts.onSetUp ? rows.filter(({ lacksValues }) => lacksValues).length : 0;
          return (
            <MoreTools key={section} count={rows.length} locked={locked}>
              {drawn}
            </MoreTools>
          );
        }
        return (
          <section key={section} aria-label={headingOf(section)}>
            {(groups.length > 1 || section === 'on') && <h3 className={classes.source}>{headingOf(section)}</h3>}
            {drawn}
          </section>
        );
      })}
    </div>
  );
}

interface MoreToolsProps {
  count: number;
  /** How many of them need nothing but a key. */
  locked: number;
  children: ReactNode[];
}

/** What cannot be switched on as it is: it is out of the way until somebody looks for it. */
function MoreTools({ count, locked, children }: MoreToolsProps) {
  const { t } = useTranslation();
  const [isUnfolded, setUnfolded] = useState(false);
  return (
    <section aria-label={t('com_tools_section_more')}>
      <h3 className={classes.more}>
        <button type="button" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
          <IconChevronDown aria-hidden />
          {locked > 0 ? t('com_tools_more_locked', { count: locked }) : t('com_tools_section_more')}
          {locked === 0 && <span className={classes.count}>{count}</span>}
        </button>
      </h3>
      {isUnfolded && children}
    </section>
  );
}
