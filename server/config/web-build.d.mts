/** The built application. */
export function webFolder(root: string): string;

/** 'current', 'stale' or 'missing': whether the build is of the sources beside it (web-build.mjs). */
export function webBuildState(root: string): Promise<'current' | 'stale' | 'missing'>;

/** A hash of these files and folders' files, without tests. */
export function hashOf(root: string, names: readonly string[]): Promise<string>;

/** A hash of the sources that the application is built from. */
export function hashOfSources(root: string): Promise<string>;
