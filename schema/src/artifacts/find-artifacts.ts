// The things that an answer makes: pages, pictures, diagrams, documents, tables. They are the blocks of code of the
// messages and what calls of the tool made, and those of one name on a branch are its versions. The work is linear.
import type { ArtifactBlock } from './artifact-call.ts';
import {
  isWhole,
  kindOfCode,
  readFenceInfo,
  titleInSource,
  type ArtifactKind,
  type FenceInfo,
} from './artifact-kind.ts';

export interface Artifact {
  /** The same in all its versions. */
  id: string;
  kind: ArtifactKind;
  title: string | null;
  /** As its fence names it. */
  language: string;
  source: string;
  /** False while it is being written. */
  isClosed: boolean;
  /** A person made this version. */
  isEdited: boolean;
}

interface Fence extends ArtifactBlock {
  isClosed: boolean;
}

/** The artifacts of one message, in the order of its texts and of the blocks that its calls made. */
export function findArtifacts(said: readonly (string | ArtifactBlock)[]): Artifact[] {
  const untitled = new Map<ArtifactKind, number>();
  const fences = said.flatMap((one) => (typeof one === 'string' ? readFences(one) : { ...one, isClosed: true }));
  return fences.flatMap(({ info, source, isClosed }) => {
    const found = artifactOfCode(readFenceInfo(info), source);
    if (!found) return [];
    const count = (untitled.get(found.kind) ?? 0) + (found.name === null ? 1 : 0);
    untitled.set(found.kind, count);
    const { kind, name, title, language, isEdited } = found;
    return [{ id: `${kind}:${name ?? `#${count}`}`, kind, title, language, source, isClosed, isEdited }];
  });
}

/** What a block of code is; null where it is only code. `name` tells it from others of its kind. */
export function artifactOfCode(
  info: FenceInfo,
  source: string,
): (Pick<Artifact, 'kind' | 'title' | 'language' | 'isEdited'> & { name: string | null }) | null {
  const kind = kindOfCode(info.language, source);
  if (kind === null || !isWhole(info, source, kind)) return null;
  const title = info.title ?? titleInSource(kind, source);
  // A version of one without a name has its number as id, which is no title.
  const named = info.id !== null && /^#\d+$/.test(info.id) ? null : info.id;
  const { language, isEdited } = info;
  return { kind, title: title ?? named, language, name: (info.id ?? title)?.toLowerCase() ?? null, isEdited };
}

/** A fence that opens a block of code, or closes one. */
const MARKS = /^ {0,3}(`{3,}|~{3,})/;

/** The blocks of code at the outer level of a Markdown text. The last one may be open. */
function readFences(text: string): Fence[] {
  const fences: Fence[] = [];
  let open: { marks: string; indent: number; info: string; lines: string[] } | null = null;
  const lines = (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).split('\n');
  for (const line of lines) {
    const [start = '', marks = ''] = MARKS.exec(line) ?? [];
    const rest = line.slice(start.length);
    if (open === null) {
      if (marks === '' || (marks.startsWith('`') && rest.includes('`'))) continue;
      open = { marks, indent: line.indexOf(marks), info: rest.trim(), lines: [] };
    } else if (marks.startsWith(open.marks) && rest.trim() === '') {
      fences.push({ info: open.info, source: open.lines.join('\n'), isClosed: true });
      open = null;
    } else {
      open.lines.push(outdented(line, open.indent));
    }
  }
  if (open) {
    // The closing fence arrives one mark at a time; a last line that is empty has not begun.
    const last = lines.at(-1) ?? '';
    const isHalf = open.lines.length > 0 && (last === '' || isStartOf(open.marks, last));
    fences.push({ info: open.info, source: open.lines.slice(0, isHalf ? -1 : undefined).join('\n'), isClosed: false });
  }
  return fences;
}

function isStartOf(marks: string, line: string): boolean {
  const [, some] = /^ {0,3}(`+|~+)$/.exec(line) ?? [];
  return some !== undefined && marks.startsWith(some);
}

function outdented(line: string, columns: number): string {
  let at = 0;
  while (at < columns && line[at] === ' ') at++;
  return line.slice(at);
}
