// The export formats and the options of each.

export type Format = 'screenshot' | 'text' | 'markdown' | 'json' | 'csv';

interface FormatRow {
  extension: string;
  /** The MIME type of the file. */
  type: string;
  /** Whether it can include the endpoint's settings. */
  hasOptions: boolean;
  /** Whether it can include other branches than the one on screen. */
  hasBranches: boolean;
  /** Whether it can nest replies. */
  isRecursive: boolean;
}

export const formats: Record<Format, FormatRow> = {
  screenshot: { extension: 'png', type: 'image/png', hasOptions: false, hasBranches: false, isRecursive: false },
  text: { extension: 'txt', type: 'text/plain', hasOptions: true, hasBranches: false, isRecursive: false },
  markdown: { extension: 'md', type: 'text/markdown', hasOptions: true, hasBranches: false, isRecursive: false },
  json: { extension: 'json', type: 'application/json', hasOptions: true, hasBranches: true, isRecursive: true },
  csv: { extension: 'csv', type: 'text/csv', hasOptions: false, hasBranches: true, isRecursive: false },
};

export interface ExportOptions {
  fileName: string;
  format: Format;
  includeOptions: boolean;
  exportBranches: boolean;
  recursive: boolean;
}

/** The initial choice in the dialog. */
export function defaultOptions(fileName: string): ExportOptions {
  return { fileName, format: 'screenshot', includeOptions: true, exportBranches: false, recursive: true };
}

/** Switches the format: turns on every option it supports. */
export function withFormat(choices: ExportOptions, format: Format): ExportOptions {
  const { hasOptions, hasBranches } = formats[format];
  return { ...choices, format, includeOptions: hasOptions, exportBranches: hasBranches };
}
