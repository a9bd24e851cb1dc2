/** What is kept on the device, by the specification's keys (section 3). Nothing here lets anybody in. */
export const storageKeys = {
  auth: 'auth',
  otpData: 'otp_data',
  pinStage: 'PIN_STAGE',
  allBusinesses: 'ALL_BUSINESSES',
} as const;

type StorageKey = (typeof storageKeys)[keyof typeof storageKeys];

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

/** Reads a stored value; undefined where there is none, it is not what the schema says, or storage is closed to us. */
export function readStored<T>(key: StorageKey, schema: Schema<T>): T | undefined {
  const text = readText(key);
  if (text === null) return undefined;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** The raw text under a key; null where storage is closed to us (private windows of some browsers). */
export function readText(key: StorageKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeStored(key: StorageKey, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full or closed: the application works on without it.
  }
}

export function removeStored(...keys: StorageKey[]): void {
  try {
    for (const key of keys) localStorage.removeItem(key);
  } catch {
    // As above.
  }
}
