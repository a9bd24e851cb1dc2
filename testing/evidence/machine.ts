import { cpus, totalmem } from 'node:os';

/** This machine, as a figure's row names it. */
export function machine(): string {
  const [processor] = cpus();
  return `${cpus().length} × ${processor?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}
