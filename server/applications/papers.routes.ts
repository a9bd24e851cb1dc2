import type { Routes } from '#server/platform/http.ts';

/** Key facts, and the papers of an application as PDFs. */
export function paperRoutes(_routes: Routes): void {}
