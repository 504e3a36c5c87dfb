export const GROUPS_PATH = '/admin/groups';

export function groupPath(id: string): string {
  return `${GROUPS_PATH}?group=${id}`;
}
