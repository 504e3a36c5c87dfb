import { SKILL_SHOWN_MAX, type Skill } from '@parley/schema/skills/skill-rules';
import { IconFileExport, IconMessagePlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../lib/format-number.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { useTryChat } from './use-try-chat.ts';
import { useExportSkill } from './use-skills.ts';
import classes from './skills.module.css';

/** What can be done with any skill that is stored. */
export function SkillActions({ skill, isChanged = false }: { skill: Skill; isChanged?: boolean }) {
  const { t } = useTranslation();
  const tryChat = useTryChat();
  const exportSkill = useExportSkill();
  const python = skill.files.length > 0 ? ['code_interpreter'] : [];
  return (
    <ButtonRow>
      <Button size="sm" disabled={!tryChat || isChanged} onClick={() => tryChat?.([skill.key, ...python])}>
        <IconMessagePlus aria-hidden />
        {t('com_skills_try')}
      </Button>
      <Button size="sm" disabled={isChanged} onClick={() => void exportSkill(skill)}>
        <IconFileExport aria-hidden />
        {t('com_skills_export')}
      </Button>
    </ButtonRow>
  );
}

/** Says where a model stops reading. */
export function LongBody({ length }: { length: number }) {
  const { t, i18n } = useTranslation();
  if (length <= SKILL_SHOWN_MAX) return null;
  return (
    <p className={classes.note} role="status">
      {t('com_skills_body_long', { 0: formatNumber(SKILL_SHOWN_MAX, i18n.language) })}
    </p>
  );
}
