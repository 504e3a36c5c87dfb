// Reads the text of the classic agent as it comes: thoughts, then an action with its input or the final reply.

export type ClassicPiece = { type: 'thought' | 'answer'; text: string };

/** How a reply ended. `null`: it names no action and no final reply. */
export type ClassicEnd = { type: 'call'; name: string; input: string } | { type: 'answer' } | null;

const MARKS = ['action:', 'final answer:', 'thought:', 'observation:'];
const MARK = /(^|\n)[ \t]*\**(action|final answer|observation)\**:\**[ \t]*/i;
const LATER_MARK = /(\n)[ \t]*\**(action|final answer|observation)\**:\**[ \t]*/i;
const THOUGHT = /(^|\n)[ \t]*\**thought\**:\**[ \t]*/gi;
const INPUT = /^\**action input\**:\**/i;
const NONE = /^(?:n\/a|none|no action)?[.]?$/i;

export function createClassicReader() {
  let state: 'thought' | 'action' | 'answer' | 'over' = 'thought';
  let held = '';
  let reasoning = '';
  let hasReply = false;
  let isAtLineStart = true;
  return { read, end, thought: () => reasoning.trim() };

  function* read(text: string): Generator<ClassicPiece> {
    held += text;
    if (state === 'thought') yield* readReasoning();
    if (state === 'answer') yield* emitReply();
  }

  function* readReasoning(): Generator<ClassicPiece> {
    const found = markIn(held);
    if (!found) return yield* emitReasoning(held.slice(0, held.length - openTail(held)));
    yield* emitReasoning(held.slice(0, found.index));
    held = held.slice(found.length);
    const { mark } = found;
    state = mark === 'final answer' ? 'answer' : mark === 'action' ? 'action' : 'over';
  }

  function* emitReasoning(raw: string): Generator<ClassicPiece> {
    held = held.slice(raw.length);
    const told = isAtLineStart
      ? raw.replaceAll(THOUGHT, '$1')
      : raw.replaceAll(/\n[ \t]*\**thought\**:\**[ \t]*/gi, '\n');
    if (raw !== '') isAtLineStart = raw.endsWith('\n');
    reasoning += told;
    if (told !== '') yield { type: 'thought', text: told };
  }

  function* emitReply(): Generator<ClassicPiece> {
    const text = hasReply ? held : held.trimStart();
    held = '';
    if (text === '') return;
    hasReply = true;
    yield { type: 'answer', text };
  }

  /** A match only counts at the beginning of a line. */
  function markIn(text: string) {
    const found = (isAtLineStart ? MARK : LATER_MARK).exec(text);
    return found && { index: found.index, length: found[0].length, mark: found[2]?.toLowerCase() };
  }

  function* end(): Generator<ClassicPiece, ClassicEnd> {
    if (state === 'thought') yield* emitReasoning(held);
    if (state === 'answer') return hasReply ? { type: 'answer' } : null;
    return state === 'action' ? yield* endAction() : null;
  }

  function* endAction(): Generator<ClassicPiece, ClassicEnd> {
    const [action = '', answer] = (held.split(/\n[ \t]*\**observation\**:/i)[0] ?? '').split(
      /\n[ \t]*\**final answer\**:\**/i,
    );
    const { name, input } = splitAction(action.trim());
    const cleanName = name.replaceAll(/[`"'*[\]]/g, '').trim();
    if (!NONE.test(cleanName)) return { type: 'call', name: cleanName, input: withoutFence(input) };
    const said = [answer, input, reasoning].map((text) => text?.trim() ?? '').find((text) => !NONE.test(text));
    if (said === undefined) return null;
    yield { type: 'answer', text: said };
    return { type: 'answer' };
  }
}

/** How many characters at the end may be the beginning of a mark. */
function openTail(text: string): number {
  const start = text.lastIndexOf('\n') + 1;
  const line = text.slice(start).trimStart().replaceAll('*', '').toLowerCase();
  const isOpen = MARKS.some((mark) => mark.startsWith(line));
  return isOpen ? text.length - Math.max(0, start - 1) : 0;
}

/** The name stands in the first line, the input below it; without the words `Action Input:` there is none. */
function splitAction(action: string): { name: string; input: string } {
  const end = action.indexOf('\n');
  if (end < 0) return { name: action, input: '' };
  const below = action.slice(end).trim();
  const said = INPUT.exec(below)?.[0];
  return said === undefined
    ? { name: '', input: '' }
    : { name: action.slice(0, end), input: below.slice(said.length).trim() };
}

function withoutFence(input: string): string {
  const text = input.trim();
  if (!text.startsWith('```')) return text;
  const start = text.indexOf('\n');
  const end = text.indexOf('```', 3);
  return text.slice(start < 0 || (end >= 0 && start > end) ? 3 : start, end < 0 ? undefined : end).trim();
}
