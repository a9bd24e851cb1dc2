/** scheme and user, then the hosts, then database and settings */
const PARTS = /^([^:/]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

/** One URL for each of the comma-separated hosts of a DATABASE_URL, like libpq. */
export function hostUrls(databaseUrl: string): string[] {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(databaseUrl) ?? [];
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}

/** The target of a DATABASE_URL, without user and password. */
export function describeHosts(databaseUrl: string): string {
  const [first = ''] = hostUrls(databaseUrl);
  const { pathname } = new URL(first);
  return `${hostUrls(databaseUrl)
    .map((url) => new URL(url).host)
    .join(',')}${pathname}`;
}
