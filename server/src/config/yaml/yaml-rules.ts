import { ENDPOINT_WORDS } from '../endpoint-names.ts';
import type { Path } from './yaml-path.ts';
import type { AzureOpenAIYaml, CustomYaml, Yaml } from './yaml-schema.ts';

// Rules across values of the yaml file, checked after each value by itself is valid.

/** `says` completes a sentence that begins with the key at `path`. */
export type Problem = { path: Path; says: string };

type AzureGroup = AzureOpenAIYaml['groups'][number];

export function* yamlProblems(yaml: Yaml): Generator<Problem> {
  yield* customNameProblems(yaml.endpoints?.custom ?? []);
  yield* azureProblems(yaml.endpoints?.azureOpenAI?.groups ?? []);
}

function* customNameProblems(endpoints: CustomYaml[]): Generator<Problem> {
  const seen = new Map(ENDPOINT_WORDS.map((word) => [word.toLowerCase(), 'a built-in endpoint']));
  for (const [index, { name }] of endpoints.entries()) {
    const other = seen.get(name.toLowerCase());
    if (other) {
      const path = ['endpoints', 'custom', index, 'name'];
      yield { path, says: `must be a name of its own, but ${JSON.stringify(name)} is the name of ${other}` };
    }
    seen.set(name.toLowerCase(), `endpoints.custom[${index}]`);
  }
}

function* azureProblems(groups: AzureGroup[]): Generator<Problem> {
  const names = new Set<string>();
  const models = new Map<string, string>();
  for (const [index, group] of groups.entries()) {
    const path = ['endpoints', 'azureOpenAI', 'groups', index];
    if (names.has(group.group)) {
      yield { path: [...path, 'group'], says: `must be unique, but ${JSON.stringify(group.group)} is there twice` };
    }
    names.add(group.group);
    yield* azureAddressProblems(group, path);
    yield* azureModelProblems(group, path, models);
  }
}

function* azureAddressProblems(group: AzureGroup, path: Path): Generator<Problem> {
  if (group.serverless && !group.baseURL) {
    yield { path: [...path, 'baseURL'], says: 'is missing; a serverless group needs it' };
  }
  if (!group.serverless && !group.instanceName) {
    yield { path: [...path, 'instanceName'], says: 'is missing; a group needs it unless it is serverless' };
  }
}

/** `seen` maps the models of earlier groups to their group. */
function* azureModelProblems(group: AzureGroup, path: Path, seen: Map<string, string>): Generator<Problem> {
  for (const [name, model] of Object.entries(group.models)) {
    const modelPath = [...path, 'models', name];
    const other = seen.get(name);
    if (other !== undefined) {
      yield { path: modelPath, says: `must be in one group only, but is also in ${JSON.stringify(other)}` };
    }
    seen.set(name, group.group);
    const { deploymentName, version } = { ...group, ...(model === true ? {} : model) };
    if (!group.serverless && !(deploymentName && version)) {
      yield { path: modelPath, says: 'needs a deploymentName and a version, its own or those of its group' };
    }
  }
}
