export const PROJECTS_PATH = '/projects';

/** The page of a folder. */
export function projectPath(folderId: string): string {
  return `${PROJECTS_PATH}/${folderId}`;
}
