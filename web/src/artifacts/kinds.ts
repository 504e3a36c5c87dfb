// What the kinds of artifacts are called, look like and are saved as.
import type { ArtifactKind } from '@parley/schema/artifacts/artifact-kind';
import type { Artifact } from '@parley/schema/artifacts/find-artifacts';
import {
  IconBrandReact,
  IconCode,
  IconFileText,
  IconSchema,
  IconTable,
  IconVector,
  type Icon,
} from '@tabler/icons-react';
import type { ParseKeys } from 'i18next';

interface Kind {
  label: ParseKeys;
  Icon: Icon;
  /** Of the file it is saved as. */
  ending: string;
  mime: string;
}

export const KINDS: Readonly<Record<ArtifactKind, Kind>> = {
  html: { label: 'com_artifact_html', Icon: IconCode, ending: 'html', mime: 'text/html' },
  svg: { label: 'com_artifact_svg', Icon: IconVector, ending: 'svg', mime: 'image/svg+xml' },
  react: { label: 'com_artifact_react', Icon: IconBrandReact, ending: 'jsx', mime: 'text/plain' },
  mermaid: { label: 'com_artifact_mermaid', Icon: IconSchema, ending: 'mmd', mime: 'text/plain' },
  markdown: { label: 'com_artifact_markdown', Icon: IconFileText, ending: 'md', mime: 'text/markdown' },
  csv: { label: 'com_artifact_csv', Icon: IconTable, ending: 'csv', mime: 'text/csv' },
};

/** The file that an artifact is saved as. */
export function artifactFile({
  kind,
  title,
  language,
  source,
}: Pick<Artifact, 'kind' | 'title' | 'language' | 'source'>): File {
  const type = language === 'tsv' ? 'text/tab-separated-values' : KINDS[kind].mime;
  return new File([source, '\n'], artifactFileName(kind, title, language), { type });
}

/** The name of that file: its title, without what a file name cannot have. */
function artifactFileName(kind: ArtifactKind, title: string | null, language: string): string {
  const { ending } = KINDS[kind];
  const own = kind === 'react' || language === 'tsv' ? language : ending;
  const words = (title ?? '')
    .replaceAll(/[^\p{L}\p{N}.-]/gu, ' ')
    .split(' ')
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .join('-');
  const name = words.replace(/^\.+/, '') || kind;
  return name.toLowerCase().endsWith(`.${own}`) ? name : `${name}.${own}`;
}
