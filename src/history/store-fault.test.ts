import { expect, it } from 'vitest';
import { storeFault } from './store-fault.ts';

const fault = (type: string) => storeFault(Object.assign(new Error('said by the engine'), { type }));

it.each(['ARGUMENT_OUT_OF_BOUND', 'DECIMAL_OVERFLOW', 'CANNOT_PARSE_INPUT_ASSERTION_FAILED'])(
  'a fault of type %s speaks of the rows, which are not sent again',
  (type) => {
    expect(fault(type)).toEqual({ kind: 'refused', message: `${type}: said by the engine` });
  },
);

it.each(['UNKNOWN_STATUS_OF_INSERT', 'TOO_MANY_PARTS', 'NETWORK_ERROR'])(
  'a fault of type %s passes, and the rows are sent again',
  (type) => {
    expect(fault(type).kind).toBe('unavailable');
  },
);
