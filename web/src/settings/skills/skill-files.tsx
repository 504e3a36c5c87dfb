import { SKILL_BYTES_MAX, type Skill } from '@parley/schema/skills/skill-rules';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { formatBytes } from '../../files/format-bytes.ts';
import { trpc } from '../../trpc.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Problem } from '../../ui/primitives/problem.tsx';
import { readBase64 } from './base64.ts';
import { useRereadSkills } from './use-skills.ts';
import classes from './skills.module.css';

/** The files beside the instructions. `isFixed`: they are another person's. */
export function SkillFiles({ skill, isFixed = false }: { skill: Skill; isFixed?: boolean }) {
  const { t, i18n } = useTranslation();
  const { id, name, files } = skill;
  const reread = useRereadSkills();
  const put = trpc.skills.putFile.useMutation({ onSuccess: reread });
  const remove = trpc.skills.removeFile.useMutation({ onSuccess: reread });
  const [problem, setProblem] = useState<string | null>(null);
  const error = put.error ?? remove.error;
  if (isFixed && files.length === 0) return null;

  async function add(file: File): Promise<void> {
    remove.reset();
    if (file.size > SKILL_BYTES_MAX) return setProblem(t('com_skills_file_large'));
    setProblem(null);
    const content = await readBase64(file).catch(() => null);
    if (content === null) return setProblem(t('com_files_upload_failed'));
    put.mutate({ id, path: file.name, content });
  }

  return (
    <section className={classes.files} aria-label={t('com_skills_files')}>
      <h4 className={classes.label}>{t('com_skills_files')}</h4>
      <p className={classes.note}>{t('com_skills_files_hint', { 0: name })}</p>
      {files.length > 0 && (
        <ul className={classes.paths}>
          {files.map(({ path, bytes }) => (
            <li key={path} className={classes.path}>
              <bdi className={classes.name}>{path}</bdi>
              <span className={classes.facts}>{formatBytes(bytes, i18n.language)}</span>
              {!isFixed && (
                <IconButton
                  label={t('com_skills_file_remove', { 0: path })}
                  onClick={() => {
                    put.reset();
                    remove.mutate({ id, path });
                  }}
                >
                  <IconX aria-hidden />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      <Problem>{problem ?? (error && describeError(error, t))}</Problem>
      {!isFixed && (
        <FileButton
          size="sm"
          label={t('com_skills_file_add')}
          accept=""
          icon={<IconPlus aria-hidden />}
          disabled={put.isPending}
          onFile={(file) => void add(file)}
        />
      )}
    </section>
  );
}
