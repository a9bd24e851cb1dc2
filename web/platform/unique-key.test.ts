import { afterEach, describe, expect, it, vi } from 'vitest';
import { uniqueKey } from './unique-key.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a unique key', () => {
  it('is 128 bits in two digits per byte, and differs each time', () => {
    const keys = Array.from({ length: 1000 }, uniqueKey);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1000);
  });

  it('is made without the APIs of secure pages', () => {
    const { getRandomValues } = crypto;
    vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) });
    expect(uniqueKey()).toMatch(/^[0-9a-f]{32}$/);
  });
});
