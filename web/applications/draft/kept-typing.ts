import { z } from 'zod';
import { invoiceValues } from '#web/applications/invoice/invoice-values.ts';
import { applicationValues } from '#web/applications/terms/application-values.ts';
import { dropRow, keepRow, readRows } from '#web/platform/storage/device-rows.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { save } from './draft.ts';

/**
 * Typing that the server does not have yet, kept on the device with every change: a reload, a dead battery or an ended
 * session loses nothing (docs/decisions/0026). Only the same person gets it back.
 */

const keptTyping = z.object({
  userTag: z.string(),
  /** Identifies one screen's typing: two windows with the same invoice keep theirs apart. */
  draftId: z.string(),
  /** Null for an application whose invoice was never saved. */
  invoiceTag: z.string().nullable(),
  /** An ISO instant. */
  keptAt: z.string(),
  invoice: invoiceValues,
  application: applicationValues,
  /**
   * The versions that the typing is based on. A newer one on the server means that somebody else changed the draft too.
   */
  versions: z.object({ invoice: z.int().optional(), application: z.int().optional() }),
  unanswered: save.optional(),
});
export type KeptTyping = z.output<typeof keptTyping>;

/** All kept typing of this person, the latest first. */
export async function listKept(userTag: string): Promise<KeptTyping[]> {
  const rows = (await readRows(userTag)).map((row) => keptTyping.safeParse(row).data);
  return rows.filter((kept) => kept !== undefined).sort((one, other) => other.keptAt.localeCompare(one.keptAt));
}

/** Keeps typing in place of the same screen's earlier typing; false if the device refuses. */
export function keepTyping(kept: KeptTyping): Promise<boolean> {
  return keepRow(kept.userTag, kept.draftId, kept);
}

/** Deletes kept typing that the server has or nobody wants. */
export function dropKept({ userTag, draftId }: Pick<KeptTyping, 'userTag' | 'draftId'>): Promise<void> {
  return dropRow(userTag, draftId);
}

/** The typing of one screen, which owns it until it is released. */
export interface OpenTyping {
  readonly draftId: string;
  /** The typing left by an earlier visit. */
  readonly kept: KeptTyping | undefined;
  readonly release: () => void;
  /** Whether another screen of this window has claimed the draft while a save of this screen hangs. */
  readonly isClaimLost: () => boolean;
}

/** The claim on each draft in this window. */
const claims = new Map<string, symbol>();

/** Claims the draft. The returned function says whether the claim was lost. */
export function claimDraft(draftId: string): () => boolean {
  const claim = Symbol(draftId);
  claims.set(draftId, claim);
  return () => claims.get(draftId) !== claim;
}

interface Wanted {
  readonly userTag: string;
  /** Null for a new application. */
  readonly invoiceTag: string | null;
  /** Drafts that are left to be saved in the background. */
  readonly besides: readonly string[];
}

/**
 * Opens a screen's typing: the latest that this person left for that invoice and that no other window has open, or a
 * new one. Other leftovers follow when that one is saved.
 */
export async function openTyping({ userTag, invoiceTag, besides }: Wanted): Promise<OpenTyping> {
  const left = (await listKept(userTag)).filter(
    (kept) => kept.invoiceTag === invoiceTag && !besides.includes(kept.draftId),
  );
  for (const { draftId } of left) {
    const release = await hold(draftId);
    if (release === undefined) continue;
    const isClaimLost = claimDraft(draftId);
    // Another window may have saved it while this one waited.
    const kept = (await listKept(userTag)).find((row) => row.draftId === draftId);
    if (kept?.invoiceTag === invoiceTag) return { draftId, kept, release, isClaimLost };
    release();
  }
  const draftId = uniqueKey();
  const release = (await hold(draftId)) ?? (() => undefined);
  return { draftId, kept: undefined, release, isClaimLost: claimDraft(draftId) };
}

/** The page before a reload may take a moment to release the lock. */
const HELD_TIMEOUT_MS = 300;

/** The longest wait for a background save, so that the server's version is the latest. */
const SENT_TIMEOUT_MS = 10_000;

/** Locks a draft for a screen of this window; undefined if another window has it open. */
async function hold(draftId: string): Promise<(() => void) | undefined> {
  (await lock(`sending ${draftId}`, SENT_TIMEOUT_MS))?.();
  return lock(`typing ${draftId}`, HELD_TIMEOUT_MS);
}

/** Locks a draft while it is sent; undefined if a screen has it open or another window is sending it. */
export async function holdToSend(draftId: string): Promise<(() => void) | undefined> {
  const [sending, typing] = await Promise.all([
    lock(`sending ${draftId}`, HELD_TIMEOUT_MS),
    lock(`typing ${draftId}`, HELD_TIMEOUT_MS),
  ]);
  const release = (): void => {
    sending?.();
    typing?.();
  };
  if (sending !== undefined && typing !== undefined) return release;
  release();
  return undefined;
}

/**
 * Waits up to `timeoutMs` for a lock that only one window can hold. Returns its release function, or undefined if
 * another window holds it. A killed window releases its locks. In a browser without locks (a page over plain http),
 * every lock is free.
 */
function lock(name: string, timeoutMs: number): Promise<(() => void) | undefined> {
  if (!canHold()) return Promise.resolve(() => undefined);
  return new Promise((resolve) => {
    // Not AbortSignal.timeout, which some phones' browsers are too old for.
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const held = () => {
      clearTimeout(timer);
      return new Promise<void>((release) => resolve(release));
    };
    navigator.locks.request(name, { signal: timeout.signal }, held).catch(() => resolve(undefined));
  });
}

/** Whether the browser supports locks between windows. */
export function canHold(): boolean {
  return typeof navigator !== 'undefined' && 'locks' in navigator && navigator.locks !== undefined;
}
