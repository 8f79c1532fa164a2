/** A measured value beside the bar that it must keep. */
export interface Measured {
  readonly name: string;
  readonly value: number;
  readonly sign: '<=' | '>=';
  readonly bar: number;
}

const isKept = ({ value, sign, bar }: Measured): boolean => (sign === '<=' ? value <= bar : value >= bar);

/** Prints a line for each bar; returns how many were missed. */
export function printBars(rows: readonly Measured[]): number {
  for (const row of rows) {
    const value = Number.isInteger(row.value) ? String(row.value) : row.value.toFixed(2);
    const said = isKept(row) ? 'ok' : 'MISSED';
    console.log(
      `${row.name.padEnd(46)} ${value.padStart(9)}  ${row.sign} ${String(row.bar).padEnd(7)} ${said}`,
    );
  }
  return rows.filter((row) => !isKept(row)).length;
}
