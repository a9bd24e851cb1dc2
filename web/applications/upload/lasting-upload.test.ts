import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PART_BYTES } from '#contract/documents/schema.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { type PartCalls, untilAnswered, uploadInParts } from './lasting-upload.ts';

vi.hoisted(() => vi.stubGlobal('window', new EventTarget()));

const file = new Blob([new Uint8Array(2 * PART_BYTES + 10)]);

type Code = ConstructorParameters<typeof ApiFailure>[0];
const failure = (code: Code, retryAfterSeconds?: number) =>
  new ApiFailure(code, 'no', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });

/** A server that keeps parts; the test says which calls fail, by name, and how often. */
function server(failing: Readonly<Record<string, readonly Code[]>> = {}) {
  const calls: string[] = [];
  const kept = new Set<number>();
  let uploads = 1;
  const left = new Map(Object.entries(failing).map(([name, codes]) => [name, [...codes]]));
  const call = (name: string): void => {
    calls.push(name);
    const code = left.get(name)?.shift();
    if (code === 'NOT_FOUND') {
      uploads += 1;
      kept.clear();
    }
    if (code !== undefined) throw failure(code);
  };
  const answers: PartCalls = {
    begin: async () => {
      call('begin');
      return { tag: `upload ${uploads}`, arrived: [...kept] };
    },
    sendPart: async (_tag, part, content, onProgress) => {
      call(`part ${part}`);
      onProgress(1);
      expect(content.size).toBe(part === 2 ? 10 : PART_BYTES);
      kept.add(part);
    },
    finish: async () => call('finish'),
  };
  return { calls, kept, answers };
}

function lasting() {
  const controller = new AbortController();
  const shares: number[] = [];
  const waited: boolean[] = [];
  const { signal } = controller;
  const told = { onProgress: (share: number) => shares.push(share), onWaiting: (waits: boolean) => waited.push(waits) };
  return { controller, shares, waited, lasting: { signal, ...told } };
}

describe('an upload in parts', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function run(uploading: Promise<void>): Promise<unknown> {
    const settled = uploading.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(120_000);
    return settled;
  }

  it('sends each part once, in order, and tells how much has arrived', async () => {
    const { answers, calls } = server();
    const { lasting: options, shares } = lasting();
    expect(await run(uploadInParts(file, answers, options))).toBeUndefined();
    expect(calls).toEqual(['begin', 'part 0', 'part 1', 'part 2', 'finish']);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...shares].sort((one, other) => one - other));
  });

  it('sends only what has not arrived', async () => {
    const { answers, calls, kept } = server();
    kept.add(0).add(2);
    await run(uploadInParts(file, answers, lasting().lasting));
    expect(calls).toEqual(['begin', 'part 1', 'finish']);
  });

  it('waits for a lost connection and a busy server, then continues with the same call', async () => {
    const { answers, calls } = server({ 'part 1': ['NETWORK', 'UNAVAILABLE'], finish: ['NETWORK'] });
    const { lasting: options, waited } = lasting();
    expect(await run(uploadInParts(file, answers, options))).toBeUndefined();
    expect(calls).toEqual(['begin', 'part 0', 'part 1', 'part 1', 'part 1', 'part 2', 'finish', 'finish']);
    expect(waited).toEqual([true, false, true, false, true, false]);
  });

  it('restarts where the server has forgotten it, three times at most', async () => {
    const { answers, calls } = server({ 'part 1': ['NOT_FOUND'] });
    expect(await run(uploadInParts(file, answers, lasting().lasting))).toBeUndefined();
    expect(calls).toEqual(['begin', 'part 0', 'part 1', 'begin', 'part 0', 'part 1', 'part 2', 'finish']);
    const hopeless = server({ finish: ['NOT_FOUND', 'UPLOAD_INCOMPLETE', 'NOT_FOUND', 'NOT_FOUND'] });
    expect(await run(uploadInParts(file, hopeless.answers, lasting().lasting))).toMatchObject({ code: 'NOT_FOUND' });
    expect(hopeless.calls.filter((name) => name === 'begin')).toHaveLength(3);
  });

  it('is refused at once where waiting does not help', async () => {
    const { answers, calls } = server({ begin: ['NOT_FOUND'], finish: [] });
    expect(await run(uploadInParts(file, answers, lasting().lasting))).toMatchObject({ code: 'NOT_FOUND' });
    expect(calls).toEqual(['begin']);
    const late = server({ finish: ['FILE_TYPE'] });
    expect(await run(uploadInParts(file, late.answers, lasting().lasting))).toMatchObject({ code: 'FILE_TYPE' });
  });

  it('ends when it is cancelled, also while it waits', async () => {
    const { answers } = server({ 'part 1': Array(100).fill('NETWORK') });
    const { lasting: options, controller } = lasting();
    const settled = uploadInParts(file, answers, options).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(5_000);
    controller.abort('given up');
    await vi.advanceTimersByTimeAsync(0);
    expect(await settled).toBe('given up');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tries no sooner than the server said, and at once when the connection is back', async () => {
    const { lasting: options } = lasting();
    let tries = 0;
    const call = async (): Promise<void> => {
      tries += 1;
      if (tries < 3) throw failure(tries === 1 ? 'UNAVAILABLE' : 'NETWORK', tries === 1 ? 7 : undefined);
    };
    const done = untilAnswered(call, options);
    await vi.advanceTimersByTimeAsync(6_999);
    expect(tries).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(tries).toBe(2);
    window.dispatchEvent(new Event('online'));
    await done;
    expect(tries).toBe(3);
  });
});
