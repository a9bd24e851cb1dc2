import { PRODUCT_NAME } from '#contract/product.ts';
import { inlineSource } from './html.ts';

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem; }
  h1 { font-size: 1.4rem; margin: 0; }
  a { color: inherit; }
  .note { margin: 0 0 1.5rem; opacity: 0.75; }
  article { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 0.75rem;
    padding: 1rem; margin-bottom: 1rem; }
  header { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; font-size: 0.9rem; }
  .channel { font-size: 0.75rem; font-weight: 700; letter-spacing: 0.05em; border-radius: 1rem; padding: 0 0.6rem;
    background: color-mix(in srgb, currentColor 12%, transparent); }
  time { margin-left: auto; opacity: 0.75; }
  h2 { font-size: 1rem; margin: 0.5rem 0 0.25rem; }
  article p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** The source of these pages' style, for their content security policy. */
export const PLAIN_STYLE = inlineSource(style);

/** A page without scripts that the server writes itself; `body` is HTML. */
export function plainPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} | ${PRODUCT_NAME}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
