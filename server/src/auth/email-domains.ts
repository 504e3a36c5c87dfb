import { refuse } from '../platform/errors.ts';

/** An empty list allows every domain. @throws Refusal `email_domain_not_allowed` */
export function assertDomainAllowed(allowed: readonly string[], email: string): void {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (allowed.length > 0 && !allowed.includes(domain)) refuse({ type: 'email_domain_not_allowed' });
}
