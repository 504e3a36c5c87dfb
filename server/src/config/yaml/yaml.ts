// Parses and validates the yaml file.
import { fileErrorCause, configError, gatherProblems } from '../config-error.ts';
import { text as trimmed } from '../env/env-readers.ts';
import type { RawEnv } from '../env/env.ts';
import { assertFlat, variablesIn } from './interpolate.ts';
import { withoutOtherVersions } from './other-versions.ts';
import { fillVariables } from './without-effect.ts';
import { readYamlFile, type YamlText } from './yaml-file.ts';
import { pathText } from './yaml-path.ts';
import { yamlProblems, type Problem } from './yaml-rules.ts';
import { yamlSchema, type Yaml, type YamlFile } from './yaml-schema.ts';
import { yamlSentences, type Issue } from './yaml-sentence.ts';

interface ParsedYaml {
  yaml: YamlFile;
  /** What the file contains without effect, one sentence each. */
  notices: string[];
}

/** `file` is the name of the file, if there is one; `variables` are those that it uses. */
export interface WrittenYaml extends Omit<ParsedYaml, 'yaml'> {
  yaml: Yaml;
  file?: string;
  variables: ReadonlySet<string>;
}

/**
 * Reads the yaml file of a server that is started in `cwd`.
 * @throws ConfigError
 */
export async function readYaml(raw: RawEnv, cwd: string): Promise<WrittenYaml> {
  const file = await readYamlFile(trimmed(raw.CONFIG_PATH), cwd);
  if (!file) return { yaml: {}, notices: [], variables: new Set() };
  return { ...(await parseYaml(file, raw)), file: file.name, variables: variablesIn(file.text) };
}

/**
 * Second step: interpolates `${NAME}` in the yaml file, then checks all values and rules.
 * @throws ConfigError
 */
async function parseYaml({ name, text }: YamlText, env: RawEnv): Promise<ParsedYaml> {
  const written = await treeOf(text, name);
  assertFlat(written, name);
  const readable = withoutOtherVersions(written, name);
  const filled = fillVariables(readable.tree, env, name);
  const { data, error } = yamlSchema.safeParse(filled.tree);
  const problems = gatherProblems();
  for (const problem of readable.problems) tell(problem);
  /** Reports one problem per location: further ones mostly follow from it. */
  const reported = new Set(filled.missing.map(({ path }) => pathText(path)));
  for (const problem of filled.missing) tell(problem);
  for (const issue of error?.issues ?? []) reportOnce(issue);
  if (!data) throw problems.error();
  for (const { path, says } of yamlProblems(data)) tell({ path: filled.placeOf(path), says });
  problems.throwAny();
  return { yaml: data, notices: [...filled.notices, ...readable.notices] };

  function tell({ path, says }: Problem): void {
    problems.add(`In ${name}, ${pathText(path)} ${says}.`);
  }

  function reportOnce(issue: Issue): void {
    const path = filled.placeOf(issue.path);
    const location = pathText(path);
    if (!reported.has(location)) yamlSentences({ ...issue, path }, readable.tree, name).forEach(problems.add);
    reported.add(location);
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
    throw configError(`${name} is not valid yaml: ${firstLine(fileErrorCause(failure))}.`);
  }
}

/** Later lines quote the file, which may contain keys. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/[:.]$/, '');
}
