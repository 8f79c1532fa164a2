import type { Module } from '../../host/module.ts';

/** The stored past as a data feed of TradingView's charting library (UDF), on the operator's port alone. */
export const udf: Module = {
  id: 'udf',
  open: async (host) => {
    const [{ productPorts }, { udfHandler }] = await Promise.all([
      import('../../host/product-ports.ts'),
      import('./handler.ts'),
    ]);
    return { operatorHandlers: [udfHandler(productPorts(host), host.report)] };
  },
};
