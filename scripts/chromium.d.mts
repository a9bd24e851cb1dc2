/** What Playwright's `launchOptions` need for the browser, unpacking it the first time (chromium.mjs). */
export function chromium(): Promise<{
  executablePath: string;
  env: Record<string, string>;
  args: string[];
  chromiumSandbox: boolean;
}>;
