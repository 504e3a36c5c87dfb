// Parses and validates the yaml file.
import { causeOf, configError, gatherProblems } from '../config-error.ts';
import type { RawEnv } from '../env/env.ts';
import { interpolate } from './interpolate.ts';
import type { YamlText } from './yaml-file.ts';
import { pathText } from './yaml-path.ts';
import { problemsOf, type Problem } from './yaml-rules.ts';
import { yamlSchema, type YamlFile } from './yaml-schema.ts';
import { yamlSentences, type Issue } from './yaml-sentence.ts';

/**
 * Second step: interpolates `${NAME}` in the yaml file, then checks all values and rules.
 * @throws ConfigError
 */
export async function parseYaml({ name, text }: YamlText, env: RawEnv): Promise<YamlFile> {
  const tree = await treeOf(text, name);
  const problems = gatherProblems();
  /** Reports one problem per location: further ones mostly follow from it. */
  const told = new Set<string>();
  const filled = interpolate(tree, { env, file: name, onMissing });
  const { data, error } = yamlSchema.safeParse(filled);
  for (const issue of error?.issues ?? []) tellOnce(issue);
  if (!data) throw problems.error();
  for (const problem of problemsOf(data)) tell(problem);
  problems.throwAny();
  return data;

  function tell({ path, says }: Problem): void {
    problems.add(`In ${name}, ${pathText(path)} ${says}.`);
  }

  function tellOnce(issue: Issue): void {
    const place = pathText(issue.path);
    if (!told.has(place)) yamlSentences(issue, tree, name).forEach(problems.add);
    told.add(place);
  }

  function onMissing(problem: Problem): void {
    told.add(pathText(problem.path));
    tell(problem);
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
