import type { Module } from '../../host/module.ts';

/** Kinds of conditions over the products' own fields, and how a request names one. */
export const watchConditions: Module = { id: 'watch-conditions', needs: ['calendar', 'webhook'] };
