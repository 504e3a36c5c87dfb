import { IconArrowLeft, IconChevronRight } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { focusIfLost } from '../lib/focus-if-lost.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { PlainButton } from '../ui/primitives/plain-button.tsx';
import type { Section } from './sections.ts';
import classes from './section-list.module.css';
import frame from './settings-dialog.module.css';

interface SectionListProps {
  sections: readonly Section[];
  /** Null: the list of them. */
  shown: string | null;
  /** What a search has found, in place of the list. */
  found: ReactNode;
  onShow: (name: string | null) => void;
}

/** On a phone: the sections as a list, then the section with a way back. */
export function SectionList({ sections, shown, found, onShow }: SectionListProps) {
  const { t } = useTranslation();
  const [last, setLast] = useState<string | null>(null);
  const section = sections.find(({ name }) => name === shown);
  if (found) return found;
  if (section) {
    return (
      <section className={frame.panel} aria-labelledby="settings-section">
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
          <h2 id="settings-section" className={frame.title} tabIndex={-1} ref={focusIfLost}>
            {t(section.title)}
          </h2>
        </div>
        <section.Settings />
      </section>
    );
  }
  return (
    <nav className={frame.panel} aria-label={t('com_nav_settings')}>
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
