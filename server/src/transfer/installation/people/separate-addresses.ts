// An address that several people of an export have. Here each account has its own.
import { skip, type Report } from '../report.ts';

interface Addressed {
  _id: string;
  email: string;
  emailVerified: boolean;
}

/**
 * Of people with one address the first whose address is confirmed keeps it, else the first. Another one is the same
 * person if both addresses are confirmed; else it may be a stranger who registered with that address, and stands
 * apart under an address of its own.
 */
export function separateAddresses<One extends Addressed>(
  all: readonly One[],
  { users: count, notes }: Pick<Report, 'users' | 'notes'>,
): { given: One[]; mergedInto: ReadonlyMap<string, string> } {
  const byAddress = new Map<string, One[]>();
  for (const one of all) byAddress.set(one.email, [...(byAddress.get(one.email) ?? []), one]);
  const mergedInto = new Map<string, string>();
  const renamed = new Map<string, string>();
  for (const [email, same] of byAddress) {
    const first = same.find(({ emailVerified }) => emailVerified) ?? same[0];
    for (const other of same) {
      if (first === undefined || other === first) continue;
      if (other._id === first._id || (first.emailVerified && other.emailVerified)) {
        if (other._id !== first._id) mergedInto.set(other._id, first._id);
        skip(count, 'the same person as another one of the export');
        notes.push(
          `${email} is in the export more than once, confirmed each time: all that they have is in one account.`,
        );
      } else {
        const own = email.replace(/@(?=[^@]*$)/, `+${other._id}@`);
        renamed.set(other._id, own);
        notes.push(
          `${email} is in the export more than once, and was not confirmed each time: another account of it is ${own} here.`,
        );
      }
    }
  }
  const seen = new Set<string>();
  const given = all.flatMap((person) => {
    if (mergedInto.has(person._id) || seen.has(person._id)) return [];
    seen.add(person._id);
    return [{ ...person, email: renamed.get(person._id) ?? person.email }];
  });
  return { given, mergedInto };
}
