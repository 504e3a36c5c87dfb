import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import {
  SKILL_BODY_MAX,
  SKILL_DESCRIPTION_MAX,
  SKILL_NAME,
  SKILL_NAME_MAX,
  type Skill,
  type SkillVersion,
} from '@parley/schema/skills/skill-rules';
import { IconTrash } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { trpc } from '../../trpc.ts';
import { SaveButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { Problem } from '../../ui/primitives/problem.tsx';
import { EarlierVersions } from '../../ui/versions/earlier-versions.tsx';
import type { SkillDraft } from './skill-drafts.ts';
import { LongBody, SkillActions } from './skill-actions.tsx';
import { SkillFiles } from './skill-files.tsx';
import { useChangeSkills, useRereadSkills } from './use-skills.ts';
import classes from './skills.module.css';

interface SkillEditorProps {
  /** Undefined until it is saved. */
  skill: Skill | undefined;
  draft: SkillDraft;
  isChanged: boolean;
  onChange: (draft: SkillDraft) => void;
  onSaved: (saved: Skill) => void;
  onDiscard: () => void;
  onRemoved: () => void;
}

export function SkillEditor({ skill, draft, isChanged, onChange, onSaved, onDiscard, onRemoved }: SkillEditorProps) {
  const { t } = useTranslation();
  const { name, description, body } = draft;
  const change = (over: Partial<SkillDraft>) => onChange({ ...draft, ...over });
  const isNameWrong = name !== '' && !SKILL_NAME.test(name);
  const reread = useRereadSkills();
  const save = trpc.skills.save.useMutation({
    onSuccess: async (saved) => {
      // The form goes on with what is stored, which has to be there first.
      await reread();
      onSaved(saved);
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isChanged && !save.isPending && !isNameWrong) save.mutate(draft);
  }

  return (
    <>
      <form className={classes.editor} onSubmit={submit}>
        {skill?.isImported && <p className={classes.note}>{t('com_skills_foreign_imported')}</p>}
        <TextField
          label={t('com_skills_name')}
          description={t('com_skills_name_hint')}
          required
          maxLength={SKILL_NAME_MAX}
          value={name}
          dir="ltr"
          // Who wants a new one begins to write.
          autoFocus={!skill}
          error={isNameWrong && t('com_prompts_command_wrong')}
          onChange={({ currentTarget }) => change({ name: currentTarget.value.toLowerCase().replaceAll(' ', '-') })}
        />
        <TextArea
          label={t('com_skills_description')}
          description={t('com_skills_description_hint')}
          required
          maxLength={SKILL_DESCRIPTION_MAX}
          rows={2}
          value={description}
          dir="auto"
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        />
        <TextArea
          label={t('com_skills_body')}
          required
          maxLength={SKILL_BODY_MAX}
          rows={10}
          value={body}
          dir="auto"
          onChange={({ currentTarget }) => change({ body: currentTarget.value })}
        />
        <LongBody length={body.length} />
        <Problem>{save.error && describeError(save.error, t)}</Problem>
        <ButtonRow end>
          {isChanged && <Button onClick={onDiscard}>{t('com_skills_discard')}</Button>}
          <SaveButton isBusy={save.isPending} disabled={!isChanged || isNameWrong} />
        </ButtonRow>
      </form>
      {skill ? (
        <StoredSkill skill={skill} isChanged={isChanged} onTake={change} onRemoved={onRemoved} />
      ) : (
        <p className={classes.note}>{t('com_skills_files_first')}</p>
      )}
    </>
  );
}

interface StoredSkillProps {
  skill: Skill;
  isChanged: boolean;
  onTake: (version: Pick<SkillVersion, 'name' | 'description' | 'body'>) => void;
  onRemoved: () => void;
}

/** What a skill has and what is done with it as a whole. */
function StoredSkill({ skill, isChanged, onTake, onRemoved }: StoredSkillProps) {
  const { t } = useTranslation();
  const { share, remove } = useChangeSkills();
  const { id, isShared } = skill;
  return (
    <>
      <SkillFiles skill={skill} />
      <Versions skill={skill} onTake={onTake} />
      <Switch
        className={classes.share}
        label={t('com_skills_share')}
        checked={isShared}
        onChange={({ currentTarget }) => share({ id, isShared: currentTarget.checked })}
      />
      <SkillActions skill={skill} isChanged={isChanged} />
      <ButtonRow className={classes.last}>
        <Button
          size="sm"
          variant="danger"
          onClick={() => {
            remove({ id });
            onRemoved();
          }}
        >
          <IconTrash aria-hidden />
          {t('com_skills_delete')}
        </Button>
      </ButtonRow>
    </>
  );
}

function Versions({ skill: { id, version }, onTake }: { skill: Skill; onTake: StoredSkillProps['onTake'] }) {
  const { t } = useTranslation();
  const { data } = trpc.skills.versions.useQuery({ id }, { staleTime: 0 });
  return (
    <EarlierVersions
      versions={data}
      present={version}
      summary={(count) => t('com_skills_versions', { count })}
      take={t('com_skills_take')}
      onTake={({ name, description, body }) => onTake({ name, description, body })}
    />
  );
}
