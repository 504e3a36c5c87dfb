// The file types that uploads may have (docs/rest-compat.md, Files).
import type { FileProblem } from './file-problem.ts';

/** By the group that the specification of the REST API lists them in. */
const TEXT = [
  'x-c',
  'x-c++',
  'x-csharp',
  'x-java',
  'html',
  'markdown',
  'x-php',
  'x-python',
  'x-script.python',
  'x-ruby',
  'x-tex',
  'plain',
  'css',
  'javascript',
  'csv',
];
const APPLICATION = [
  'epub+zip',
  'csv',
  'json',
  'pdf',
  'x-tar',
  'typescript',
  'x-sh',
  'xml',
  'zip',
  'vnd.openxmlformats-officedocument.wordprocessingml.document',
  'vnd.openxmlformats-officedocument.presentationml.presentation',
  'vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'vnd.ms-excel',
  'msexcel',
  'x-msexcel',
  'x-ms-excel',
  'x-excel',
  'x-dos_ms_excel',
  'xls',
  'x-xls',
];
/** Beyond that specification. */
const MORE = [
  'application/msword',
  'application/rtf',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'application/vnd.ms-outlook',
  'application/mbox',
  'text/calendar',
  'text/vcard',
  'application/x-ipynb+json',
  'message/rfc822',
];
const IMAGE = ['jpeg', 'gif', 'png', 'webp'];
/** Images that are stored in one of the formats above. */
const CONVERTED = ['avif', 'bmp', 'tiff'];

/** The types that every endpoint accepts unless the operator lists others, beside every text. */
export const SUPPORTED_TYPES: readonly string[] = [
  ...TEXT.map((type) => `text/${type}`),
  ...APPLICATION.map((type) => `application/${type}`),
  ...MORE,
  ...[...IMAGE, ...CONVERTED].map((type) => `image/${type}`),
];

const TEXTUAL = new Set(
  ['csv', 'json', 'javascript', 'sql', 'toml', 'typescript', 'x-ndjson', 'x-sh', 'xml', 'yaml'].map(
    (type) => `application/${type}`,
  ),
);

/** Types by the ending of a name. A text with an ending that stands nowhere here is plain text. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  c: 'text/x-c',
  cpp: 'text/x-c++',
  cs: 'text/x-csharp',
  css: 'text/css',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  java: 'text/x-java',
  js: 'text/javascript',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  php: 'text/x-php',
  py: 'text/x-python',
  rb: 'text/x-ruby',
  sh: 'application/x-sh',
  sql: 'application/sql',
  svg: 'application/xml',
  tex: 'text/x-tex',
  toml: 'application/toml',
  ts: 'application/typescript',
  txt: 'text/plain',
  vcf: 'text/vcard',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  // Written as text, but not read as it stands.
  eml: 'message/rfc822',
  ipynb: 'application/x-ipynb+json',
  mbox: 'application/mbox',
  tar: 'application/x-tar',
  zip: 'application/zip',
};

/** The type that the ending of a name stands for. */
export function typeOfEnding(name: string): string | undefined {
  return BY_EXTENSION[fileEnding(name)];
}

/** The ending of a name in small letters, the whole name where it has none. */
export function fileEnding(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/** Texts with folded lines, escapes and pictures, which are read first. */
const ENCODED = new Set(['text/calendar', 'text/vcard']);

/** Whether a file of this type is plain text that a model can read as it is. */
export function isTextType(mime: string): boolean {
  return (mime.startsWith('text/') && !ENCODED.has(mime)) || TEXTUAL.has(mime);
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const DOCUMENTS = new Set([
  'application/pdf',
  'application/epub+zip',
  `${OFFICE}.wordprocessingml.document`,
  `${OFFICE}.presentationml.presentation`,
  `${OFFICE}.spreadsheetml.sheet`,
  'application/vnd.ms-excel',
  ...MORE,
]);

/** Whether text can be read from files of this type, for search and for models. */
export function isExtractable(mime: string): boolean {
  return isTextType(mime) || DOCUMENTS.has(mime);
}

/** The types of stored images, which need not be those of their uploads. */
export const IMAGE_TYPES: readonly string[] = IMAGE.map((type) => `image/${type}`);

export function isImageType(mime: string): boolean {
  return IMAGE_TYPES.includes(mime);
}

/** Whether an upload of this type is stored as an image, which may be of another type. */
export function becomesImage(mime: string): boolean {
  return isImageType(mime) || CONVERTED.some((type) => mime === `image/${type}`);
}

/** What no type says more about. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** Formats that are not read, and what their programs can save them as. */
const SAVED_AS: Readonly<Record<string, { from: string; to: string }>> = {
  'image/heic': { from: 'HEIC', to: 'JPEG' },
  'application/vnd.ms-powerpoint': { from: 'PPT', to: 'PPTX' },
  'application/vnd.apple.pages': { from: 'Pages', to: 'PDF' },
  'application/vnd.apple.numbers': { from: 'Numbers', to: 'XLSX' },
  'application/vnd.apple.keynote': { from: 'Keynote', to: 'PDF' },
  'application/onenote': { from: 'OneNote', to: 'PDF' },
};

/** Why a file of a type that is not accepted is refused. */
export function problemOfType(
  name: string,
  mime: string,
): FileProblem & { type: 'unknown_type' | 'unsupported_type' | 'save_as' } {
  const other = SAVED_AS[mime];
  if (other) return { type: 'save_as', ...other };
  return mime === UNKNOWN_TYPE ? { type: 'unknown_type', name } : { type: 'unsupported_type', mime };
}
