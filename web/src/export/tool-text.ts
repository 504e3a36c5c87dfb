// Tool calls in the formats that hold text alone: the name, the arguments, and what came back.
import { writeBlock } from '@parley/schema/artifacts/add-version';
import { blockOfCall } from '@parley/schema/artifacts/artifact-call';
import { toolFiles, toolLog, type Attachment, type ToolCall } from '@parley/schema/messages/messages';
import { toolLabel, toolState, toolWork } from '../chat/steps/describe-step.ts';
import { formatJson, readCode } from '../chat/steps/read-arguments.ts';

/** A call as plain text, such as `[tool: Calculator]`. */
export function callAsText(call: ToolCall): string {
  const block = blockOfCall(call);
  if (block) return `[tool: ${titleOf(call)}]\n${writeBlock(block)}`;
  const { input, output } = sidesOf(call);
  const lines = [input && `arguments: ${input}`, output && `output: ${output}`, ...filesOf(call)];
  return [`[tool: ${titleOf(call)}]`, ...lines].filter((line) => line !== '').join('\n');
}

/** A call as markdown. */
export function callAsMarkdown(call: ToolCall): string {
  const block = blockOfCall(call);
  if (block) return `\n*Tool: ${literal(titleOf(call))}*\n\n${writeBlock(block)}\n`;
  const { input, output } = sidesOf(call);
  const language = toolWork(call) === 'code' ? 'python' : formatJson(input) === input ? '' : 'json';
  const pieces = [
    `*Tool: ${literal(titleOf(call))}*`,
    input && `Arguments:\n\n${fenced(formatJson(input), language)}`,
    output && `Output:\n\n${fenced(output, '')}`,
    literal(filesOf(call).join('\n')),
  ];
  return `\n${pieces.filter((piece) => piece !== '').join('\n\n')}\n`;
}

/** Text within markdown that is no markdown: a viewer must not take it for HTML. */
export function literal(text: string): string {
  return text.replaceAll('<', '\\<');
}

/** The name of a file in one line. */
export function fileLine(file: Attachment): string {
  const made = file.type === 'image' ? file.prompt : undefined;
  return `[${file.type}: ${(file.name ?? made ?? file.path).replaceAll(/\s+/g, ' ')}]`;
}

/** The beginning of a line in a list or a quote. */
const CONTAINER = /^ {0,4}(?:[-*+>]|\d{1,9}[.)])/;
const FENCE = /^( *)(`{3,}|~{3,})/;
/** Lists and quotes in one another; a fence further in is taken for text. */
const DEPTH_MAX = 10;
/** A fence with more spaces stands in a list, and ends with it. */
const INDENT_MAX = 3;

/** Markdown whose last code block is closed, so that nothing below it becomes code, as it would after a stop. */
export function withClosedCode(markdown: string): string {
  let open: Fence | null = null;
  for (const line of markdown.split('\n')) {
    const fence = fenceIn(line);
    if (!fence) continue;
    if (open && fence.marks.startsWith(open.marks) && fence.info === '') open = null;
    // Backticks after backticks are code within a line.
    else if (!open && !(fence.marks.startsWith('`') && fence.info.includes('`'))) open = fence;
  }
  return open?.isOuter ? `${markdown.replace(/\n$/, '')}\n${open.indent}${open.marks}` : markdown;
}

interface Fence {
  indent: string;
  marks: string;
  info: string;
  /** Whether it is in no list and no quote. */
  isOuter: boolean;
}

function fenceIn(line: string): Fence | null {
  let rest = line;
  for (let depth = 0; depth < DEPTH_MAX; depth++) rest = rest.replace(CONTAINER, '');
  const [whole, indent = '', marks = ''] = FENCE.exec(rest) ?? [];
  if (whole === undefined) return null;
  const info = rest.slice(whole.length).trim();
  return { indent, marks, info, isOuter: rest === line && indent.length <= INDENT_MAX };
}

function titleOf(call: ToolCall): string {
  const state = toolState(call, false);
  return state === 'done' ? toolLabel(call) : `${toolLabel(call)}, ${state}`;
}

function sidesOf(call: ToolCall): { input: string; output: string } {
  const input = toolWork(call) === 'code' ? readCode(call.input) : call.input;
  const log = toolLog(call).trim();
  const said = (call.output ?? '').trim();
  if (log.includes(said)) return { input: input.trim(), output: log };
  // What the model got begins with what was printed, and adds notes.
  const isWhole = said.replace(/^error processing tool:?\s*/i, '').startsWith(log);
  return { input: input.trim(), output: isWhole ? said : [log, said].filter(Boolean).join('\n') };
}

function filesOf(call: ToolCall): string[] {
  return toolFiles(call).map(fileLine);
}

/** A fence longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
