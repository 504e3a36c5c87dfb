import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StepUpHost } from '../auth/step-up/step-up-host.tsx';
import { DialogFrame } from '../dialogs/dialog-frame.tsx';
import type { SettingsTarget } from '../dialogs/open-dialog.ts';
import { SearchField } from '../ui/fields/search-field.tsx';
import { FoundSettings } from './search/found-settings.tsx';
import { SECTIONS, type Section } from './sections.ts';
import classes from './settings-dialog.module.css';
import { SettingsTargetContext } from './settings-place.ts';
import '@mantine/core/styles/Tabs.css';
import { Tabs } from '@mantine/core';
import { IconArrowLeft, IconChevronRight } from '@tabler/icons-react';
import { focusIfLost } from '../lib/focus-if-lost.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { PlainButton } from '../ui/primitives/plain-button.tsx';

/** The same breakpoint as in the stylesheet. */
const NARROW = '(max-width: 768px)';

interface SettingsDialogProps {
  /** Where it opens: the place that a dialog returns to, or a section. */
  at?: SettingsTarget | undefined;
  onClose: () => void;
}

/** The settings dialog: sections, or what a search finds in all of them. */
export function SettingsDialog({ at, onClose }: SettingsDialogProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useState(at?.query ?? '');
  const [section, setSection] = useState<string | null>(at?.tab ?? null);
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const place = useMemo(() => ({ tab: section ?? '', query, returnedTo: at?.row }), [section, query, at]);
  const found = query.trim() === '' ? null : <FoundSettings query={query.trim()} tabs={SECTIONS} />;

  function show(name: string | null): void {
    setQuery('');
    setSection(name);
  }

  return (
    <DialogFrame title={t('com_nav_settings')} size="60rem" onClose={onClose}>
      <div ref={useScrollToTop(section)} className={classes.frame}>
        {(!isNarrow || section === null || found) && (
          <SearchField
            type="search"
            className={classes.search}
            placeholder={t('com_nav_search_settings')}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
            // The first Escape empties the field, the next one closes the dialog.
            data-mantine-stop-propagation={query === '' ? undefined : 'true'}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setQuery('');
            }}
          />
        )}
        <SettingsTargetContext value={place}>
          {isNarrow ? (
            <SectionList sections={SECTIONS} shown={section} found={found} onShow={show} />
          ) : (
            <SectionTabs
              sections={SECTIONS}
              shown={section ?? SECTIONS[0]?.name ?? ''}
              found={found}
              isReturn={at?.row !== undefined}
              onShow={show}
            />
          )}
          {at && <FocusInView />}
          <StepUpHost />
        </SettingsTargetContext>
      </div>
    </DialogFrame>
  );
}

/** The dialog gives the focus to the row it returns to before this, and does not scroll. */
function FocusInView(): ReactNode {
  useEffect(() => void document.activeElement?.scrollIntoView({ block: 'nearest' }), []);
  return null;
}

/** Begins each section at its top. A short window scrolls the dialog, any other the section itself. */
function useScrollToTop(shown: string | null) {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    frame.current?.querySelectorAll('[role="tabpanel"]').forEach((panel) => (panel.scrollTop = 0));
    const dialog = frame.current?.closest('[role="dialog"]');
    if (dialog) dialog.scrollTop = 0;
  }, [shown]);
  return frame;
}

interface SectionTabsProps {
  sections: readonly Section[];
  shown: string;
  /** What a search has found, in place of the section. */
  found: ReactNode;
  /** A row has the focus. */
  isReturn: boolean;
  onShow: (name: string) => void;
}

/** The sections beside the one that is shown. */
function SectionTabs({ sections, shown, found, isReturn, onShow }: SectionTabsProps) {
  const { t } = useTranslation();
  return (
    <Tabs
      value={found ? null : shown}
      onChange={(name) => name !== null && onShow(name)}
      orientation="vertical"
      variant="pills"
      classNames={{ root: classes.root, list: classes.list, tab: classes.tab, tabLabel: classes.tabLabel }}
    >
      <Tabs.List aria-label={t('com_nav_settings')}>
        {sections.map(({ name, title, Icon }) => (
          <Tabs.Tab
            key={name}
            value={name}
            leftSection={<Icon aria-hidden />}
            data-autofocus={(name === shown && !isReturn && !found) || undefined}
          >
            {t(title)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {found
        ? found
        : sections.map(({ name, title, Settings }) => (
            <Tabs.Panel key={name} value={name} className={classes.panel}>
              <h2 className={classes.title}>{t(title)}</h2>
              <Settings />
            </Tabs.Panel>
          ))}
    </Tabs>
  );
}

interface SectionListProps {
  sections: readonly Section[];
  /** Null: the list of them. */
  shown: string | null;
  /** What a search has found, in place of the list. */
  found: ReactNode;
  onShow: (name: string | null) => void;
}

/** On a phone: the sections as a list, then the section with a way back. */
function SectionList({ sections, shown, found, onShow }: SectionListProps) {
  const { t } = useTranslation();
  const [last, setLast] = useState<string | null>(null);
  const section = sections.find(({ name }) => name === shown);
  if (found) return found;
  if (section) {
    return (
      <section className={classes.panel} aria-labelledby="settings-section">
        <div className={classes.head}>
          <IconButton
            label={t('com_settings_back')}
            onClick={() => {
              setLast(section.name);
              onShow(null);
            }}
          >
            <IconArrowLeft aria-hidden className={classes.turning} />
          </IconButton>
          <h2 id="settings-section" className={classes.title} tabIndex={-1} ref={focusIfLost}>
            {t(section.title)}
          </h2>
        </div>
        <section.Settings />
      </section>
    );
  }
  return (
    <nav className={classes.panel} aria-label={t('com_nav_settings')}>
      <ul>
        {sections.map(({ name, title, Icon }, index) => (
          <li key={name}>
            <PlainButton
              className={classes.row}
              ref={name === last ? focusIfLost : null}
              data-autofocus={index === 0 || undefined}
              onClick={() => onShow(name)}
            >
              <Icon aria-hidden />
              <span className={classes.name}>{t(title)}</span>
              <IconChevronRight aria-hidden className={classes.turning} />
            </PlainButton>
          </li>
        ))}
      </ul>
    </nav>
  );
}
