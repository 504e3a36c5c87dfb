// The code interpreter: a tool that runs Python for a conversation, which keeps its variables and files.
import { join } from 'node:path';
import type { Db } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import { cleanText } from '@parley/schema/clean-text';
import { MEGABYTE } from '@parley/schema/files/file-limits';
import type { Attachment, ToolOrigin, ToolOutput } from '@parley/schema/messages/messages';
import { and, eq, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { FileSaverDeps } from '../files/save-file.ts';
import { argumentsSchema } from '../providers/tool-spec.ts';
import type { Chosen, Tool, ToolOutcome, ToolRun, ToolSource } from '../tools/tool.ts';
import { SKILLS_FOLDER } from '@parley/schema/skills/skill-rules';
import {
  bringFiles,
  bringSkillFiles,
  nameFiles,
  takeFiles,
  type DataFile,
  type SkillFolderFile,
} from './data-files.ts';
import { KernelEnded, type Kernel, type KernelLimits } from './kernel.ts';
import { createKernels, KernelsBusy, type Kernels } from './kernels.ts';
import { createWorkingDirectories, type WorkingDirectory, type WorkingDirectories } from './working-directory.ts';
import { createKernelLauncher } from './kernel-launcher.ts';
import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { operatorCommand } from '../config/operator-command.ts';
import { PACKAGE_LIST, packagesFolder } from './program.ts';

/** The list that `npm run python-packages` writes, a part of Pyodide's own: packages by their names. */
const PackageList = z.record(z.string(), z.looseObject({ name: z.string(), version: z.string() }));

const MISSING = /^ModuleNotFoundError: No module named '([\w.]+)'/m;

export interface InterpreterDeps extends FileSaverDeps {
  log: Logger;
}

/** Limits, all in milliseconds but two. */
export interface InterpreterLimits extends KernelLimits {
  atOnce: number;
  waitMs: number;
  idleMs: number;
}

const LIMITS: InterpreterLimits = {
  runMs: 60_000,
  startMs: 60_000,
  memoryBytes: 800 * MEGABYTE,
  atOnce: 4,
  waitMs: 30_000,
  idleMs: 10 * 60_000,
};
/** For copying files, beside the limits of the code itself. */
const COPY_MS = 60_000;
/** Of the output, in characters, for the model. */
const OUTPUT_CHARS = 32_000;
/** Names of files in the description. */
const NAMES_MAX = 30;

const KEY = 'code_interpreter';
const ORIGIN: ToolOrigin = { source: 'builtin', id: KEY, label: 'Code interpreter' };
const DESCRIPTION = 'Runs Python, for calculations, data, charts and files.';

export interface Interpreter extends ToolSource {
  /** Ends all processes. */
  close(): Promise<void>;
}

/** Finds the files of the skills that are on. */
type FindSkillFiles = (chosen: Chosen) => Promise<SkillFolderFile[]>;

/** `limits` replace the usual ones, for tests. */
export function createInterpreter(
  deps: InterpreterDeps,
  limits: Partial<InterpreterLimits> = {},
  findSkillFiles: FindSkillFiles = async () => [],
): Interpreter {
  const all = { ...LIMITS, ...limits };
  const folder = join(deps.config.server.dataDir, 'sandbox');
  const launcher = createKernelLauncher(deps.config.interpreter, folder, all, deps.log);
  const kernels = createKernels({ ...all, start: (signal) => launcher.kernel(signal) });
  const packageNames = createPackageNames(folder);
  // What the operator's own program has, only that program knows.
  const packagesOf = async () => (deps.config.interpreter.command === undefined ? await packageNames() : null);
  const sessions = createWorkingDirectories();
  return {
    name: 'builtin',
    async tools(chosen) {
      if (!chosen.keys.includes(KEY) || !launcher.isPossible()) return { tools: [], problems: [] };
      const packages = await packagesOf();
      const run = (call: ToolRun) =>
        runCode({ deps, kernels, sessions, packages, limits: all, findSkillFiles }, chosen, call);
      return { tools: [toolOf(chosen, packages, all, run)], problems: [] };
    },
    async list() {
      if (!launcher.isPossible()) return [];
      const packages = await packagesOf();
      const description = packages ? `${DESCRIPTION} ${packagesSentence(packages)}` : DESCRIPTION;
      return [{ key: KEY, from: ORIGIN, description, ...(packages && { packages }), unavailable: null }];
    },
    async close() {
      await Promise.all([kernels.close(), launcher.close()]);
    },
  };
}

function toolOf(
  { files, keys }: Chosen,
  packages: readonly string[] | null,
  { runMs, startMs, waitMs }: InterpreterLimits,
  run: Tool['run'],
): Tool {
  const names = nameFiles(files).map(({ name }) => JSON.stringify(name));
  return {
    name: 'execute_python',
    kind: 'code_interpreter',
    description: [
      'Runs Python code and returns what it prints, and the value of its last expression. Variables stay for later calls.',
      'Files are in /mnt/data, the working folder; the user gets those that the code saves there, such as charts.',
      ...(keys.some((key) => key.startsWith('skill:')) ? [`Files of skills are in ${SKILLS_FOLDER}/<name>.`] : []),
      `There is no network. Each call may take ${Math.ceil(runMs / 1000)} seconds and 512 MB.`,
      ...(packages ? [packagesSentence(packages)] : []),
      ...(names.length > 0 ? [`Files of the user: ${names.slice(0, NAMES_MAX).join(', ')}.`] : []),
    ].join(' '),
    parameters: {
      ...argumentsSchema({ code: { type: 'string', description: 'Python code' } }),
      additionalProperties: false,
    },
    from: ORIGIN,
    isRepeatable: false,
    asks: 'never',
    // The code has its own limit, so that the model learns of it; this one is for everything around it, too.
    limits: { timeoutMs: waitMs + startMs + runMs + COPY_MS, outputChars: OUTPUT_CHARS },
    run,
  };
}

interface Running {
  deps: InterpreterDeps;
  kernels: Kernels;
  sessions: WorkingDirectories;
  /** Null where nobody knows. */
  packages: readonly string[] | null;
  limits: InterpreterLimits;
  findSkillFiles: FindSkillFiles;
}

async function runCode(
  running: Running,
  chosen: Chosen,
  { args: { code }, signal, report }: ToolRun,
): Promise<ToolOutcome> {
  const { deps, kernels, sessions, packages, limits } = running;
  const { userId, convoId, files } = chosen;
  if (typeof code !== 'string') return { type: 'failed', text: 'The argument "code" must be a text.' };
  const session = sessions.of(userId, convoId);
  const printed: string[] = [];
  const print = (said: string) => {
    const log = cleanText(said);
    printed.push(log);
    report({ log });
  };
  try {
    return await kernels.use({ userId, convoId }, signal, async (kernel) => {
      const notes = await prepare(deps, { userId, convoId }, kernel, session, files, signal);
      // Read only where the code may use them.
      if (code.includes(SKILLS_FOLDER))
        notes.push(...(await bringSkillFiles(deps, kernel, await running.findSkillFiles(chosen), session, signal)));
      const { error, files: changed } = await kernel.run(code, signal, print);
      if (error !== null) print(error);
      const missing = packages && missingPackageSentence(error ?? '', packages);
      if (missing) print(missing);
      const made = await takeFiles(deps, userId, kernel, changed, signal);
      session.remember(made.files);
      return outcomeOf(error !== null, printed.join(''), made.files, [...notes, ...made.lost]);
    });
  } catch (error) {
    const cause = signal.aborted ? new KernelEnded('stopped') : error;
    const sentence = sentenceOf(cause, limits, deps.log);
    return { type: 'failed', text: withNotes(printed.join(''), [sentence]), outputs: logsOf(printed.join('')) };
  }
}

/** Puts the files that the kernel does not have yet into its folder. Returns what the model should know. */
async function prepare(
  deps: InterpreterDeps,
  { userId, convoId }: { userId: string; convoId: string },
  kernel: Kernel,
  session: WorkingDirectory,
  chosen: readonly Attachment[],
  signal: AbortSignal,
): Promise<string[]> {
  const begun = session.begin(kernel);
  const made = session.made();
  const ofCode = new Set(made.map(({ file }) => file.fileId));
  // What the code has made keeps its name, also when the answer with it is part of the branch.
  const others = nameFiles(chosen).filter(({ file }) => !ofCode.has(file.fileId));
  const there = [...others, ...made].filter(({ file }) => !session.has(file.fileId));
  const missing = await bringFiles(deps, userId, kernel, there, session.diskUse, signal);
  for (const { file } of there) session.note(file.fileId);
  const isGone = begun === 'another' || (begun === 'first' && (await hasRunBefore(deps.db, userId, convoId)));
  if (!isGone) return missing;
  return [
    'This is a new Python process: variables of earlier calls are gone, files in /mnt/data are there.',
    ...missing,
  ];
}

/** Whether an answer of this conversation has run code, in an earlier process of the server. */
async function hasRunBefore({ query }: Db, userId: string, convoId: string): Promise<boolean> {
  const ran = JSON.stringify([{ type: 'tool_call', call: { kind: 'code_interpreter', from: { id: KEY } } }]);
  const [row] = await query
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.userId, userId), eq(messages.convoId, convoId), sql`${messages.parts} @> ${ran}::jsonb`))
    .limit(1);
  return row !== undefined;
}

function outcomeOf(
  hasFailed: boolean,
  printed: string,
  made: readonly DataFile[],
  notes: readonly string[],
): ToolOutcome {
  const names = made.map(({ name }) => JSON.stringify(name)).join(', ');
  const saved = made.length > 0 ? [`Saved in /mnt/data and shown to the user: ${names}.`] : [];
  return {
    type: hasFailed ? 'failed' : 'done',
    text: withNotes(printed, [...saved, ...notes]),
    outputs: [...logsOf(printed), ...made.map(({ file }) => file)],
  };
}

function logsOf(text: string): ToolOutput[] {
  return text === '' ? [] : [{ type: 'logs', text }];
}

/** Notes stand below the output, in brackets, which code can write, too: they are no secret and no proof. */
function withNotes(printed: string, notes: readonly string[]): string {
  const output = printed === '' && notes.length === 0 ? 'The code printed nothing.' : printed;
  return [output, ...notes.map((note) => `[${note}]`)].filter((line) => line !== '').join('\n');
}

const GONE = 'Its variables are gone; files of earlier calls are in /mnt/data at the next one.';

/** For the model. What nobody expects is thrown on. */
function sentenceOf(error: unknown, { runMs, waitMs }: InterpreterLimits, log: Logger): string {
  if (error instanceof KernelsBusy)
    return `No Python process was free for ${Math.ceil(waitMs / 1000)} seconds. Try again later.`;
  if (!(error instanceof KernelEnded)) throw error;
  switch (error.reason) {
    case 'timed_out':
      return `The Python process was ended: it took longer than ${Math.ceil(runMs / 1000)} seconds. ${GONE}`;
    case 'out_of_memory':
      return `The Python process was ended: it needed too much memory. ${GONE}`;
    case 'stopped':
      return `The Python process was stopped. ${GONE}`;
    case 'failed':
      log.warn({ event: 'interpreter.failed', reason: error.message });
      return `The Python process ended unexpectedly. ${GONE}`;
  }
}

/** What is there beside Python itself, for model and person. */
function packagesSentence(packages: readonly string[]): string {
  return packages.length > 0
    ? `Beside the standard library there are: ${packages.join(', ')}.`
    : 'Only the standard library is there, without numpy and matplotlib.';
}

/** Says that a package is not on this server, where that is what code failed of. */
function missingPackageSentence(error: string, packages: readonly string[]): string | null {
  const [name] = MISSING.exec(error)?.[1]?.split('.') ?? [];
  if (name === undefined) return null;
  return `There is no package ${name} on this server. ${packagesSentence(packages)} Its operator can add packages with: ${operatorCommand('python-packages')}\n`;
}

/** The names and versions of the packages that kernels offer; the list is read again when it has changed. */
function createPackageNames(folder: string): () => Promise<string[]> {
  const path = join(packagesFolder(folder), PACKAGE_LIST);
  let read: { changed: number; names: string[] } | null = null;
  return async () => {
    const found = await stat(path).catch(() => null);
    if (!found) return [];
    if (read?.changed === found.mtimeMs) return read.names;
    const packages = PackageList.parse(JSON.parse(await readFile(path, 'utf8')));
    read = { changed: found.mtimeMs, names: Object.values(packages).map(({ name, version }) => `${name} ${version}`) };
    return read.names;
  };
}
