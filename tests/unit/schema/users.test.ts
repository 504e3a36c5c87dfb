import { sentences, SignIn, SignUp } from '@parley/schema/accounts/users';
import { describe, expect, it } from 'vitest';

const alice = {
  name: 'Alice',
  username: 'alice',
  email: 'alice@example.com',
  password: 'correct horse',
  confirm_password: 'correct horse',
};

describe('the registration form', () => {
  it('accepts and trims what a person types', () => {
    const input = { ...alice, name: ' Alice ', username: 'ALICE', email: ' Alice@Example.com ' };
    expect(SignUp.parse(input)).toEqual(alice);
  });

  it.each(['', null, undefined])('needs no username: %s', (username) => {
    expect(SignUp.parse({ ...alice, username }).username).toBeNull();
  });

  it.each(['élodie', 'Ольга', '山田太郎', 'a.b-c_d', 'is@me$%&*()'])('accepts the username %s', (username) => {
    expect(SignUp.safeParse({ ...alice, username }).success).toBe(true);
  });

  it('does not trim a password', () => {
    const password = '  spaces  around  ';
    expect(SignUp.parse({ ...alice, password, confirm_password: password }).password).toBe(password);
  });

  it.each<[Partial<Record<keyof typeof alice, string>>, string]>([
    [{ name: '' }, sentences.nameRequired],
    [{ name: 'Al' }, sentences.nameMin],
    [{ name: 'x'.repeat(80) }, sentences.nameMax],
    [{ username: 'a' }, sentences.usernameMin],
    [{ username: 'x'.repeat(21) }, sentences.usernameMax],
    [{ username: 'a b' }, sentences.usernameCharacters],
    [{ email: '' }, sentences.emailRequired],
    [{ email: 'a@b.c' }, sentences.emailMin],
    [{ email: `${'x'.repeat(120)}@example.com` }, sentences.emailMax],
    [{ email: 'alice.example.com' }, sentences.emailPattern],
    [{ password: 'short', confirm_password: 'short' }, sentences.passwordMin],
    [{ password: 'x'.repeat(128), confirm_password: 'x'.repeat(128) }, sentences.passwordMax],
    [{ confirm_password: 'another' }, sentences.passwordMatch],
  ])('with %o reports the error', (over, sentence) => {
    const parsed = SignUp.safeParse({ ...alice, ...over });
    expect(parsed.error?.issues.map(({ message }) => message)).toContain(sentence);
  });
});

describe('an e-mail address', () => {
  it.each(['alice@example.com', 'a@b.c', 'a@b@c.d', '@@b.c', 'a@b..c', 'ol\u00e9@b.c'])('can be %s', (email) => {
    expect(SignIn.safeParse({ email, password: 'correct horse' }).success).toBe(true);
  });

  it.each(['alice', '@b.c', 'a@b', 'a@.c', 'a@b.', 'a.b@c', 'a b@c.d', 'a@b .c', '@.'])('cannot be %s', (email) => {
    expect(SignIn.safeParse({ email, password: 'correct horse' }).success).toBe(false);
  });

  it('is rejected before it is parsed when it is too long', () => {
    const { error } = SignIn.safeParse({ email: `${'@.'.repeat(1000)} a`, password: 'correct horse' });
    expect(error?.issues.map(({ message }) => message)).toEqual([sentences.emailMax]);
  });
});

describe('signing in', () => {
  it('finds a user whatever the case of the address', () => {
    expect(SignIn.parse({ email: ' ALICE@example.com', password: 'correct horse' }).email).toBe('alice@example.com');
  });

  it('accepts a password of 128 characters', () => {
    expect(SignIn.safeParse({ email: alice.email, password: 'x'.repeat(128) }).success).toBe(true);
    expect(SignIn.safeParse({ email: alice.email, password: 'x'.repeat(129) }).success).toBe(false);
  });
});
