import type { Folder } from '@parley/schema/convos/folders';
import type { FileSet } from '@parley/schema/files/file-sets';
import { IconFolder, IconFiles } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFolders } from '../../folders/use-folders.ts';
import { trpc } from '../../trpc.ts';
import choices from '../../ui/fields/choices.module.css';
import { chosenSources, isSameSource, toggleSource } from './builder-form.ts';
import classes from './builder.module.css';
import type { Builder } from './use-builder.ts';

/** The person's own projects and sets, of which an assistant can have all files; nothing where there are none. */
export function KnowledgeSources({ builder: { form, saved, change } }: { builder: Builder }) {
  const { t } = useTranslation();
  const folders = useFolders().filter(({ sharedBy }) => sharedBy === undefined);
  const { data: sets = [] } = trpc.files.sets.list.useQuery(undefined, { staleTime: Infinity });
  const offered = [
    ...folders.map((folder) => ({
      kind: 'folder' as const,
      id: folder.id,
      name: folder.name,
      count: countFiles(folder, sets),
    })),
    ...sets.map(({ id, name, fileIds }) => ({ kind: 'set' as const, id, name, count: fileIds.length })),
  ];
  if (offered.length === 0) return null;
  const chosen = chosenSources(form, saved);
  return (
    <fieldset className={`${choices.choices} ${classes.sources}`}>
      <legend>{t('com_assistants_sources')}</legend>
      <p className={classes.help}>{t('com_assistants_sources_hint')}</p>
      <div className={classes.sourceList}>
        {offered.map(({ name, count, ...source }) => (
          <label key={`${source.kind} ${source.id}`} className={choices.choice}>
            <input
              type="checkbox"
              checked={chosen.some((one) => isSameSource(one, source))}
              onChange={() => change(toggleSource(form, saved, source))}
            />
            {source.kind === 'folder' ? <IconFolder aria-hidden /> : <IconFiles aria-hidden />}
            <span className={classes.itemName} dir="auto">
              {name}
            </span>
            <span className={classes.count}>{t('com_composer_set_files', { count })}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Of a project and of its sets, each file once. */
function countFiles({ fileIds, setIds }: Folder, sets: readonly FileSet[]): number {
  const ofSets = sets.flatMap((set) => (setIds.includes(set.id) ? set.fileIds : []));
  return new Set([...fileIds, ...ofSets]).size;
}
