import { notifications } from '@mantine/notifications';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearNotices } from '#web/notices.ts';
import { forgetSession } from '#web/platform/session/session.ts';
import { storageKeys, writeStored } from '#web/platform/storage/storage.ts';
import { loadToasts } from '#web/ui/toasts/toast-library.ts';
import { AUTOSAVE_DELAY_MS } from './autosave.ts';
import { draftOf, type Typed, typedOf } from './draft.ts';
import { DraftSaving } from './draft-saving.ts';
import { dropKept, listKept } from './kept-typing.ts';

// The session listens to the browser's other tabs, and toasts ask whether this is a phone.
vi.hoisted(() => vi.stubGlobal('window', Object.assign(new EventTarget(), { matchMedia: () => ({ matches: true }) })));

const invoiceTag = '0b0e1f57-6a0d-4a53-8f0f-0b8a3b0f1a01';
const applicationTag = '0b0e1f57-6a0d-4a53-8f0f-0b8a3b0f1a02';
const guid = '0b0e1f57-6a0d-4a53-8f0f-0b8a3b0f1a03';
const owner = {
  userTag: '0b0e1f57-6a0d-4a53-8f0f-0b8a3b0f1a04',
  businessTag: '0b0e1f57-6a0d-4a53-8f0f-0b8a3b0f1a05',
};
const invoice = {
  invoiceNumber: 'INV-0042',
  date: '2026-11-03',
  amount: 1_000_000,
  currencyId: '1',
  buyerId: '7',
  paymentDueOn: '',
  vat: '' as const,
};
const application = { applicationDate: '2026-11-04', amountAppliedFor: 900_000, financingPeriodId: '3' };

/** The body of POST /invoices. */
interface Sent {
  readonly invoice?: Record<string, unknown>;
  readonly application?: Record<string, unknown>;
}

/** A server whose replies to saves the test decides; it answers everything else normally. */
function server() {
  const saves: Sent[] = [];
  const keys: (string | null)[] = [];
  const versions = { invoice: 0, application: 0 };
  let answer: (sent: Sent, signal: AbortSignal | null | undefined) => Response | Promise<Response> | undefined = () =>
    undefined;
  function saved(sent: Sent): Response {
    const part = sent.invoice ? 'invoice' : 'application';
    versions[part] += 1;
    const tag = sent.invoice ? invoiceTag : applicationTag;
    const data = { tag, version: versions[part], invoice: { tag: invoiceTag, amount: 1_000_000 } };
    return Response.json({ success: true, data });
  }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.endsWith('/guid')) return Response.json({ guid });
    if (url.endsWith('/financing_periods')) return Response.json([{ id: 3, name: '30 days', days: 30 }]);
    const sent: Sent = JSON.parse(typeof init.body === 'string' ? init.body : '{}');
    saves.push(sent);
    keys.push(new Headers(init.headers).get('Idempotency-Key'));
    return answer(sent, init.signal) ?? saved(sent);
  });
  return {
    saves,
    keys,
    answerNext: (next: (signal: AbortSignal | null | undefined) => Response | Promise<Response>) => {
      answer = (_, signal) => {
        answer = () => undefined;
        return next(signal);
      };
    },
  };
}

function refusal(status: number, code: string, fields?: Record<string, string>): () => Response {
  return () => Response.json({ success: false, code, msg: 'no', ...(fields ? { fields } : {}) }, { status });
}

function logIn(tag: string): void {
  const user = { tag, username: 'sarah@kasente.test', perms: ['BIDA'], roles: [], appVersion: '1' };
  const nothing = { firstName: null, lastName: null, bizName: null, bizTag: null };
  writeStored(storageKeys.auth, { success: true, user: { ...user, ...nothing } });
}

function open(typed: Typed = typedOf(undefined)) {
  let now = typed;
  let taken = false;
  const told = { created: [] as string[], gone: [] as string[], fields: [] as Record<string, string>[] };
  const saving = new DraftSaving({
    queryClient: new QueryClient(),
    screen: 'a screen',
    owner,
    draft: draftOf(undefined),
    typing: { draftId: 'a draft', kept: undefined, release: () => undefined, isClaimLost: () => taken },
    read: () => now,
    onPause: () => undefined,
    onSaved: () => undefined,
    onFields: (_part, fields) => void told.fields.push(fields),
    onCreated: (tag) => told.created.push(tag),
    onGone: (tag) => told.gone.push(tag),
  });
  const stop = saving.start();
  return {
    saving,
    told,
    stop,
    claimDraft: () => {
      taken = true;
    },
    type: async (change: Partial<Typed>) => {
      now = { ...now, ...change };
      saving.changed();
      await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS);
    },
  };
}

const kept = async (tag: string | null) => (await listKept(owner.userTag)).find(({ invoiceTag: of }) => of === tag);

describe('saving a draft', () => {
  // Otherwise the first toasts would appear when their library has loaded, in whichever test that happens.
  beforeAll(() => loadToasts());
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-20T11:02:00Z') });
    logIn(owner.userTag);
  });
  afterEach(async () => {
    vi.useRealTimers();
    forgetSession();
    clearNotices();
    await dropKept({ userTag: owner.userTag, draftId: 'a draft' });
  });

  it('saves the invoice first, then the application with the tag and the reference that it was given', async () => {
    const { saves } = server();
    const { type, told, saving } = open();
    await type({ invoice, application });
    expect(told.created).toEqual([invoiceTag]);
    expect(saves).toHaveLength(2);
    expect(saves[0]?.invoice).toMatchObject({ invoiceNumber: 'INV-0042', amount: 1_000_000 });
    expect(saves[0]?.invoice).not.toHaveProperty('tag');
    expect(saves[1]?.application).toMatchObject({
      invoiceTag,
      reference: guid,
      amountAppliedFor: 900_000,
      feesCharged: 99_000,
      amountReceived: 801_000,
    });
    await type({ application: { ...application, amountAppliedFor: 800_000 } });
    expect(saves[2]?.application).toMatchObject({ tag: applicationTag, version: 1, amountAppliedFor: 800_000 });
    expect(saving.autosave.state()).toMatchObject({ phase: 'quiet', failure: undefined });
  });

  it('saves no application without a valid invoice', async () => {
    const { saves } = server();
    const { type } = open();
    await type({ application });
    await type({ invoice: { ...invoice, amount: 1_000 } });
    // 900,000 are more than 90 % of 1,000.
    expect(saves.map((sent) => Object.keys(sent))).toEqual([['userTag', 'invoice']]);
  });

  it('keeps on the device what the server does not have, for this person, until it has it', async () => {
    const { answerNext } = server();
    const { type } = open();
    await type({ invoice: { ...invoice, buyerId: '' } });
    expect((await kept(null))?.invoice.invoiceNumber).toBe('INV-0042');
    expect((await kept(null))?.unanswered).toBeUndefined();
    expect(await listKept('somebody else')).toEqual([]);
    answerNext(() => {
      throw new TypeError('no network');
    });
    await type({ invoice });
    expect((await kept(null))?.unanswered).toMatchObject({ part: 'invoice', body: { invoice: { buyerId: '7' } } });
    await vi.advanceTimersByTimeAsync(5000);
    expect(await kept(null)).toBeUndefined();
    expect(await kept(invoiceTag)).toBeUndefined();
  });

  it('repeats a save whose answer was lost under the same key', async () => {
    const { saves, keys, answerNext } = server();
    const { type } = open();
    answerNext(() => new Response('{"success": tr'));
    await type({ invoice });
    await type({ invoice: { ...invoice, amount: 2_000_000 } });
    expect(saves.map(({ invoice: sent }) => sent?.amount)).toEqual([1_000_000, 1_000_000, 2_000_000]);
    expect(keys[0]).not.toBeNull();
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(saves[2]?.invoice).toMatchObject({ tag: invoiceTag, version: 1 });
  });

  it('waits a minute on a dead connection, then repeats the save', async () => {
    const { keys, answerNext } = server();
    const { type, saving } = open();
    answerNext(
      (signal) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))),
    );
    await type({ invoice });
    expect(saving.autosave.state().phase).toBe('saving');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(saving.autosave.state()).toMatchObject({ phase: 'failed', failure: { code: 'NETWORK' } });
    await vi.advanceTimersByTimeAsync(5000);
    expect(saving.autosave.state().phase).toBe('quiet');
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  it('puts a refusal on its field, and does not send the same again', async () => {
    const { saves, answerNext } = server();
    const { type, told, saving } = open();
    answerNext(refusal(409, 'INVOICE_NUMBER_TAKEN', { 'invoice.invoiceNumber': 'taken' }));
    await type({ invoice });
    expect(told.fields).toEqual([{ invoiceNumber: 'taken' }]);
    await saving.autosave.flush();
    expect(saves).toHaveLength(1);
    await type({ invoice: { ...invoice, invoiceNumber: 'INV-0043' } });
    expect(saves).toHaveLength(2);
    expect(told.created).toEqual([invoiceTag]);
  });

  it('leaves it to the login screen to say that the session has ended', async () => {
    const show = vi.spyOn(notifications, 'show');
    const { answerNext } = server();
    const { type } = open();
    answerNext(refusal(401, 'NOT_SIGNED_IN'));
    await type({ invoice });
    expect(show).not.toHaveBeenCalled();
    expect(await kept(null)).toMatchObject({ invoice });
    logIn(owner.userTag);
    answerNext(refusal(422, 'BUYER_IS_SELLER'));
    await type({ invoice: { ...invoice, buyerId: '8' } });
    expect(show).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'Invoice not saved' }));
    show.mockRestore();
  });

  it('saves nothing more once it is stale', async () => {
    const { saves, answerNext } = server();
    const { type, saving } = open();
    await type({ invoice });
    answerNext(refusal(409, 'STALE_VERSION'));
    await type({ invoice: { ...invoice, amount: 2_000_000 } });
    expect(saving.stale).toBe(true);
    await type({ invoice: { ...invoice, amount: 3_000_000 } });
    expect(saves).toHaveLength(2);
    expect(await kept(invoiceTag)).toMatchObject({ invoice: { amount: 3_000_000 }, versions: { invoice: 1 } });
  });

  it('reports a submission elsewhere, and forgets what can no longer be saved', async () => {
    const { answerNext } = server();
    const { type, told } = open();
    await type({ invoice });
    answerNext(refusal(409, 'NOT_EDITABLE'));
    await type({ invoice: { ...invoice, amount: 2_000_000 } });
    expect(told.gone).toEqual([invoiceTag]);
    expect(await kept(invoiceTag)).toBeUndefined();
  });

  it('sends and drops nothing in the name of somebody who has logged in since', async () => {
    const show = vi.spyOn(notifications, 'show');
    const { saves, keys, answerNext } = server();
    const { type } = open();
    answerNext(() => {
      throw new TypeError('no network');
    });
    await type({ invoice });
    // The device keeps nothing here. Where it does, the message says so instead (e2e/resilience/offline.spec.ts).
    expect(show).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'Invoice not saved' }));
    logIn('somebody else');
    await vi.advanceTimersByTimeAsync(5000);
    expect(saves).toHaveLength(1);
    expect(await kept(null)).toMatchObject({ invoice, unanswered: { part: 'invoice' } });
    logIn(owner.userTag);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([saves.length, keys[1] === keys[0]]).toEqual([2, true]);
    show.mockRestore();
  });

  it('takes an answer that was meant for somebody else as none about the draft', async () => {
    const { answerNext } = server();
    const { type, told } = open();
    await type({ invoice });
    answerNext(() => {
      logIn('somebody else');
      return Response.json({ success: false, code: 'NOT_FOUND', msg: 'no' }, { status: 404 });
    });
    await type({ invoice: { ...invoice, amount: 2_000_000 } });
    expect(told.gone).toEqual([]);
    expect(await kept(invoiceTag)).toMatchObject({ invoice: { amount: 2_000_000 } });
  });

  it('stops when another screen claims the draft, and leaves the kept typing unchanged', async () => {
    const { saves, answerNext } = server();
    const { type, claimDraft } = open();
    answerNext(() => {
      claimDraft();
      return Response.json({ success: true, data: { tag: invoiceTag, version: 1, invoice: { tag: invoiceTag } } });
    });
    await type({ invoice, application });
    expect(saves).toHaveLength(1);
    expect(await kept(null)).toMatchObject({ application, unanswered: { part: 'invoice' } });
  });

  it('keeps nothing that was discarded, also when its answer comes later', async () => {
    const { saves, answerNext } = server();
    const { type, saving } = open();
    answerNext(() => {
      saving.discard();
      throw new TypeError('no network');
    });
    await type({ invoice });
    await vi.advanceTimersByTimeAsync(0);
    expect(saves).toHaveLength(1);
    expect(await kept(null)).toBeUndefined();
  });

  it('saves what was typed after the screen is left, without navigating', async () => {
    const { saves } = server();
    const { saving, told, stop, type } = open();
    await type({});
    const typing = type({ invoice });
    stop();
    await typing;
    expect(saves).toHaveLength(1);
    expect(told.created).toEqual([]);
    expect(saving.draft.invoice).toEqual({ tag: invoiceTag, version: 1 });
  });
});
