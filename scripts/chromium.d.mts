/** The `launchOptions` that Playwright needs for the browser, which is unpacked on first use (chromium.mjs). */
export function chromium(): Promise<{
  executablePath: string;
  env: Record<string, string>;
  args: string[];
  chromiumSandbox: boolean;
}>;
