import { toolLog, type ToolCall } from '@parley/schema/messages/messages';

/** How a tool's failure begins when the model gets it. */
const FAILURE = /^error processing tool:?\s*/i;
/** Notes of the interpreter that only a model needs: its reader sees the files. */
const FOR_MODEL = /^\[(?:This is a new Python process|Saved in \/mnt\/data)/;

/** What came back, for people: without what the log beside it shows already. */
export function shownOutput(call: ToolCall): string {
  const output = (call.output ?? '').replace(FAILURE, '');
  const log = toolLog(call).trim();
  const said = output.trim();
  if (log === '') return output;
  if (log.includes(said)) return '';
  if (!said.startsWith(log)) return output;
  const notes = said.slice(log.length).split('\n');
  return notes
    .filter((note) => note.trim() !== '' && !FOR_MODEL.test(note))
    .map((note) => note.replace(/^\[(.*)\]$/, '$1'))
    .join('\n');
}
