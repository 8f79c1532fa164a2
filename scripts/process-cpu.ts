import { readFileSync } from 'node:fs';

/** Ticks of the kernel's clock in a second, as all common builds have them. */
const TICKS = 100;

/** CPU that a process has used since its start, seconds, its threads included. Throws where there is no such process. */
export function cpuSeconds(pid: number | string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
