// Schemas with everything that strangers write into them, made by chance that is the same in every run.
import { createRandom, type Random } from './random.ts';

type Schema = Record<string, unknown>;

const NAMES = [
  'id',
  'name',
  'filter[name]',
  'expand[]',
  '$top',
  '@type',
  'per-page',
  'größe',
  'user.name',
  '2fa',
  'a b',
];
const HIDDEN = ['na\u202eme', 'i\u200bd', `${'long_'.repeat(20)}name`];
const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

/** Described as an object, more or less. */
export function oddSchemas(count: number, seed = 20_261_126): Schema[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => root(random));
}

function root(random: Random): Schema {
  const definitions = {
    city: object(random, 3),
    self: { type: 'object', properties: { next: { $ref: '#/$defs/self' } } },
  };
  const schema: Schema = { type: 'object', ...object(random, 0), ...(random.chance(0.5) && { $defs: definitions }) };
  if (random.chance(0.1)) schema.$schema = 'http://json-schema.org/draft-07/schema#';
  if (random.chance(0.1)) delete schema.type;
  if (random.chance(0.25)) schema[random.pick(['anyOf', 'oneOf', 'allOf'])] = forms(random, schema);
  if (random.chance(0.05)) schema.not = { required: ['id'] };
  if (random.chance(0.05)) Object.assign(schema, { if: { required: ['id'] }, then: { required: ['name'] } });
  if (random.chance(0.03)) schema.enum = [{ id: 'x' }];
  return schema;
}

/** Some add properties, some only say which go together. */
function forms(random: Random, { properties }: Schema): Schema[] {
  const names = Object.keys(Object(properties) as object);
  return Array.from({ length: 1 + random.below(3) }, () =>
    random.chance(0.5) && names.length > 0
      ? { required: [random.pick(names)] }
      : { type: 'object', ...object(random, 2) },
  );
}

function object(random: Random, depth: number): Schema {
  const wanted = Array.from({ length: random.below(6) }, () => random.pick(random.chance(0.1) ? HIDDEN : NAMES));
  const properties = Object.fromEntries(wanted.map((name) => [name, value(random, depth + 1)]));
  return {
    properties,
    ...(random.chance(0.5) && { required: wanted.filter(() => random.chance(0.4)) }),
    ...(random.chance(0.1) && { required: [...wanted, 'undescribed'] }),
    ...(random.chance(0.2) && { additionalProperties: random.chance(0.5) ? false : value(random, depth + 2) }),
    ...(random.chance(0.1) && { patternProperties: { '^x-': {} } }),
  };
}

function value(random: Random, depth: number): Schema {
  if (depth > 5) return { type: 'string' };
  const kinds = [plain, plain, plain, listed, nested, list, union, reference, bounded, typeless, faulty];
  const schema = random.pick(kinds)(random, depth);
  return random.chance(0.4) ? { ...schema, description: 'Words. '.repeat(1 + random.below(8)) } : schema;
}

function plain(random: Random): Schema {
  const type = random.chance(0.2) ? [random.pick(TYPES), random.pick(TYPES), 'null'] : random.pick(TYPES);
  return { type: Array.isArray(type) ? [...new Set(type)] : type, ...(random.chance(0.2) && { nullable: true }) };
}

function listed(random: Random): Schema {
  const values = random.pick([['a', 'b'], [1, 2, 3], ['a', null], ['a', 1, true], [], ['a', 'a'], [null]]);
  if (random.chance(0.3)) return { const: random.pick(['only', 7, null, true]) };
  return { ...(random.chance(0.5) && { type: 'string' }), enum: values };
}

function nested(random: Random, depth: number): Schema {
  return { type: 'object', ...object(random, depth) };
}

function list(random: Random, depth: number): Schema {
  const items = random.pick([undefined, value(random, depth + 1), [value(random, depth + 1), { type: 'null' }], true]);
  return { type: 'array', ...(items !== undefined && { items }), ...(random.chance(0.2) && { uniqueItems: true }) };
}

function union(random: Random, depth: number): Schema {
  const branches = Array.from({ length: random.below(4) }, () => value(random, depth + 1));
  const beside = random.chance(0.3) ? plain(random) : {};
  return { ...beside, [random.pick(['anyOf', 'oneOf', 'allOf'])]: branches };
}

function reference(random: Random): Schema {
  const to = random.pick([
    '#/$defs/city',
    '#/$defs/self',
    '#/properties/id',
    '#',
    '#/$defs/none',
    'https://a.example/b',
  ]);
  return { $ref: to, ...(random.chance(0.3) && { description: 'As elsewhere.' }) };
}

function bounded(random: Random): Schema {
  return random.pick([
    { type: 'integer', minimum: 0, exclusiveMinimum: true },
    { type: 'number', exclusiveMaximum: 5, multipleOf: 0.5 },
    { type: 'string', minLength: 1, maxLength: 3, pattern: '^(a+)+$', format: 'uri' },
    { type: 'string', format: 'date-time', default: 'now', examples: ['x'], 'x-order': 1 },
    { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
  ]);
}

function typeless(random: Random): Schema {
  return random.pick([{}, { description: 'Anything.' }, { properties: { id: {} } }, { items: { type: 'string' } }]);
}

/** What no draft allows. */
function faulty(random: Random): Schema {
  return random.pick<Schema>([
    { type: 'any' },
    { type: 'str', required: true },
    { type: 'object', properties: [] },
    { type: 'array', items: 'string' },
    { type: 'string', enum: 'a|b' },
    { type: 'number', minimum: '0', maximum: null },
    { type: ['string', 'file'], title: 7 },
    { anyOf: 'none', required: 'id' },
  ]);
}
