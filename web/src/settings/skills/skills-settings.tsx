import type { SkillHead } from '@parley/schema/skills/skill-rules';
import { IconChevronRight, IconPlus } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { focusIfLost } from '../../lib/focus-if-lost.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { hasWords } from '../../ui/fields/has-words.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { PlainButton } from '../../ui/primitives/plain-button.tsx';
import { Problem } from '../../ui/primitives/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { Findable } from '../search/findable.tsx';
import { emptyDraft, skillDraftsAtom, type OpenRef } from './skill-drafts.ts';
import { OpenSkill } from './open-skill.tsx';
import { useImportSkill, useSkills } from './use-skills.ts';
import classes from './skills.module.css';

/** More than so many are searched. */
const SEARCHED_FROM = 7;

/** The person's skills and those that others share, or one of them. */
export function SkillsSettings() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<OpenRef | null>(null);
  const [last, setLast] = useState<string | null>(null);

  function show(ref: OpenRef | null): void {
    if (open) setLast(open.id);
    setOpen(ref);
  }

  return (
    <Findable words={`${t('com_skills')} ${t('com_skills_hint')}`}>
      {open ? (
        <OpenSkill key={`${open.ownerId} ${open.id}`} open={open} onShow={show} />
      ) : (
        <SkillList last={last} onShow={show} />
      )}
    </Findable>
  );
}

interface SkillListProps {
  /** The id of the one that was open before, whose row gets the focus. */
  last: string | null;
  onShow: (ref: OpenRef) => void;
}

function SkillList({ last, onShow }: SkillListProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const { data, error } = useSkills();
  const drafts = useAtomValue(skillDraftsAtom);
  if (!data && error) return <Problem>{describeError(error, t)}</Problem>;
  if (!data) return <SkeletonRows count={4} />;
  const found = data.filter(({ name, description }) => hasWords(`${name}\n${description}`, query.trim()));
  const unsaved = Object.values(drafts).filter(({ id }) => !data.some((skill) => skill.id === id));
  return (
    <>
      <p className={classes.note}>{t('com_skills_hint')}</p>
      <ListActions isLast={last !== null && !data.some(({ id }) => id === last)} onShow={onShow} />
      {data.length >= SEARCHED_FROM && (
        <SearchField
          placeholder={t('com_skills_search')}
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        />
      )}
      {data.length === 0 && unsaved.length === 0 && <p className={classes.note}>{t('com_skills_none')}</p>}
      {data.length > 0 && found.length === 0 && <p className={classes.note}>{t('com_ui_nothing_found')}</p>}
      <ul className={classes.list}>
        {query.trim() === '' &&
          unsaved.map((draft) => (
            <Row
              key={draft.id}
              name={draft.name || t('com_skills_new')}
              about={draft.description}
              facts={[t('com_skills_unsaved')]}
              hasFocus={draft.id === last}
              onOpen={() => onShow({ ownerId: null, id: draft.id, draft })}
            />
          ))}
        {found.map((skill) => (
          <Row
            key={`${skill.ownerId} ${skill.id}`}
            name={skill.name}
            about={skill.description}
            facts={factsOf(skill, drafts[skill.id] !== undefined)}
            hasFocus={skill.id === last}
            onOpen={() => onShow({ ownerId: skill.ownerId, id: skill.id })}
          />
        ))}
      </ul>
    </>
  );

  function factsOf({ ownerName, isShared, isImported }: SkillHead, isUnsaved: boolean): string[] {
    if (ownerName !== null) return [t('com_skills_by', { 0: ownerName })];
    return [
      ...(isImported ? [t('com_skills_is_imported')] : []),
      ...(isShared ? [t('com_skills_is_shared')] : []),
      ...(isUnsaved ? [t('com_skills_unsaved')] : []),
    ];
  }
}

/** `isLast`: the skill that was open is gone, so the focus goes here. */
function ListActions({ isLast, onShow }: { isLast: boolean; onShow: (ref: OpenRef) => void }) {
  const { t } = useTranslation();
  const { read, isPending } = useImportSkill();
  function create(): void {
    const draft = emptyDraft();
    onShow({ ownerId: null, id: draft.id, draft });
  }
  return (
    <>
      <ButtonRow>
        <Button size="sm" ref={isLast ? focusIfLost : null} onClick={create}>
          <IconPlus aria-hidden />
          {t('com_skills_new')}
        </Button>
        <FileButton
          size="sm"
          label={t('com_skills_import')}
          accept=".zip,.skill"
          disabled={isPending}
          onFile={(file) => void read(file)}
        />
      </ButtonRow>
      <p className={classes.note} role="status">
        {isPending && t('com_skills_importing')}
      </p>
    </>
  );
}

interface RowProps {
  name: string;
  about: string;
  facts: readonly string[];
  hasFocus: boolean;
  onOpen: () => void;
}

function Row({ name, about, facts, hasFocus, onOpen }: RowProps) {
  return (
    <li>
      <PlainButton className={classes.row} ref={hasFocus ? focusIfLost : null} onClick={onOpen}>
        <span className={classes.texts}>
          <bdi className={classes.name}>{name}</bdi>
          <span className={classes.about} dir="auto">
            {about}
          </span>
          {facts.length > 0 && <span className={classes.facts}>{facts.join(' · ')}</span>}
        </span>
        <IconChevronRight aria-hidden className={classes.turning} />
      </PlainButton>
    </li>
  );
}
