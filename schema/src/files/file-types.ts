// The file types that uploads may have (docs/rest-compat.md, Files).

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
const IMAGE = ['jpeg', 'gif', 'png', 'webp'];

/** The types that every endpoint accepts unless the operator lists others. */
export const SUPPORTED_TYPES: readonly string[] = [
  ...TEXT.map((type) => `text/${type}`),
  ...APPLICATION.map((type) => `application/${type}`),
  ...IMAGE.map((type) => `image/${type}`),
];

const TEXTUAL = new Set(['csv', 'json', 'typescript', 'xml', 'x-sh'].map((type) => `application/${type}`));

/** Types by the ending of a name, for browsers that do not know the type. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  c: 'text/x-c',
  cs: 'text/x-csharp',
  cpp: 'text/x-c++',
  md: 'text/markdown',
  php: 'text/x-php',
  py: 'text/x-python',
  rb: 'text/x-ruby',
  tex: 'text/x-tex',
  js: 'text/javascript',
  sh: 'application/x-sh',
  ts: 'application/typescript',
  tar: 'application/x-tar',
  zip: 'application/zip',
};

/** The type of a file by what its sender declares, else by its name; null if neither has one. */
export function typeOfFile(name: string, claimed: string): string | null {
  const type = claimed.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== '' && type !== 'application/octet-stream') return type;
  return BY_EXTENSION[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? null;
}

/** Whether a file of this type is plain text that a model can read as it is. */
export function isTextType(mime: string): boolean {
  return mime.startsWith('text/') || TEXTUAL.has(mime);
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const DOCUMENTS = new Set([
  'application/pdf',
  'application/epub+zip',
  `${OFFICE}.wordprocessingml.document`,
  `${OFFICE}.presentationml.presentation`,
  `${OFFICE}.spreadsheetml.sheet`,
]);

/** Whether text can be read from files of this type, for search and for models. */
export function isExtractable(mime: string): boolean {
  return isTextType(mime) || DOCUMENTS.has(mime);
}

export function isImageType(mime: string): boolean {
  return IMAGE.some((type) => mime === `image/${type}`);
}
