import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { createLog } from '#server/observability/logging.ts';
import { until } from '#testing/until.ts';
import { drawLetter } from './drawing.ts';
import type { Letter } from './letter.ts';
import { DRAWING, type DrawingLimits, type Letters, openLetters } from './letters.ts';

const PLANTED: DrawingLimits = { ...DRAWING, program: join(import.meta.dirname, 'planted-drawing.child.ts') };

let letters: Letters | undefined;
afterEach(() => letters?.close());

function open(limits: DrawingLimits): Letters {
  letters = openLetters(createLog('silent'), limits);
  return letters;
}

function letter(subtitle: string): Letter {
  return {
    title: 'Key facts',
    subtitle,
    at: new Date(0),
    blocks: [{ heading: 'Ŋ' }, { facts: [['Fee', 'UGX 99,000']] }],
  };
}

const told = z.object({ isMainThread: z.boolean(), threadId: z.number(), settings: z.array(z.string()) });

async function ask(from: Letters) {
  return told.parse(JSON.parse((await from.draw(letter('tells'))).toString()));
}

it('a letter is drawn in another thread, which has no setting of the server’s', async () => {
  const { settings, ...where } = await ask(open(PLANTED));
  expect(where.isMainThread).toBe(false);
  expect(where.threadId).not.toBe(threadId);
  expect(settings.filter((name) => name !== 'NODE_COMPILE_CACHE')).toEqual([]);
});

it('a letter is the same bytes from there as from here, each time', async () => {
  const { draw } = open(DRAWING);
  const here = await drawLetter(letter('to you'));
  const there = [await draw(letter('to you')), await draw(letter('to you'))];
  expect(there.map((drawn) => drawn.equals(here))).toEqual([true, true]);
});

it('the thread is used again, and goes when there was no letter for a while', async () => {
  const opened = open({ ...PLANTED, idleMilliseconds: 1 });
  const [first, second] = await Promise.all([ask(opened), ask(opened)]);
  expect(second.threadId).toBe(first.threadId);
  await until(async () => (await ask(opened)).threadId !== first.threadId);
});

it.each(['hangs', 'ends its thread', 'takes all memory', 'throws'])(
  'a drawing that %s is told to come back later, and the next letter is drawn',
  async (fault) => {
    const allowed = [MINUTE_MS, fault === 'hangs' ? 1_000 : MINUTE_MS];
    const limits = { ...PLANTED, megabytes: 32 };
    const { draw } = open({
      ...limits,
      get milliseconds() {
        return allowed.shift() ?? MINUTE_MS;
      },
    });
    await draw(letter('to you')); // starts the thread
    const [failed, next] = await Promise.allSettled([draw(letter(fault)), draw(letter('to you'))]);
    expect(failed).toMatchObject({
      status: 'rejected',
      reason: { code: 'UNAVAILABLE', details: { retryAfterSeconds: 5 } },
    });
    expect(next).toEqual({ status: 'fulfilled', value: await drawLetter(letter('to you')) });
  },
);

it('a letter fails whose server goes', async () => {
  const opened = open(PLANTED);
  await ask(opened);
  const drawn = expect(opened.draw(letter('hangs'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await turn(); // its thread has the letter now
  await opened.close();
  await drawn;
});
