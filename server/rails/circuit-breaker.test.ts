import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';

/** While a provider does not answer, only probes call it. */

const START = new Date('2026-11-20T09:00:00Z');
const later = (seconds: number): Date => new Date(START.getTime() + seconds * 1000);

function breakerAfter(transfers: readonly string[]): CircuitBreaker {
  const breaker = new CircuitBreaker();
  for (const tag of transfers) breaker.recordSilence(tag);
  return breaker;
}

describe('a provider', () => {
  it('is called by everybody while a few transfers have no answer, however often they are asked about', () => {
    const breaker = breakerAfter(['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd']);
    expect([breaker.isOpen, breaker.allows(START), breaker.allows(START)]).toEqual([false, true, true]);
  });

  it('is called once in ten seconds after five transfers without an answer', () => {
    const breaker = breakerAfter(['a', 'b', 'c', 'd', 'e']);
    expect(breaker.isOpen).toBe(true);
    expect([0, 0, 9, 10, 10, 19, 20].map((seconds) => breaker.allows(later(seconds)))).toEqual([
      true,
      false,
      false,
      true,
      false,
      false,
      true,
    ]);
  });

  it('is called by everybody again after one answer', () => {
    const breaker = breakerAfter(['a', 'b', 'c', 'd', 'e']);
    breaker.recordAnswer();
    expect([breaker.isOpen, breaker.allows(START), breaker.allows(START)]).toEqual([false, true, true]);
  });
});
