import type { Module } from '../../host/module.ts';

/** Tables that processes share: in a folder of one host, and by the module that fills its port on a server of several. */
export const tables: Module = { id: 'tables' };
