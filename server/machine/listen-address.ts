/** A host, an IPv6 address in brackets, and a port. */
export const LISTEN_PATTERN = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i;

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Parses an address that matches {@link LISTEN_PATTERN}; undefined if the text does not. */
export function readListenAddress(text = ''): ListenAddress | undefined {
  const [, host = '', port] = LISTEN_PATTERN.exec(text) ?? [];
  return port === undefined ? undefined : { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}
