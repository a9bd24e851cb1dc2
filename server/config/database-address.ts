/** The host and database of a DATABASE_URL, without user and password. */
export function hostAndDatabase(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}
