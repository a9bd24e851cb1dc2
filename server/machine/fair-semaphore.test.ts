import { describe, expect, it } from 'vitest';
import { FairSemaphore, type SemaphoreLimits } from './fair-semaphore.ts';

/** A semaphore whose work ends when the test decides. `began` lists the work in the order in which it started. */
function held(limits: SemaphoreLimits) {
  let refusals = 0;
  const semaphore = new FairSemaphore(limits, () => {
    refusals += 1;
  });
  const began: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const ask = (name: string, signal?: AbortSignal): Promise<string> => {
    const work = () => {
      began.push(name);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
      return promise;
    };
    return semaphore.run(name.charAt(0), work, signal);
  };
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)?.(error);
    await new Promise(setImmediate); // waiting work starts in microtasks
  };
  return { semaphore, began, ask, end, refusals: () => refusals };
}

const refused = { code: 'UNAVAILABLE', details: { retryAfterSeconds: expect.any(Number) } };

describe('a fair semaphore', () => {
  it('runs a limited amount at once, and only its share of one key', async () => {
    const { began, ask, end } = held({ atOnce: 3, atOnceEach: 2, waiting: 10 });
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => ask(name));
    expect(began).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(began).toEqual(['a1', 'a2', 'b1', 'c1']);
    await end('a1');
    expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
    for (const name of ['a2', 'a3', 'c1']) await end(name);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
  });

  it('gives turns by key, not in order of arrival', async () => {
    const { began, ask, end } = held({ atOnce: 1, waiting: 10 });
    void ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => ask(name));
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
    expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('refuses the newest work of the key with the most waiting, for any newcomer', async () => {
    const { began, ask, end, refusals } = held({ atOnce: 1, waiting: 3 });
    void ask('a1');
    const waiting = ['a2', 'a3', 'a4'].map((name) => ask(name));
    await expect(ask('a5')).rejects.toMatchObject(refused);
    const other = ask('b1');
    await expect(waiting[2]).rejects.toMatchObject(refused);
    expect(refusals()).toBe(2);
    for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);
    expect(began).toEqual(['a1', 'a2', 'b1', 'a3']);
    expect(await other).toBe('b1');
  });

  it('refuses the newcomer if no key has more waiting than its own', async () => {
    const { ask, end } = held({ atOnce: 1, waiting: 2 });
    const all = ['a1', 'b1', 'c1'].map((name) => ask(name));
    await expect(ask('d1')).rejects.toMatchObject(refused);
    for (const name of ['a1', 'b1', 'c1']) await end(name);
    expect(await Promise.all(all)).toEqual(['a1', 'b1', 'c1']);
  });

  it('predicts whether there is room', async () => {
    const { semaphore, ask, end } = held({ atOnce: 2, atOnceEach: 1, waiting: 2 });
    void ['a1', 'a2', 'a3'].map((name) => ask(name).catch(() => undefined));
    expect([semaphore.hasRoomFor('a'), semaphore.hasRoomFor('b')]).toEqual([false, true]);
    void ask('b1');
    expect([semaphore.hasRoomFor('b'), semaphore.hasRoomFor('c')]).toEqual([true, true]);
    await end('a1');
    expect(semaphore.hasRoomFor('a')).toBe(true);
  });

  it('frees the place of a waiter whose signal aborts, and lets running work continue', async () => {
    const { semaphore, began, ask, end } = held({ atOnce: 1, waiting: 2 });
    const leaving = new AbortController();
    const running = ask('a1', leaving.signal);
    const waiting = [ask('a2', leaving.signal), ask('a3')];
    leaving.abort(new Error('gone'));
    await expect(waiting[0]).rejects.toThrow('gone');
    await expect(ask('b1', leaving.signal)).rejects.toThrow('gone');
    expect(semaphore.turns).toMatchObject({ running: 1, waiting: 1, refused: 0 });
    await end('a1');
    await end('a3');
    expect(await Promise.all([running, waiting[1]])).toEqual(['a1', 'a3']);
    expect(began).toEqual(['a1', 'a3']);
  });

  it('passes the turn on if work fails', async () => {
    const { began, ask, end } = held({ atOnce: 1, waiting: 1 });
    const failing = ask('a1');
    const next = ask('b1');
    const failed = expect(failing).rejects.toThrow('broken');
    await end('a1', new Error('broken'));
    await failed;
    expect(began).toEqual(['a1', 'b1']);
    await end('b1');
    expect(await next).toBe('b1');
  });
});
