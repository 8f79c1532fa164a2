import { MEASURED, type Measured } from '../../src/modules/second-reader/port.ts';
import { fill, type ReadPort, readPorts } from '../../src/runtime/port.ts';
import { exampleMeasured } from './example-measured.ts';

/** The ports that modules have filled for their products. */
interface Opened {
  readonly measured: Measured;
}

/** Reads what the modules of the example have opened; parts of it may be others. */
export function examplePorts({ measured = exampleMeasured() }: Partial<Opened> = {}): ReadPort {
  return readPorts(fill(MEASURED, measured));
}
