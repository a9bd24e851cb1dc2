import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiFailure } from '#web/platform/api/api.ts';
import { AUTOSAVE_DELAY_MS, Autosave } from './autosave.ts';

/** A form with one text, and a server whose replies the test decides. */
function screen(options: { readonly unanswered?: string } = {}) {
  const form = { text: options.unanswered ?? '', saved: '' };
  const sent: string[] = [];
  const answers: { resolve: () => void; reject: (failure: ApiFailure) => void }[] = [];
  const troubles: string[] = [];
  const autosave = new Autosave<string>({
    next: async () => (form.text === form.saved ? undefined : form.text),
    send: (text) =>
      new Promise<void>((resolve, reject) => {
        sent.push(text);
        answers.push({
          resolve: () => {
            form.saved = text;
            resolve();
          },
          reject,
        });
      }),
    onFailure: ({ code }) => troubles.push(code),
    ...options,
  });
  return {
    autosave,
    sent,
    troubles,
    type: (text: string) => {
      form.text = text;
      autosave.changed();
    },
    /** Makes the server answer the oldest request. */
    answer: async (code?: ApiFailure['code']) => {
      const answer = answers.shift();
      if (code === undefined) answer?.resolve();
      else answer?.reject(new ApiFailure(code, 'no'));
      await vi.advanceTimersByTimeAsync(0);
    },
    pause: () => vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS),
    phase: () => autosave.state().phase,
  };
}

describe('the autosave', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-20T11:02:00Z') });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('saves 1500 ms after the last change, not before', async () => {
    const { type, sent, answer, phase, autosave } = screen();
    type('a');
    await vi.advanceTimersByTimeAsync(1000);
    type('ab');
    await vi.advanceTimersByTimeAsync(1499);
    expect(sent).toEqual([]);
    expect(phase()).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual(['ab']);
    expect(phase()).toBe('saving');
    await answer();
    expect(phase()).toBe('quiet');
    expect(autosave.state().savedAt).toEqual(new Date('2026-11-20T11:02:02.500Z'));
  });

  it('sends nothing where nothing is both changed and valid', async () => {
    const { type, sent, pause, phase } = screen();
    type('');
    await pause();
    expect(sent).toEqual([]);
    expect(phase()).toBe('quiet');
  });

  it('saves one thing at a time, then what was typed since', async () => {
    const { type, sent, pause, answer, phase } = screen();
    type('a');
    await pause();
    type('ab');
    await pause();
    expect(sent).toEqual(['a']);
    await answer();
    expect(sent).toEqual(['a', 'ab']);
    await answer();
    expect(sent).toEqual(['a', 'ab']);
    expect(phase()).toBe('quiet');
  });

  it('waits for the pause when an answer comes while somebody types on', async () => {
    const { type, sent, pause, answer, phase } = screen();
    type('a');
    await pause();
    type('ab');
    await answer();
    expect(sent).toEqual(['a']);
    expect(phase()).toBe('waiting');
    await pause();
    expect(sent).toEqual(['a', 'ab']);
  });

  it('repeats an unanswered save word for word before anything newer', async () => {
    const { type, sent, pause, answer, autosave } = screen();
    type('a');
    await pause();
    await answer('NETWORK');
    expect(autosave.unanswered).toBe('a');
    type('ab');
    await pause();
    expect(sent).toEqual(['a', 'a']);
    await answer();
    expect(sent).toEqual(['a', 'a', 'ab']);
    await answer();
    expect(autosave.unanswered).toBeUndefined();
  });

  it('reports a lost connection once, tries again by itself, and at once when the connection returns', async () => {
    const { type, sent, pause, answer, troubles, phase, autosave } = screen();
    autosave.start();
    type('a');
    await pause();
    await answer('NETWORK');
    expect(phase()).toBe('failed');
    await vi.advanceTimersByTimeAsync(4999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(2);
    await answer('UNAVAILABLE');
    autosave.retry();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toHaveLength(3);
    await answer();
    expect(troubles).toEqual(['NETWORK']);
    expect(autosave.state()).toMatchObject({ phase: 'quiet', failure: undefined });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(3);
  });

  it('does not repeat a refusal by itself, and forgets it when something is changed', async () => {
    const { type, sent, pause, answer, troubles, autosave } = screen();
    type('a');
    await pause();
    await answer('INVOICE_NUMBER_TAKEN');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toEqual(['a']);
    expect(autosave.unanswered).toBeUndefined();
    expect(autosave.state().failure?.code).toBe('INVOICE_NUMBER_TAKEN');
    type('b');
    expect(autosave.state().failure).toBeUndefined();
    await pause();
    expect(sent).toEqual(['a', 'b']);
    await answer('INVOICE_NUMBER_TAKEN');
    expect(troubles).toEqual(['INVOICE_NUMBER_TAKEN', 'INVOICE_NUMBER_TAKEN']);
  });

  it('shows a lost connection while it lasts, also while the person types on', async () => {
    const { type, pause, answer, autosave } = screen();
    type('a');
    await pause();
    await answer('NETWORK');
    type('ab');
    expect(autosave.state()).toMatchObject({ phase: 'waiting', failure: { code: 'NETWORK' } });
  });

  it('saves at once when it is told to, and resolves when everything is there', async () => {
    const { type, sent, answer, autosave } = screen();
    type('a');
    const done = vi.fn();
    void autosave.flush().then(done);
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual(['a']);
    expect(done).not.toHaveBeenCalled();
    await answer();
    expect(done).toHaveBeenCalledOnce();
  });

  it('begins with the save that an earlier visit left unanswered', async () => {
    const { sent, answer, autosave } = screen({ unanswered: 'of yesterday' });
    autosave.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual(['of yesterday']);
    await answer();
    expect(autosave.unanswered).toBeUndefined();
  });

  it('saves what waits when the screen is left, then stops', async () => {
    const { type, sent, answer, autosave } = screen();
    const stop = autosave.start();
    type('a');
    stop();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual(['a']);
    await answer('NETWORK');
    await vi.advanceTimersByTimeAsync(120_000);
    expect(sent).toEqual(['a']);
    expect(autosave.unanswered).toBe('a');
  });
});
