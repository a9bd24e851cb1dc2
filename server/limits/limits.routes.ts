import type { Routes } from '#server/platform/http.ts';

export function limitRoutes(_routes: Routes): void {}
