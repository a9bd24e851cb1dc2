/** The line that each tool says first: which database and which documents it works on. */
const ANNOUNCEMENT = /^Database: .+\. Documents: .+\.\n/;

/** A tool's output on standard error after that line. */
export function afterAnnouncement(said: string): string {
  return said.replace(ANNOUNCEMENT, '');
}
