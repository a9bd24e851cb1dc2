import { cpus, totalmem } from 'node:os';

/** This machine's description, as in the row of a figure. */
export function machine(): string {
  const [processor] = cpus();
  return `${cpus().length} × ${processor?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}
