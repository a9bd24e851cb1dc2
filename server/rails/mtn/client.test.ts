import { expect, it } from 'vitest';
import { callbackHeader } from './client.ts';

it.each([
  ['https://kasente.example/callback', 'https://proxy.momoapi.mtn.com', true],
  ['http://localhost:3000/callback', 'https://sandbox.momodeveloper.mtn.com', false],
  ['http://localhost:3000/callback', 'http://localhost:4100', true],
  [undefined, 'http://localhost:4100', false],
])('an order names %s to %s for a callback: %s', (callbackUrl, mtnUrl, isNamed) => {
  expect(callbackHeader(callbackUrl, mtnUrl)).toEqual(isNamed ? { 'x-callback-url': callbackUrl } : {});
});
