// The OpenAPI document of the fake API.

/** @param server its address, without a trailing slash */
export function openApiDocument(server: string): Record<string, unknown> {
  const plain = (operationId: string, summary: string) => ({
    get: { operationId, summary, responses: { 200: { description: 'Answered' } } },
  });
  const secured = ['bearer', 'basic', 'custom', 'oauth'].map((kind) => [
    `/secured/${kind}`,
    plain(`${kind}Secured`, `Needs ${kind} credentials`),
  ]);
  const faults = ['slow', 'huge', 'redirect', 'page', 'picture', 'broken', 'reset', 'echo'].map((name) => [
    `/${name}`,
    plain(name, `Answers as its name says: ${name}`),
  ]);
  return {
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1.0.0' },
    servers: [{ url: server }],
    paths: { '/pets': pets, '/pets/{petId}': pet, ...Object.fromEntries([...secured, ...faults]) },
    components: { parameters: { PetId: petId }, schemas: { Pet: petSchema } },
  };
}

const petSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', pattern: '^(a+)+$' },
    kind: { type: 'string', enum: ['dog', 'cat'], nullable: true },
    parent: { $ref: '#/components/schemas/Pet' },
  },
};

const petId = { name: 'petId', in: 'path', required: true, schema: { type: 'string' } };

const petBody = {
  required: true,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
};

const pets = {
  get: {
    operationId: 'listPets',
    summary: 'Lists pets',
    parameters: [
      { name: 'limit', in: 'query', description: 'At most so many', schema: { type: 'integer', minimum: 1 } },
      { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
      { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
    ],
    responses: { 200: { description: 'All pets' } },
  },
  post: { operationId: 'addPet', requestBody: petBody, responses: { 201: { description: 'The new pet' } } },
};

const pet = {
  parameters: [{ $ref: '#/components/parameters/PetId' }],
  get: { operationId: 'getPet', responses: { 200: { description: 'One pet' } } },
  put: { operationId: 'replacePet', requestBody: petBody, responses: { 200: { description: 'The pet' } } },
  delete: { operationId: 'removePet', responses: { 204: { description: 'It is gone' } } },
};
