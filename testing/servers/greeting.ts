/**
 * The address printed by a server at its start; undefined until then. In development the greeting is several lines in
 * one write, in production one line of the log (server/serve.ts).
 */
export function greetedAddress(output: string): string | undefined {
  return /Kasente runs at ([^\s"]+)[\s\S]*\n$/.exec(output)?.[1];
}
