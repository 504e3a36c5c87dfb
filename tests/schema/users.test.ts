import { sentences, SignIn, SignUp } from '@parley/schema/users';
import { describe, expect, it } from 'vitest';

const alice = {
  name: 'Alice',
  username: 'alice',
  email: 'alice@example.com',
  password: 'correct horse',
  confirm_password: 'correct horse',
};

describe('signing up', () => {
  it('takes a person as they typed themselves in, tidied', () => {
    const input = { ...alice, name: ' Alice ', username: 'ALICE', email: ' Alice@Example.com ' };
    expect(SignUp.parse(input)).toEqual(alice);
  });

  it.each(['', null, undefined])('needs no username: %s', (username) => {
    expect(SignUp.parse({ ...alice, username }).username).toBeNull();
  });

  it.each(['élodie', 'Ольга', '山田太郎', 'a.b-c_d', 'is@me$%&*()'])('takes %s for a username', (username) => {
    expect(SignUp.safeParse({ ...alice, username }).success).toBe(true);
  });

  it('never trims a password', () => {
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
  ])('with %o says what is wrong', (over, sentence) => {
    const parsed = SignUp.safeParse({ ...alice, ...over });
    expect(parsed.error?.issues.map(({ message }) => message)).toContain(sentence);
  });
});

describe('signing in', () => {
  it('finds the same person however the address was written', () => {
    expect(SignIn.parse({ email: ' ALICE@example.com', password: 'correct horse' }).email).toBe('alice@example.com');
  });

  it('takes a password of 128 characters', () => {
    expect(SignIn.safeParse({ email: alice.email, password: 'x'.repeat(128) }).success).toBe(true);
    expect(SignIn.safeParse({ email: alice.email, password: 'x'.repeat(129) }).success).toBe(false);
  });
});
