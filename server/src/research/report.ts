// The report of a research, written from its notes only and checked without a model. It is an artifact in the reply.
import { REPORT, type ResearchPlan } from '@parley/schema/chat/research';
import { writeFenceInfo } from '@parley/schema/artifacts/artifact-kind';
import type { Delta } from '../generation/delta.ts';
import { Refusal } from '../platform/errors.ts';
import { checkReport, quotesIn, sourceList } from './check-report.ts';
import { marksIn, type Marks } from './marks.ts';
import { patiently } from './patience.ts';
import { reportRequest } from './prompts.ts';
import type { StartedResearch } from './research.ts';
import type { NotesRow, ResearchRow } from './rows.ts';

/** Longer than any that a report has around its code. */
const FENCE = '~'.repeat(12);
/** A report that was cut off is worth more than its notes from here on, in characters. */
const WORTH_CHARS = 400;

type Planned = ResearchRow & { plan: ResearchPlan };

export async function* writeReport(
  research: StartedResearch,
  row: Planned,
  notes: readonly NotesRow[],
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const { limits, meter, researcher } = research;
  const marks = marksIn(row.ask.research?.start?.language);
  const opening = openingOf(research, row.plan);
  let written = '';
  // An earlier process, or another try, may have begun it.
  yield { type: 'rewrite', text: opening };
  if (notes.length > 0) {
    const message = { role: 'user' as const, content: reportRequest(row.plan, notes) };
    const part = meter.part(meter.left(), researcher.promptTokens(message));
    try {
      yield* patiently(attempt, limits, signal);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      research.log({ event: 'research.step_failed', step: 'report', reason: error.reason.type });
      if (written.length < WORTH_CHARS) written = '';
    }
    if (signal.aborted) return;

    async function* attempt(): AsyncGenerator<Delta> {
      if (written !== '') yield { type: 'rewrite', text: opening };
      written = '';
      yield { type: 'asking' };
      for await (const delta of researcher.ask(message, part, signal)) {
        if (delta.type === 'rewrite') written = delta.text;
        if (delta.type === 'rewrite') yield { type: 'rewrite', text: opening + withoutFence(written) };
        if (delta.type !== 'text') continue;
        written += delta.text;
        yield { type: 'text', text: withoutFence(delta.text) };
      }
    }
  }
  const whole = written.trim() === '' ? notesAsReport(row.plan, notes, marks) : unwrapped(written);
  yield { type: 'rewrite', text: opening + finished(research, row, notes, whole, marks) };
  yield { type: 'finish', reason: 'stop' };
}

function openingOf({ key }: StartedResearch, { title }: ResearchPlan): string {
  const info = writeFenceInfo({ language: 'markdown', id: `${REPORT}-${key.replyId.slice(0, 8)}`, title });
  return `${FENCE}${info}\n`;
}

/** The report with its marks and sources, and what the check has found below it. */
function finished(
  { passages }: StartedResearch,
  { sources, spent: _spent }: Planned,
  notes: readonly NotesRow[],
  report: string,
  marks: Marks,
): string {
  const numbers = new Set([...sources.map(({ n }) => n), ...Array.from({ length: passages() }, (_, at) => at + 1)]);
  const quotes = notes.flatMap(({ text }) => quotesIn(text));
  const { text, unsourced, unquoted } = checkReport(report, { numbers, quotes }, marks);
  const found = [
    ...(unsourced > 0 ? [`${marks.unsourced}: ${unsourced}.`] : []),
    ...(unquoted > 0 ? [`${marks.unquoted}: ${unquoted}.`] : []),
  ];
  const told = found.length > 0 ? `\n⚠ ${found.join(' ')}\n` : '';
  return `${withoutFence(text).trimEnd()}${sourceList(text, sources)}\n${FENCE}\n${told}`;
}

/** The notes as they are, where no model could write the report. */
function notesAsReport({ title, steps }: ResearchPlan, notes: readonly NotesRow[], { nothing }: Marks): string {
  const sections = steps.map(({ id, question }) => {
    const own = notes.filter(({ stepId }) => stepId === id).map(({ text }) => text);
    return `## ${question}\n\n${own.length > 0 ? own.join('\n\n') : nothing}`;
  });
  return [`# ${title}`, ...sections].join('\n\n');
}

/** Models like to put a document into a block of code. */
function unwrapped(text: string): string {
  const found = /^```(?:markdown|md)?\n([^]*)\n```$/.exec(text.trim());
  return found?.[1] ?? text.trim();
}

/** Nothing in a report ends it. */
function withoutFence(text: string): string {
  return text.replaceAll('~~~~', '~~~');
}
