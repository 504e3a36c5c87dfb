import { IconFolder, IconFolders } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { PROJECTS_PATH, projectPath } from '../folders/project-paths.ts';
import { useFolders } from '../folders/use-folders.ts';
import { matchesWordStarts, type PaletteGroup } from './palette-entry.ts';

/** Of a list in which nothing is looked for. */
const SHOWN_UNASKED = 3;

/** The pages of the person's projects, and of all of them. */
export function usePaletteProjects(query: string, close: () => void): PaletteGroup {
  const { t } = useTranslation();
  const folders = useFolders();
  const opens = (path: string) => () => {
    close();
    navigate(path);
  };
  const found = folders.filter(({ name }) => matchesWordStarts(`${name} ${t('com_project_open')}`, query));
  const all = { id: 'projects', Icon: IconFolders, label: t('com_projects'), run: opens(PROJECTS_PATH) };
  return {
    name: t('com_projects'),
    entries: [
      ...found.slice(0, query === '' ? SHOWN_UNASKED : undefined).map(({ id, name }) => ({
        id: `project ${id}`,
        Icon: IconFolder,
        label: name,
        hint: t('com_project_open'),
        run: opens(projectPath(id)),
      })),
      // Nobody without a folder reads of them unasked.
      ...((query !== '' || folders.length > 0) && matchesWordStarts(all.label, query) ? [all] : []),
    ],
  };
}
