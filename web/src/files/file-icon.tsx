import {
  IconBook2,
  IconFile,
  IconFileCode,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconPhoto,
  IconPresentation,
} from '@tabler/icons-react';

const ICONS: readonly [RegExp, typeof IconFile][] = [
  [/^image\//, IconPhoto],
  [/pdf$/, IconFileTypePdf],
  [/epub/, IconBook2],
  [/zip|x-tar|gzip/, IconFileZip],
  [/csv|excel|xls|spreadsheet/, IconFileSpreadsheet],
  [/presentation/, IconPresentation],
  [/plain|markdown|wordprocessing|msword|opendocument.text|rtf|rfc822|mbox|calendar|vcard|outlook|tex$/, IconFileText],
  [/^text\/|json|javascript|typescript|xml/, IconFileCode],
];

/** The image of a kind of file. */
export function FileIcon({ mime }: { mime: string }) {
  const [, Icon = IconFile] = ICONS.find(([pattern]) => pattern.test(mime)) ?? [];
  return <Icon aria-hidden />;
}
