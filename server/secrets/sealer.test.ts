import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSealer } from './sealer.ts';

const secret = randomBytes(32).toString('base64url');
const another = randomBytes(32).toString('base64url');

describe('a sealer', () => {
  it('opens what it sealed, and seals differently each time', () => {
    const sealer = createSealer(secret);
    const [first, second] = [sealer.seal('Your PIN is 12345'), sealer.seal('Your PIN is 12345')];
    expect(first.equals(second)).toBe(false);
    expect([sealer.unseal(first), sealer.unseal(second)]).toEqual(['Your PIN is 12345', 'Your PIN is 12345']);
    expect(first.includes('12345')).toBe(false);
  });

  it('opens nothing that was altered, at any position', () => {
    const sealer = createSealer(secret);
    const sealed = sealer.seal('Your PIN is 12345');
    for (const at of sealed.keys()) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
      expect(() => sealer.unseal(altered), `byte ${at}`).toThrow();
    }
    expect(() => sealer.unseal(sealed.subarray(0, -1))).toThrow();
  });

  it('opens nothing sealed with another secret', () => {
    expect(() => createSealer(another).unseal(createSealer(secret).seal('text'))).toThrow();
    expect(createSealer(another).digest('text')).not.toEqual(createSealer(secret).digest('text'));
  });
});

describe('a changed secret', () => {
  const old = createSealer(secret);
  const changed = createSealer(another, secret);

  it('opens texts sealed with the previous one, and seals only with the new one', () => {
    expect(changed.unseal(old.seal('before'))).toBe('before');
    expect(createSealer(another).unseal(changed.seal('after'))).toBe('after');
    expect(() => old.unseal(changed.seal('after'))).toThrow();
  });

  it('recognises digests by the previous secret, and creates only its own', () => {
    expect(changed.digest('code')).toEqual(createSealer(another).digest('code'));
    expect(changed.digests('code')).toEqual([createSealer(another).digest('code'), old.digest('code')]);
    expect(old.digests('code')).toEqual([old.digest('code')]);
  });
});
