import { useSyncExternalStore } from 'react';
import type { LoginReply, SessionUser } from '#contract/accounts/schema.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { recordOf } from '#web/platform/record.ts';
import { readStored, readText, removeStored, storageKeys, writeStored } from '#web/platform/storage/storage.ts';
import { readUser } from './stored-user.ts';

/**
 * The session as this device knows it: the login reply under the key `auth`, shared by all tabs. It grants no access;
 * the cookie does. It determines the name and the screens to show until the server replies.
 */

const listeners = new Set<() => void>();
let cached: { text: string | null; user: SessionUser | null } = { text: null, user: null };

function snapshot(): SessionUser | null {
  const text = readText(storageKeys.auth);
  if (text !== cached.text) cached = { text, user: readStored(storageKeys.auth, readUser) ?? null };
  return cached.user;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function announce(): void {
  for (const listener of listeners) listener();
}

/** Prerendered pages are the same for everybody until the application knows the person. */
const nobody = (): null => null;
const notAwaited = (): boolean => false;

/** The session's user, or null. Updates on logins and logouts in every tab. */
export function useSessionUser(): SessionUser | null {
  return useSyncExternalStore(subscribe, snapshot, nobody);
}

/** The current session's user, for code outside React. */
export function currentUser(): SessionUser | null {
  return snapshot();
}

/** Calls back when the person signed in on this device changes, before any screen shows the new one. */
export function whenPersonChanges(callback: () => void): void {
  let tag = snapshot()?.tag;
  subscribe(() => {
    const next = snapshot()?.tag;
    if (next === tag) return;
    tag = next;
    callback();
  });
}

let enrolmentAwaited = false;

/** Records for this tab whether this person must set up a second factor before anything else. */
export function awaitEnrolment(awaited: boolean): void {
  if (awaited === enrolmentAwaited) return;
  enrolmentAwaited = awaited;
  announce();
}

/** Whether this person has to set up a second factor before anything else. */
export function useEnrolmentAwaited(): boolean {
  return useSyncExternalStore(subscribe, () => enrolmentAwaited, notAwaited);
}

/** Stores the login reply, and deletes what was stored for another person. */
export function keepSession(reply: LoginReply): void {
  if (snapshot()?.tag !== reply.user.tag) removeStored(...ofThePerson);
  endedOnOpening = undefined;
  writeStored(storageKeys.auth, reply);
  announce();
}

/**
 * Deletes everything stored besides the login reply, except drafts, which stay for their owner (device-rows.ts,
 * kept-answer.ts).
 */
const ofThePerson = [storageKeys.allBusinesses, storageKeys.lastVisit, storageKeys.lastActivity] as const;

let endedOnOpening: string | undefined;

/**
 * Deletes a session that ended while no page was open, before anything is rendered. Another person may be opening the
 * page, and the server may be unreachable.
 */
export function forgetEndedSession(): void {
  const user = snapshot();
  const activeAt = readStored(storageKeys.lastActivity, (value) => recordOf(value).activeAt);
  if (user === null || typeof activeAt !== 'number') return;
  if (Date.now() - activeAt < (user.clientUITimeoutMinutes ?? 1) * MINUTE_MS) return;
  endedOnOpening = user.tag;
  forgetSession();
}

/** The person whose session {@link forgetEndedSession} found to have ended, until somebody logs in. */
export function endedBeforeOpening(): string | undefined {
  return endedOnOpening;
}

let endings = 0;

/** The number of sessions that have ended in this tab. A reply to a call sent before the last end is stale. */
export function sessionEndings(): number {
  return endings;
}

/** Deletes the session on this device and the data cached for its user. */
export function forgetSession(): void {
  endings += 1;
  removeStored(storageKeys.auth, ...ofThePerson);
  enrolmentAwaited = false;
  announce();
}
