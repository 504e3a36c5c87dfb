import { causeOf, configError, gatherProblems } from './config-error.ts';
import type { RawEnv } from './env.ts';
import { interpolate } from './interpolate.ts';
import type { YamlText } from './yaml-file.ts';
import { pathText } from './yaml-path.ts';
import { problemsOf, type Problem } from './yaml-rules.ts';
import { yamlSchema, type YamlFile } from './yaml-schema.ts';
import { yamlSentences, type Issue } from './yaml-sentence.ts';

/** The second step: the yaml file with its `${NAME}` filled in, every value and rule checked. Throws a ConfigError. */
export async function parseYaml({ name, text }: YamlText, env: RawEnv): Promise<YamlFile> {
  const tree = await treeOf(text, name);
  const problems = gatherProblems();
  /** One thing is told of a place: what else is wrong there mostly follows from it. */
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

/** The parser is loaded here only: a server without a yaml file does without its memory. */
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

/** The lines after the first quote the file, which may hold keys. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/[:.]$/, '');
}
