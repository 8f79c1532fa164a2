import type { JSX } from 'preact';
import { csvOf, Table, type TableProps } from './table.tsx';
import { Tools } from './tools.tsx';

interface ListingProps<Row> extends TableProps<Row> {
  /** Names the file. */
  readonly name: string;
  /** The calls behind it. */
  readonly paths?: readonly string[];
}

/** A table with its file and its calls. */
export function Listing<Row>({ name, paths = [], ...table }: ListingProps<Row>): JSX.Element {
  return (
    <>
      <Table {...table} />
      <Tools name={name} csv={() => csvOf(table.columns, table.rows)} paths={paths} />
    </>
  );
}
