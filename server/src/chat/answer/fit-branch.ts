// What is sent of a branch: its files, the history that fits, and the instructions that stand before it.
import type { ContextRecord } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';
import type { Ask, AskResult } from '../begin/ask.ts';
import { findInstructions, planWithInstructions, withFolderFiles } from '../context/ask-instructions.ts';
import { contextLimitsOf, type ContextLimits } from '../context/context-limits.ts';
import { planHistory, type Fitting } from '../context/history.ts';
import { showBranchFiles, type Branch, type BranchFiles, type FileDeps } from './branch-files.ts';

interface FittedBranch {
  /** Its conversation has the settings of the call. */
  branch: Branch;
  limits: Pick<ContextLimits, 'toolKeys' | 'window'>;
  files: BranchFiles;
  plan: Fitting;
  /** What the record tells beside the history. */
  beside: Pick<ContextRecord, 'personal'>;
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
  const instructions = await findInstructions(deps.db, ask, convo, asker);
  const limits = limitsWith(convo.settings);
  const last = withFolderFiles(found.last, instructions);
  const files = yield* showBranchFiles(deps, ask, { ...found, last }, limits, signal);
  const { plan, settings, beside } = await planWithInstructions(instructions, limits, (all) =>
    planHistory(source, last, { ...limitsWith(all), attachments: files.attachments }),
  );
  return { branch: { ...found, last, convo: { ...convo, settings } }, limits, files, plan, beside };
}
