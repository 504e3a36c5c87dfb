// What is sent of a branch: its files, the history that fits, and the instructions that stand before it.
import type { ContextRecord } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';
import type { Ask, AskResult } from '../begin/ask.ts';
import { findInstructions, planWithInstructions, withFolderFiles } from '../context/ask-instructions.ts';
import { readMemory, settingsWithMemory, withMemory, type AskMemory } from '../context/ask-memory.ts';
import { contextLimitsOf, endpointStepRules, type ContextLimits } from '../context/context-limits.ts';
import { assistantLentFiles } from '../context/files/find-lent.ts';
import { planHistory, type Fitting, type Plan } from '../context/history.ts';
import { showBranchFiles, type Branch, type BranchFiles, type FileDeps } from './branch-files.ts';

export interface FittedBranch {
  /** Its conversation has the settings of the call. */
  branch: Branch;
  limits: Pick<ContextLimits, 'toolKeys' | 'window'>;
  files: BranchFiles;
  plan: Fitting;
  /** What the record tells beside the history. */
  beside: Pick<ContextRecord, 'personal' | 'memories' | 'sharedFolder'>;
  /** Without its text where the question does not fit beside it; null where nothing is remembered. */
  memory: AskMemory | null;
  /** Those of the call, with it. */
  settings: Ask['settings'];
}

/** @throws Refusal `context_too_long` */
export async function* fitBranch(
  deps: FileDeps,
  ask: Ask,
  found: Branch,
  asker: AskResult['asker'],
  signal: AbortSignal,
): AsyncGenerator<Delta, FittedBranch> {
  const { convo, source } = found;
  const limitsWith = (settings: Ask['settings']) => contextLimitsOf(ask.endpoint, ask.model, settings, ask.metadata);
  const reading = readMemory(deps.db, ask, found, asker);
  // The code that waits for it below hears of a failure; the files may fail before.
  reading.catch(() => {});
  const instructions = await findInstructions(deps.db, ask, convo, asker);
  const limits = limitsWith(convo.settings);
  const last = withFolderFiles(found.last, instructions);
  const place = withLent(found, ask, instructions);
  const shown = yield* showBranchFiles(deps, ask, { ...place, last }, limits, signal);
  let memory = await reading;
  const files = memory && memory.toolKeys.length > 0 ? withSteps(shown, ask) : shown;
  const { plan, settings, beside } = await planWithInstructions(instructions, limits, planWith);
  return {
    branch: {
      ...place,
      last,
      convo: { ...convo, settings },
      written: place.sharedFolder === null ? settings : convo.settings,
    },
    limits: { ...limits, toolKeys: [...limits.toolKeys, ...(memory?.toolKeys ?? [])] },
    files,
    plan,
    beside: {
      ...beside,
      ...(memory && memory.ids.length > 0 && { memories: memory.ids }),
      ...(place.sharedFolder !== null && { sharedFolder: true }),
    },
    memory,
    settings: settingsWithMemory(settings, memory),
  };

  async function planWith(all: Ask['settings']): Promise<Plan> {
    const own = { ...limitsWith(all), attachments: files.attachments };
    const whole = await planHistory(source, last, withMemory(own, memory));
    if (whole.fits || !memory || memory.text === '') return whole;
    memory = { ...memory, text: '', ids: [] };
    return planHistory(source, last, own);
  }
}

/** Its tools bring along the calls of earlier replies. */
function withSteps(files: BranchFiles, { endpoint, model }: Ask): BranchFiles {
  return { ...files, attachments: { ...files.attachments, steps: endpointStepRules(endpoint, model) } };
}

/** The branch with what others lend: the owner of its assistant, and of its folder. */
function withLent(
  branch: Branch,
  { assistant }: Pick<Ask, 'assistant'>,
  { lent, sharedFolder }: Pick<Branch, 'lent' | 'sharedFolder'>,
): Branch {
  return { ...branch, lent: [...assistantLentFiles(assistant), ...lent], sharedFolder };
}
