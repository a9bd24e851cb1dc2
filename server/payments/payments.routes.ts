import type { Routes } from '#server/platform/http.ts';

export function paymentRoutes(_routes: Routes): void {}
