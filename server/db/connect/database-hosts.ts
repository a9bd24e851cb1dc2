/** scheme and user, then the hosts, then database and settings */
const PARTS = /^([^:/]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

/** One URL for each host that a DATABASE_URL names, which are separated by commas, as libpq takes them. */
export function hostUrls(databaseUrl: string): string[] {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(databaseUrl) ?? [];
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}

/** Where a DATABASE_URL leads, without the user and the password. */
export function describeHosts(databaseUrl: string): string {
  const [first = ''] = hostUrls(databaseUrl);
  const { pathname } = new URL(first);
  return `${hostUrls(databaseUrl)
    .map((url) => new URL(url).host)
    .join(',')}${pathname}`;
}
