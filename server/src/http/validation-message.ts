// What is wrong with a field, for rules that have no words of their own.
import type * as z from 'zod';

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  nan: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
  date: 'must be a date',
};

const ONE_AND_MORE: Readonly<Record<string, readonly [one: string, more: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  guid: 'must be a UUID',
  email: 'must be an e-mail address',
  url: 'must be an address',
  datetime: 'must be an ISO date',
};

/** A sentence that begins with the field's name, such as `title is required`. */
export function validationMessage(issue: z.core.$ZodRawIssue): string {
  const field = issue.path?.findLast((step) => typeof step === 'string') ?? 'The input';
  return `${field} ${faultOf(issue)}`;
}

function faultOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : (TYPES[issue.expected] ?? 'is not valid');
    case 'too_small':
      return `must ${bound(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', issue.maximum)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'is not valid';
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`;
    default:
      return issue.input === undefined ? 'is required' : 'is not valid';
  }
}

function bound(origin: string, side: string, limit: number | bigint): string {
  const units = ONE_AND_MORE[origin];
  return units ? `have ${side} ${limit} ${units[Number(limit) === 1 ? 0 : 1]}` : `be ${side} ${limit}`;
}
