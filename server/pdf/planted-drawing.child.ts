import { isMainThread, threadId } from 'node:worker_threads';
import { drawLetter as draw } from './drawing.ts';
import type { Letter } from './letter.ts';

/** Replaces `drawing.ts` in tests of faults: the subtitle of a letter names the fault. */
export async function drawLetter(letter: Letter): Promise<Buffer> {
  const says = (fault: string): boolean => letter.subtitle.includes(fault);
  if (says('tells')) return Buffer.from(JSON.stringify({ isMainThread, threadId, settings: Object.keys(process.env) }));
  if (says('ends its thread')) process.exit(1);
  if (says('throws')) throw new Error('planted');
  if (says('hangs')) for (;;);
  if (says('takes all memory'))
    for (const held: unknown[] = []; ; ) held.push(Array.from({ length: 10_000 }, () => ({})));
  return draw(letter);
}
