// The export formats and the options of each.
import type { ParseKeys } from 'i18next';

export type Format = 'screenshot' | 'text' | 'markdown' | 'json' | 'csv';

interface FormatRow {
  label: ParseKeys;
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
  screenshot: {
    label: 'com_nav_export_screenshot',
    extension: 'png',
    type: 'image/png',
    hasOptions: false,
    hasBranches: false,
    isRecursive: false,
  },
  text: {
    label: 'com_nav_export_text',
    extension: 'txt',
    type: 'text/plain',
    hasOptions: true,
    hasBranches: false,
    isRecursive: false,
  },
  markdown: {
    label: 'com_nav_export_markdown',
    extension: 'md',
    type: 'text/markdown',
    hasOptions: true,
    hasBranches: false,
    isRecursive: false,
  },
  json: {
    label: 'com_nav_export_json',
    extension: 'json',
    type: 'application/json',
    hasOptions: true,
    hasBranches: true,
    isRecursive: true,
  },
  csv: {
    label: 'com_nav_export_csv',
    extension: 'csv',
    type: 'text/csv',
    hasOptions: false,
    hasBranches: true,
    isRecursive: false,
  },
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
