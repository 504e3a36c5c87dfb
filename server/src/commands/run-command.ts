// What every command of an operator has in common: help, progress, signals, and an end with one sentence.
import { realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { operatorCommand } from '../config/operator-command.ts';
import { isStorageFull } from '../platform/database-fault.ts';
import { createProgress, type Operator } from '../config/operator.ts';

export interface Command {
  /** What follows the name, as in `<file>`. */
  args: string;
  /** What it does, and its options: for `--help`. */
  help: string;
  /** What is left after it was told to stop, as a sentence. */
  whenStopped: string;
  /**
   * Resolves to what the operator is told at its end.
   * @throws Error with one sentence
   */
  run(args: string[], migrations: string, operator?: Operator): Promise<string>;
}

/** How long a command that was told to stop may take to end what it has begun. */
const STOP_MAX_MS = 20_000;
/** npm sends Ctrl-C twice within a few milliseconds: that is one signal. */
const SAME_SIGNAL_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Whether somebody asks what the command does, wherever among its arguments. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.some((arg) => arg === '--help' || arg === '-h');
}

export function describeCommand(name: string, { args, help }: Command): string {
  return `Usage: ${operatorCommand(name, args)}\n${help}`;
}

/**
 * Runs a command to its end and sets the exit code of the process: 0 when it is done, 1 when it fails, 128 and the
 * number of the signal that stopped it. With `--help` it only prints what the command does.
 */
export async function runCommand(name: string, command: Command, args: string[], migrations: string): Promise<void> {
  if (asksForHelp(args)) return console.log(describeCommand(name, command));
  const progress = createProgress(process.stderr);
  const ticking = setInterval(() => progress.tick(), 1000);
  const stop = listenForSignals();
  try {
    const { show } = progress;
    const outcome = await command.run(args, migrations, { show, signal: stop.signal });
    progress.clear();
    console.log(outcome);
  } catch (error) {
    progress.clear();
    const { stoppedBy } = stop;
    console.error(stoppedBy ? `Stopped by ${stoppedBy}. ${command.whenStopped}` : sentenceOf(error));
    process.exitCode = stoppedBy ? 128 + constants.signals[stoppedBy] : 1;
  } finally {
    clearInterval(ticking);
    stop.end();
  }

  function listenForSignals() {
    const controller = new AbortController();
    let stoppedBy: (typeof SIGNALS)[number] | null = null;
    let at = 0;
    const leave = (signal: (typeof SIGNALS)[number]) => {
      progress.clear();
      console.error(`Stopped by ${signal}. ${command.whenStopped}`);
      process.exit(128 + constants.signals[signal]);
    };
    const onSignal = (signal: (typeof SIGNALS)[number]) => {
      if (stoppedBy !== null) return performance.now() - at > SAME_SIGNAL_MS ? leave(signal) : undefined;
      stoppedBy = signal;
      at = performance.now();
      setTimeout(leave, STOP_MAX_MS, signal).unref();
      controller.abort();
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
    return {
      signal: controller.signal,
      get stoppedBy() {
        return stoppedBy;
      },
      end: () => SIGNALS.forEach((signal) => process.off(signal, onSignal)),
    };
  }
}

/** Errors of the system have a code and no sentence, or an empty message where a name has several addresses. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.message || ('code' in error ? String(error.code) : error.name);
  return isStorageFull(error) && 'code' in error ? `The disk is full: ${cause}.` : cause;
}

/** Whether the process was started with this module, also by a link to it or without its ending. */
export function isProgram(module: string, started = process.argv[1] ?? ''): boolean {
  return [started, `${started}.js`].some((path) => {
    try {
      return realpathSync(path) === module;
    } catch {
      return false;
    }
  });
}
