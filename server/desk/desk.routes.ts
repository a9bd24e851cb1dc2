import type { Routes } from '#server/platform/http.ts';

export function deskRoutes(_routes: Routes): void {}
