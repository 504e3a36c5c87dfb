/**
 * The files that a paste or a drop carries. A copied text may come with an image of itself, as from a spreadsheet:
 * then the text is meant.
 */
export function transferredFiles(data: DataTransfer | null): File[] {
  if (!data || data.getData('text/plain') !== '') return [];
  return [...data.files];
}

/** Whether a drag carries files, which cannot be read before the drop. */
export function hasFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') ?? false;
}
