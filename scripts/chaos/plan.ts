// The random plan of one exchange in a chaos run.
import type { ScenarioName } from '../fake-provider.ts';
import type { Random } from './random.ts';

/** How the provider's answer ends: complete, complete after calls of tools, with a failure, or never. */
export type Outcome = 'whole' | 'tools' | 'failed' | 'endless';

export type Disturbance =
  | { at: number; type: 'cut' }
  | { at: number; type: 'pause'; ms: number }
  | { at: number; type: 'attach again'; from: 'last' | 'older' | 'garbage' | 'nothing' };

export interface Plan {
  scenario: ScenarioName;
  arg: string | undefined;
  course: Outcome;
  kind: 'first' | 'follow' | 'branch' | 'regenerate';
  /** How many copies of the ask are sent at once. */
  copies: number;
  /** The response to the first ask is dropped after this many milliseconds, and the ask is repeated. */
  loseResponseAfter: number | null;
  /** One list of disturbances per subscriber, in milliseconds from the ask. */
  viewers: Disturbance[][];
  /** Milliseconds from the ask; below 0 is before it. */
  stopAt: number | null;
  removeAt: number | null;
  renameAt: number | null;
}

/** `tools` is the share of exchanges with tools, which changes nothing of the others. */
export function drawPlan(chance: Random, tools: number): Plan {
  const plan = drawPlainPlan(chance);
  const own = chance.part('tools');
  if (!own.odds(tools)) return plan;
  const kind = plan.kind === 'regenerate' ? 'follow' : plan.kind;
  return { ...plan, scenario: 'tool-steps', arg: undefined, course: 'tools', kind, stopAt: drawStop(own, 'tools') };
}

function drawPlainPlan(chance: Random): Plan {
  const course = drawOutcome(chance);
  const { scenario, arg } = chance.pick(plannedReplies[course]);
  return {
    scenario,
    arg,
    course,
    kind: chance.pick(['first', 'follow', 'follow', 'follow', 'branch', 'regenerate']),
    copies: chance.odds(0.2) ? chance.between(2, 5) : 1,
    loseResponseAfter: chance.odds(0.2) ? chance.between(1, 60) : null,
    viewers: Array.from({ length: chance.pick([1, 1, 2, 3]) }, () => drawDisturbances(chance)),
    stopAt: drawStop(chance, course),
    removeAt: chance.odds(0.06) ? chance.between(0, 1200) : null,
    renameAt: chance.odds(0.15) ? chance.between(0, 1200) : null,
  };
}

function drawOutcome(chance: Random): Exclude<Outcome, 'tools'> {
  const dice = chance.between(1, 100);
  return dice <= 70 ? 'whole' : dice <= 92 ? 'failed' : 'endless';
}

interface PlannedReply {
  scenario: ScenarioName;
  arg?: string;
}

const whole: [PlannedReply, ...PlannedReply[]] = [
  { scenario: 'tokens', arg: '150@10' },
  { scenario: 'tokens', arg: '300@5' },
  { scenario: 'tokens', arg: '400@4' },
  { scenario: 'plain' },
  { scenario: 'echo' },
  { scenario: 'emoji' },
  { scenario: 'surrogates' },
  { scenario: 'unicode' },
  { scenario: 'markdown' },
  { scenario: 'reasoning' },
  { scenario: 'tool' },
  { scenario: 'long', arg: '60000' },
  { scenario: 'fast', arg: '1500' },
  { scenario: 'slow', arg: '60' },
  { scenario: 'late', arg: '600' },
  { scenario: 'bytes' },
  { scenario: 'cr-only' },
  { scenario: 'comments' },
  { scenario: 'big-line', arg: '200' },
  { scenario: 'null-content' },
  { scenario: 'no-done' },
  { scenario: 'length' },
  { scenario: 'cut-after-done' },
  { scenario: 'junk-after-done' },
  { scenario: 'duplicate-final' },
];

const failed: [PlannedReply, ...PlannedReply[]] = [
  { scenario: 'cut', arg: '0' },
  { scenario: 'cut', arg: '60' },
  { scenario: 'reset', arg: '12' },
  { scenario: 'error-midstream', arg: '40' },
  { scenario: 'error-429' },
  { scenario: 'error-500' },
  { scenario: 'html-502' },
  { scenario: 'html-200' },
  { scenario: 'json-200' },
  { scenario: 'truncated' },
  { scenario: 'empty' },
  { scenario: 'malformed' },
  { scenario: 'stall', arg: '6' },
  { scenario: 'silent' },
];

const plannedReplies: Record<Exclude<Outcome, 'tools'>, [PlannedReply, ...PlannedReply[]]> = {
  whole,
  failed,
  endless: [{ scenario: 'never-ending', arg: '15' }],
};

function drawStop(chance: Random, course: Outcome): number | null {
  if (course === 'endless') return chance.between(0, 2500);
  if (!chance.odds(0.15)) return null;
  return chance.odds(0.3) ? -chance.between(1, 60) : chance.between(0, 1500);
}

function drawDisturbances(chance: Random): Disturbance[] {
  return Array.from({ length: chance.pick([0, 0, 1, 1, 2, 4]) }, () => drawDisturbance(chance));
}

function drawDisturbance(chance: Random): Disturbance {
  const at = chance.between(0, 1800);
  if (chance.odds(0.4)) return { at, type: 'cut' };
  if (chance.odds(0.15)) return { at, type: 'pause', ms: chance.between(100, 1500) };
  return { at, type: 'attach again', from: chance.pick(['last', 'last', 'older', 'garbage', 'nothing']) };
}
