// What a yaml file may contain without effect: nested keys of newer versions, and custom endpoints that lack a key they
// need, or any service whose variables are not set. Each is left out and said once at the start.
import { isObject } from '@parley/schema/json';
import type * as z from 'zod';
import { interpolate } from './interpolate.ts';
import { pathText, valueAt, type Path } from './yaml-path.ts';
import type { RawEnv } from '../env/env.ts';
import type { Problem } from './yaml-rules.ts';

export interface Filled {
  tree: unknown;
  /** Where a path of `tree` is in the file: the tree lacks the endpoints that are off. */
  placeOf(path: Path): PropertyKey[];
  missing: Problem[];
  notices: string[];
}

/**
 * Fills in variables. A custom endpoint that lacks a key is off, and so is one, or a tool server, that refers to a variable
 * that is not set.
 */
export function fillVariables(given: unknown, env: RawEnv, file: string): Filled {
  const servers = serversOff(given, env, file);
  const speech = speechOff(given, env, file);
  const written = withoutPaths(given, [
    ...[...servers.keys()].map((name) => ['mcpServers', name]),
    ...speech.map(({ path }) => path),
  ]);
  const filled = fillEndpoints(written, env, file);
  return { ...filled, notices: [...filled.notices, ...servers.values(), ...speech.map(({ says }) => says)] };
}

/** The services of speech that refer to variables that are not set, with the sentence for each. */
function speechOff(written: unknown, env: RawEnv, file: string): Problem[] {
  return ['stt', 'tts'].flatMap((part) => {
    const services = valueAt(written, ['speech', part]);
    return Object.keys(isObject(services) ? services : {}).flatMap((name): Problem[] => {
      const path = ['speech', part, name];
      const missing: Problem[] = [];
      interpolate(valueAt(written, path), { env, file, onMissing: (problem) => missing.push(problem) }, path);
      const [first] = missing;
      return first
        ? [{ path, says: `${pathText(path)} is off: in ${file}, ${pathText(first.path)} ${first.says}.` }]
        : [];
    });
  });
}

/** Tool servers that refer to variables that are not set, by their names, with the sentence for each. */
function serversOff(written: unknown, env: RawEnv, file: string): Map<string, string> {
  const off = new Map<string, string>();
  const servers = valueAt(written, ['mcpServers']);
  const onMissing = ({ path, says }: Problem) => {
    const name = String(path[1]);
    if (!off.has(name))
      off.set(name, `The tool server ${JSON.stringify(name)} is off: in ${file}, ${pathText(path)} ${says}.`);
  };
  interpolate(servers, { env, file, onMissing }, ['mcpServers']);
  return off;
}

function fillEndpoints(written: unknown, env: RawEnv, file: string): Filled {
  const off = new Map<number, Problem>(incompleteOf(written));
  const first = fill((problem) => {
    const index = customIndexOf(problem.path);
    if (index !== null && !off.has(index)) off.set(index, problem);
  });
  if (off.size === 0) return { ...first, placeOf: (path) => [...path], notices: [] };
  const names = [...off].map(([index, { path, says }]) => noticeOf(written, file, index, `${pathText(path)} ${says}`));
  const remaining = withoutCustom(written, new Set(off.keys()));
  const missing = first.missing.filter(({ path }) => customIndexOf(path) === null);
  const tree = interpolate(remaining, { env, file, onMissing: () => {} });
  return { tree, placeOf, missing, notices: names };

  function placeOf(path: Path): PropertyKey[] {
    const index = customIndexOf(path);
    const all = valueAt(written, ['endpoints', 'custom']);
    const on = Array.isArray(all) ? [...all.keys()].filter((at) => !off.has(at)) : [];
    return index === null ? [...path] : path.with(2, on[index] ?? index);
  }

  function fill(note: (problem: Problem) => void): { tree: unknown; missing: Problem[] } {
    const missing: Problem[] = [];
    const onMissing = (problem: Problem) => {
      missing.push(problem);
      note(problem);
    };
    return { tree: interpolate(written, { env, file, onMissing }), missing };
  }
}

const NEEDED = ['name', 'apiKey', 'baseURL', 'models'];

/** The custom endpoints that lack what each needs, with the first thing that is missing. */
function* incompleteOf(written: unknown): Generator<[index: number, problem: Problem]> {
  const all = valueAt(written, ['endpoints', 'custom']);
  for (const [index, entry] of Array.isArray(all) ? all.entries() : []) {
    if (!isObject(entry)) continue;
    const missing = NEEDED.find((key) => (valueAt(entry, [key]) ?? null) === null);
    if (missing) yield [index, { path: ['endpoints', 'custom', index, missing], says: 'is missing' }];
  }
}

function noticeOf(written: unknown, file: string, index: number, why: string): string {
  const name = valueAt(written, ['endpoints', 'custom', index, 'name']);
  const which = typeof name === 'string' ? `The endpoint ${JSON.stringify(name)}` : `endpoints.custom[${index}]`;
  return `${which} is off: in ${file}, ${why}.`;
}

function customIndexOf(path: Path): number | null {
  const [top, kind, index] = path;
  return top === 'endpoints' && kind === 'custom' && typeof index === 'number' ? index : null;
}

function withoutCustom(tree: unknown, off: ReadonlySet<number>): unknown {
  const copy = structuredClone(tree);
  const list = valueAt(copy, ['endpoints', 'custom']);
  const endpoints = valueAt(copy, ['endpoints']);
  if (Array.isArray(list) && typeof endpoints === 'object' && endpoints !== null)
    Reflect.set(
      endpoints,
      'custom',
      list.filter((_, index) => !off.has(index)),
    );
  return copy;
}

/** Where unknown keys of nested maps are. */
export function nestedUnknown(issues: readonly z.core.$ZodIssue[], parent: Path = []): Path[] {
  return issues.flatMap((issue) => {
    const path = [...parent, ...issue.path];
    if (issue.code === 'unrecognized_keys') return path.length > 0 ? issue.keys.map((key) => [...path, key]) : [];
    return issue.code === 'invalid_union' ? issue.errors.flatMap((branch) => nestedUnknown(branch, path)) : [];
  });
}

/** A copy without the values at these paths; a section that had no other goes, too. */
export function withoutPaths(tree: unknown, paths: readonly Path[]): unknown {
  const copy = structuredClone(tree);
  // Later items of a list first: the others keep their positions.
  for (const path of paths.toReversed()) remove(copy, path);
  return copy;
}

function remove(tree: unknown, path: Path): void {
  const key = path.at(-1);
  const parent = valueAt(tree, path.slice(0, -1));
  if (typeof parent !== 'object' || parent === null || key === undefined) return;
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (Reflect.deleteProperty(parent, key) && path.length === 2 && Object.keys(parent).length === 0)
    remove(tree, path.slice(0, 1));
}
