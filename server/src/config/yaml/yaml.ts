// Parses and validates the yaml file.
import { causeOf, configError, gatherProblems } from '../config-error.ts';
import type { RawEnv } from '../env/env.ts';
import { fillVariables, nestedUnknown, withoutPaths } from './without-effect.ts';
import type { YamlText } from './yaml-file.ts';
import { pathText } from './yaml-path.ts';
import { problemsOf, type Problem } from './yaml-rules.ts';
import { yamlSchema, type YamlFile } from './yaml-schema.ts';
import { yamlSentences, type Issue } from './yaml-sentence.ts';

export interface ParsedYaml {
  yaml: YamlFile;
  /** What the file contains without effect, one sentence each. */
  notices: string[];
}

/**
 * Second step: interpolates `${NAME}` in the yaml file, then checks all values and rules.
 * @throws ConfigError
 */
export async function parseYaml({ name, text }: YamlText, env: RawEnv): Promise<ParsedYaml> {
  const written = await treeOf(text, name);
  const filled = fillVariables(written, env, name);
  const first = yamlSchema.safeParse(filled.tree);
  const unknown = nestedUnknown(first.error?.issues ?? []);
  const { data, error } = unknown.length > 0 ? yamlSchema.safeParse(withoutPaths(filled.tree, unknown)) : first;
  const problems = gatherProblems();
  /** Reports one problem per location: further ones mostly follow from it. */
  const told = new Set(filled.missing.map(({ path }) => pathText(path)));
  for (const problem of filled.missing) tell(problem);
  for (const issue of error?.issues ?? []) tellOnce(issue);
  if (!data) throw problems.error();
  for (const { path, says } of problemsOf(data)) tell({ path: filled.placeOf(path), says });
  problems.throwAny();
  const ignored = unknown.map(
    (path) => `In ${name}, ${pathText(filled.placeOf(path))} is not a known setting and is ignored.`,
  );
  return { yaml: data, notices: [...filled.notices, ...new Set(ignored)] };

  function tell({ path, says }: Problem): void {
    problems.add(`In ${name}, ${pathText(path)} ${says}.`);
  }

  function tellOnce(issue: Issue): void {
    const path = filled.placeOf(issue.path);
    const place = pathText(path);
    if (!told.has(place)) yamlSentences({ ...issue, path }, written, name).forEach(problems.add);
    told.add(place);
  }
}

/** Loads the parser only here: a server without a yaml file saves the memory. */
async function treeOf(text: string, name: string): Promise<unknown> {
  const { parseDocument } = await import('./yaml-parser.ts');
  const document = parseDocument(text, { merge: true, logLevel: 'error' });
  const [error] = document.errors;
  if (error) throw configError(`${name} is not valid yaml: ${firstLine(error.message)}.`);
  try {
    return document.toJS() ?? {};
  } catch (failure) {
    throw configError(`${name} is not valid yaml: ${firstLine(causeOf(failure))}.`);
  }
}

/** Later lines quote the file, which may contain keys. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/[:.]$/, '');
}
