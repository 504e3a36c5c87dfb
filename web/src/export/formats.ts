// The kinds of file a conversation can be saved as, and what of it can be chosen for each.

export type Format = 'screenshot' | 'text' | 'markdown' | 'json' | 'csv';

interface FormatRow {
  extension: string;
  /** The type of the file, for the browser that saves it. */
  type: string;
  /** Whether the endpoint's options can be in it. */
  hasOptions: boolean;
  /** Whether it can hold more than the branch on screen. */
  hasBranches: boolean;
  /** Whether answers can stand within what they answer. */
  isRecursive: boolean;
}

export const formats: Record<Format, FormatRow> = {
  screenshot: { extension: 'png', type: 'image/png', hasOptions: false, hasBranches: false, isRecursive: false },
  text: { extension: 'txt', type: 'text/plain', hasOptions: true, hasBranches: false, isRecursive: false },
  markdown: { extension: 'md', type: 'text/markdown', hasOptions: true, hasBranches: false, isRecursive: false },
  json: { extension: 'json', type: 'application/json', hasOptions: true, hasBranches: true, isRecursive: true },
  csv: { extension: 'csv', type: 'text/csv', hasOptions: false, hasBranches: true, isRecursive: false },
};

export interface Choices {
  fileName: string;
  format: Format;
  includeOptions: boolean;
  exportBranches: boolean;
  recursive: boolean;
}

/** What the dialog opens with. */
export function firstChoices(fileName: string): Choices {
  return { fileName, format: 'screenshot', includeOptions: true, exportBranches: false, recursive: true };
}

/** Another kind of file: whatever it can hold is in it until that is changed. */
export function withFormat(choices: Choices, format: Format): Choices {
  const { hasOptions, hasBranches } = formats[format];
  return { ...choices, format, includeOptions: hasOptions, exportBranches: hasBranches };
}
