import { expect, it } from 'vitest';
import { storageKeys } from '#web/platform/storage/storage.ts';
import policy from './cookie-policy.md?raw';

it('explains everything that the application keeps on a device', () => {
  const explained = [...policy.matchAll(/^`(\w+)`\n: /gm)].map(([, key]) => key);
  expect(explained).toEqual(expect.arrayContaining(Object.values(storageKeys)));
});
