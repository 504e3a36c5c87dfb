// Error messages for the yaml file.
import type * as z from 'zod';
import { pathText, valueAt, type Path } from './yaml-path.ts';

export type Issue = z.core.$ZodIssue;

/**
 * One sentence per problem of a yaml file, and one per unknown key. `tree` is the file before interpolation, so that a
 * secret is never quoted.
 */
export function yamlSentences(issue: Issue, tree: unknown, file: string, parent: Path = []): string[] {
  const path = [...parent, ...issue.path];
  const nested = issue.code === 'invalid_union' && closestBranch(issue);
  if (nested) return yamlSentences(nested, tree, file, path);
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue, path, file);
  const value = valueAt(tree, path);
  const location = path.length > 0 ? `In ${file}, ${pathText(path)}` : `${file}`;
  if (value === undefined) return [`${location} is missing; it ${issue.message}.`];
  if (value === null) return [`${location} is empty; it ${issue.message}.`];
  return [`${location} ${issue.message}${butIs(issue, value)}.`];
}

/** Of a union's problems, those of the branch that the value was meant for: the one whose type matches. */
function closestBranch(issue: Extract<Issue, { code: 'invalid_union' }>): Issue | undefined {
  return issue.errors.flat().find((inner) => inner.path.length > 0 || inner.code === 'unrecognized_keys');
}

function unknownKeys(issue: Extract<Issue, { code: 'unrecognized_keys' }>, path: Path, file: string): string[] {
  return issue.keys.map(
    (key) => `In ${file}, ${pathText([...path, key])} is not a known setting; known here are ${issue.message}.`,
  );
}

/** Quotes a value only where one of a few words was expected: any other may be a misplaced secret. */
function butIs(issue: Issue, value: unknown): string {
  if (issue.code === 'invalid_value') return `, but is ${JSON.stringify(value)}`;
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_union') return '';
  return `, but is ${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string' ? 'text' : 'a number';
}
