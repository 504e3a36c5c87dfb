// Claude's artifacts as named blocks of code, which is what artifacts are here. Newer exports have them as calls of a
// tool that makes, rewrites or changes one, older ones as elements within the text.
import { writeBlock } from '@parley/schema/artifacts/add-version';
import { LANGUAGES, writeFenceInfo } from '@parley/schema/artifacts/artifact-kind';
import { editSource } from '@parley/schema/artifacts/edit-source';
import { ClaudeArtifact } from '@parley/schema/transfer/claude';

/** The newest version of each, by its id. */
export type Artifacts = Map<string, ClaudeArtifact>;

const TYPES: Readonly<Record<string, string>> = {
  'text/html': LANGUAGES.html,
  'image/svg+xml': LANGUAGES.svg,
  'text/markdown': LANGUAGES.markdown,
  'text/csv': LANGUAGES.csv,
  'application/vnd.ant.react': LANGUAGES.react,
  'application/vnd.ant.mermaid': LANGUAGES.mermaid,
};
const OPENING = '<antArtifact';
const CLOSING = '</antArtifact>';

/** The version that a call makes; null for a change that fits none, which stays a call. */
export function takesArtifact(input: unknown, artifacts: Artifacts): ClaudeArtifact | null {
  const { data } = ClaudeArtifact.safeParse(input);
  if (!data) return null;
  const before = artifacts.get(data.id);
  let { content } = data;
  if (data.command === 'update') {
    const edited = before && editSource(before.content, [{ find: data.old_str, replace: data.new_str }]);
    if (!edited || !('source' in edited)) return null;
    content = edited.source;
  }
  if (content === '') return null;
  const { type = null, title = null, language = null } = before ?? {};
  const made = {
    ...data,
    content,
    type: data.type ?? type,
    title: data.title ?? title,
    language: data.language ?? language,
  };
  artifacts.set(made.id, made);
  return made;
}

/** On lines of its own: the texts of a message are read as one. */
export function artifactText({ id, type, title, language, content }: ClaudeArtifact): string {
  const named = (type !== null && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined) ?? language ?? '';
  return `\n\n${writeBlock({ info: writeFenceInfo({ language: named, id, title }), source: content })}\n\n`;
}

/** A text whose elements of artifacts are such blocks. */
export function withArtifacts(text: string): string {
  let made = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf(OPENING, from);
    const head = start < 0 ? -1 : text.indexOf('>', start);
    const end = head < 0 ? -1 : text.indexOf(CLOSING, head);
    if (end < 0) return made + text.slice(from);
    const attributes = Object.fromEntries(
      Array.from(text.slice(start, head).matchAll(/([a-z]{1,20})="([^"]*)"/g), ([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    const { data } = ClaudeArtifact.safeParse({
      ...attributes,
      id: attributes.identifier,
      content: text.slice(head + 1, end).trim(),
    });
    made += text.slice(from, start) + (data ? artifactText(data) : '');
    from = end + CLOSING.length;
  }
}
