// Arguments as a model may write them for a schema, all properties given. They fit most schemas, not all.

type Fields = Record<string, unknown>;

export function sampleOf(root: object): Fields {
  return { ...Object(valueFor(root, 0)) };

  function valueFor(given: unknown, depth: number): unknown {
    const schema = fieldsOf(given);
    if (depth > 12) return 'x';
    if (typeof schema.$ref === 'string') return valueFor(target(schema.$ref), depth + 4);
    if (depth > 0 && schema.const !== undefined) return schema.const;
    if (depth > 0 && Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0];
    const parts = (key: string) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : []);
    const [form] = [...parts('anyOf'), ...parts('oneOf')];
    const beside = [...parts('allOf'), ...(form === undefined ? [] : [form])].map((part) => valueFor(part, depth + 1));
    const isObject = 'properties' in schema || schema.type === 'object' || depth === 0;
    if (!isObject && beside.length > 0) return beside.at(-1);
    return isObject
      ? Object.assign(ownProperties(schema, depth), ...beside.filter(isFields))
      : plainValue(schema, depth);
  }

  function ownProperties(schema: Fields, depth: number): Fields {
    const properties = Object.entries(fieldsOf(schema.properties));
    return Object.fromEntries(properties.map(([name, child]) => [name, valueFor(child, depth + 1)]));
  }

  function plainValue(schema: Fields, depth: number): unknown {
    switch ([schema.type].flat()[0]) {
      case 'integer':
      case 'number':
        return 1;
      case 'boolean':
        return true;
      case 'null':
        return null;
      case 'array':
        return isFields(schema.items) ? [valueFor(schema.items, depth + 1)] : [];
      default:
        return 'x';
    }
  }

  function target(reference: string): unknown {
    return reference
      .replace(/^#\/?/, '')
      .split('/')
      .reduce<unknown>((found, part) => (part === '' ? found : fieldsOf(found)[part]), root);
  }
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
