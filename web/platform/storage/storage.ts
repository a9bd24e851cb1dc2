/** The keys of data stored on the device, from docs/specification-coverage.md, 3. None of it grants access. */
export const storageKeys = {
  auth: 'auth',
  otpData: 'otp_data',
  pinStage: 'PIN_STAGE',
  allBusinesses: 'ALL_BUSINESSES',
  /** A password reset whose code was sent. Not in the specification; added so that a reload loses nothing. */
  resetStage: 'RESET_STAGE',
  /** An unsent answer to a request about an application; not in the specification either. */
  unsentAnswer: 'UNSENT_ANSWER',
  /** A client's last dashboard; not in the specification either. */
  lastVisit: 'LAST_VISIT',
  /** When the person was last active in any tab, for the idle dialog; not in the specification either. */
  lastActivity: 'LAST_ACTIVITY',
  /** Whether single-key shortcuts are on at the decision desk (WCAG 2.2, 2.1.4); not in the specification either. */
  deskKeys: 'DESK_KEYS',
  /** Whether staff hide drafts in All Applications; not in the specification either. */
  hideDrafts: 'HIDE_DRAFTS',
} as const;

/** Values held by this page while storage is full or blocked (private windows of some browsers). */
const fallback = new Map<string, string>();

type StorageKey = (typeof storageKeys)[keyof typeof storageKeys];

/** Reads a stored value with a parser; undefined if there is none or it has another shape. */
export function readStored<T>(key: StorageKey, read: (value: unknown) => T | undefined): T | undefined {
  const text = readText(key);
  if (text === null) return undefined;
  try {
    return read(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The raw text under a key, or null. */
export function readText(key: StorageKey): string | null {
  const kept = fallback.get(key);
  if (kept !== undefined) return kept;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value as JSON. If the device refuses, only in this page's memory. */
export function writeStored(key: StorageKey, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    fallback.delete(key);
  } catch {
    fallback.set(key, text);
  }
}

export function removeStored(...keys: StorageKey[]): void {
  for (const key of keys) {
    fallback.delete(key);
    try {
      localStorage.removeItem(key);
    } catch {
      // Storage is blocked, so nothing was stored there either.
    }
  }
}
