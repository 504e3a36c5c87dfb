import type { Skill } from '@parley/schema/skills/skill-rules';
import { IconArrowLeft } from '@tabler/icons-react';
import { useAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { focusIfLost } from '../../lib/focus-if-lost.ts';
import { trpc } from '../../trpc.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Problem } from '../../ui/primitives/problem.tsx';
import { ScrollText } from '../../ui/primitives/scroll-region.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { SkillActions } from './skill-actions.tsx';
import { draftOfSkill, skillDraftsAtom, type OpenRef } from './skill-drafts.ts';
import { SkillEditor } from './skill-editor.tsx';
import { SkillFiles } from './skill-files.tsx';
import classes from './skills.module.css';

interface OpenSkillProps {
  open: OpenRef;
  /** Null: the list. */
  onShow: (ref: OpenRef | null) => void;
}

/** One skill: the person's own to be changed, one of another to be read. */
export function OpenSkill({ open: { ownerId, id, draft: first }, onShow }: OpenSkillProps) {
  const { t } = useTranslation();
  const [drafts, setDraft] = useAtom(skillDraftsAtom);
  // What is edited begins with what is stored now.
  const { data, error, isFetchedAfterMount } = trpc.skills.read.useQuery(
    { ownerId: ownerId ?? '', id },
    { staleTime: 0, enabled: ownerId !== null },
  );
  const skill = ownerId !== null && isFetchedAfterMount ? data : undefined;
  const draft = drafts[id] ?? (skill ? draftOfSkill(skill) : first);
  const title = draft?.name || t('com_skills_new');
  const back = () => onShow(null);
  return (
    <section aria-label={title} data-settings-inside>
      <div className={classes.head}>
        <IconButton label={t('com_skills_back')} onClick={back}>
          <IconArrowLeft aria-hidden className={classes.turning} />
        </IconButton>
        <h3 className={classes.title} tabIndex={-1} ref={ownerId === null ? null : focusIfLost} dir="auto">
          {title}
        </h3>
      </div>
      {error && <Problem>{describeError(error, t)}</Problem>}
      {!draft && !error && <SkeletonRows count={6} />}
      {skill && !error && skill.ownerName !== null && <SharedSkill skill={skill} />}
      {draft && skill?.ownerName == null && (ownerId === null || skill) && (
        <SkillEditor
          skill={skill}
          draft={draft}
          isChanged={drafts[id] !== undefined}
          onChange={(changed) => setDraft(id, changed)}
          onSaved={(saved) => {
            setDraft(id, null);
            if (ownerId === null) onShow({ ownerId: saved.ownerId, id });
          }}
          onDiscard={() => {
            setDraft(id, null);
            if (ownerId === null) back();
          }}
          onRemoved={() => {
            setDraft(id, null);
            back();
          }}
        />
      )}
    </section>
  );
}

/** What another person wrote. */
function SharedSkill({ skill }: { skill: Skill }) {
  const { t } = useTranslation();
  const { description, body, ownerName } = skill;
  return (
    <>
      <p className={classes.note}>{t('com_skills_foreign_shared', { 0: ownerName })}</p>
      <p className={classes.text} dir="auto">
        {description}
      </p>
      <ScrollText className={classes.body} dir="auto" role="region" aria-label={t('com_skills_body')}>
        {body}
      </ScrollText>
      <SkillFiles skill={skill} isFixed />
      <SkillActions skill={skill} />
    </>
  );
}
