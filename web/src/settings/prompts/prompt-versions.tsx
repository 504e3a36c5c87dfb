import type { PromptVersion } from '@parley/schema/prompts/prompt-rules';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../lib/format-date.ts';
import { trpc } from '../../trpc.ts';
import { TextButton } from '../../ui/text-button/text-button.tsx';
import classes from './prompts.module.css';

interface PromptVersionsProps {
  id: string;
  /** The present one, which is not listed. */
  version: number;
  onTake: (version: PromptVersion) => void;
}

/** What the prompt said before; one of them is taken into the form, where nothing is saved yet. */
export function PromptVersions({ id, version, onTake }: PromptVersionsProps) {
  const { t, i18n } = useTranslation();
  const { data } = trpc.prompts.versions.useQuery({ id }, { staleTime: 0 });
  const earlier = data?.filter(({ n }) => n < version) ?? [];
  if (earlier.length === 0) return null;
  return (
    <details className={classes.versions}>
      <summary>{t('com_prompts_versions', { count: earlier.length })}</summary>
      <ul className={classes.list}>
        {earlier.map((one) => (
          <li key={one.n} className={classes.row}>
            <div className={classes.names}>
              <span>{formatDateTime(one.createdAt, i18n.language)}</span>
              <p className={classes.excerpt} dir="auto">
                {one.body}
              </p>
            </div>
            <TextButton onClick={() => onTake(one)}>{t('com_prompts_take')}</TextButton>
          </li>
        ))}
      </ul>
    </details>
  );
}
