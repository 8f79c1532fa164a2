import type { JSX } from 'preact';
import { Pages, usePage } from '../../../../web/parts/pages.tsx';
import { csvOf, sorted, Table, type TableProps } from '../../../../web/parts/table.tsx';
import { Tools } from '../../../../web/parts/tools.tsx';
import { change, usePlace } from '../../../../web/place.ts';

const PAGE = 25;

interface CarryTableProps<Row> extends Omit<TableProps<Row>, 'list'> {
  /** Names the file. */
  readonly name: string;
  /** The calls behind it. */
  readonly paths: readonly string[];
}

/** Pairs, 25 at a time; a title orders all of them, and the file has all. */
export function CarryTable<Row>({ name, paths, first = '', ...table }: CarryTableProps<Row>): JSX.Element {
  const { id, columns, rows } = table;
  const { params } = usePlace();
  const key = `sort.${id}`;
  const order = params.get(key) ?? first;
  const { page, pages } = usePage(rows.length, PAGE);
  const all = sorted(rows, columns, order);
  return (
    <>
      <Table
        {...table}
        rows={all.slice((page - 1) * PAGE, page * PAGE)}
        list={{ order, setOrder: (next) => change({ [key]: next, page: undefined }) }}
      />
      {pages > 1 && <Pages page={page} pages={pages} />}
      <Tools name={name} csv={() => csvOf(columns, all)} paths={paths} />
    </>
  );
}
