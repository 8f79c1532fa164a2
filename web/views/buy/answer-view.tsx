import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Ready } from '../../data/answer.ts';
import { FileAnswer } from '../../data/file-answer.ts';
import { Choices } from '../../parts/fields.tsx';
import { Age } from '../../parts/states.tsx';
import { type Column, csvOf, Table } from '../../parts/table.tsx';
import { Snippet, Tools } from '../../parts/tools.tsx';
import { AnswerFile } from './answer-file.tsx';
import { AnswerPlot } from './answer-plot.tsx';
import { type Entry, fieldsOf, plain, rowsOf } from './answer-rows.ts';

function columnsOf(rows: readonly Entry[]): readonly Column<Entry>[] {
  const names = [...new Set(rows.slice(0, 50).flatMap((row) => Object.keys(row)))];
  return names.map((name) => ({
    id: name,
    title: name,
    numeric: rows.some((row) => typeof row[name] === 'number'),
    value: (row) => {
      const value = row[name];
      return typeof value === 'number' ? value : value === null || value === undefined ? null : plain(value);
    },
    show: (row) => <span class={row[name] === null ? 'unknown' : ''}>{plain(row[name])}</span>,
  }));
}

const MAX_ROWS = 200;
const FORMS = ['table', 'plot', 'json'] as const;

interface AnswerProps {
  readonly path: string;
  readonly answer: Ready<unknown>;
}

/** An answer as a table, over time, and as it came; a file is there to be saved. */
export function AnswerView({ path, answer }: AnswerProps): JSX.Element {
  const { body, asOf } = answer;
  if (!(body instanceof FileAnswer)) return <AnswerForms path={path} answer={answer} />;
  return (
    <section aria-label="The answer">
      <Head asOf={asOf}>
        <Tools name="answer" paths={[path]} />
      </Head>
      <AnswerFile file={body} />
    </section>
  );
}

function Head({ asOf, children }: { asOf: string | null; children: ComponentChildren }): JSX.Element {
  return (
    <div class="head">
      <h2>The answer</h2>
      {asOf !== null && (
        <p class="fine">
          oldest value <Age at={asOf} /> old
        </p>
      )}
      {children}
    </div>
  );
}

function AnswerForms({ path, answer }: AnswerProps): JSX.Element {
  const [form, setForm] = useState<(typeof FORMS)[number]>('table');
  const rows = useMemo(() => rowsOf(answer.body), [answer.body]);
  const columns = columnsOf(rows);
  return (
    <section aria-label="The answer">
      <Head asOf={answer.asOf}>
        <Choices label="Shown as" isLabelled={false} words={FORMS} chosen={form} choose={setForm} />
        <Tools name="answer" csv={rows.length > 0 ? () => csvOf(columns, rows) : undefined} paths={[path]} />
      </Head>
      {form === 'json' && <Snippet label="The answer as JSON" text={JSON.stringify(answer.body, null, 2)} />}
      {form === 'plot' && <AnswerPlot rows={rows} />}
      {form === 'table' && <AnswerTable body={answer.body} rows={rows} columns={columns} />}
    </section>
  );
}

interface AnswerTableProps {
  readonly body: unknown;
  /** Of the answer's list. */
  readonly rows: readonly Entry[];
  readonly columns: readonly Column<Entry>[];
}

function AnswerTable({ body, rows, columns }: AnswerTableProps): JSX.Element {
  return (
    <>
      <dl class="terms">
        {fieldsOf(body).map(([name, value]) => (
          <>
            <dt key={name}>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      {rows.length > 0 && (
        <Table
          id="answer"
          caption="The answer's list"
          columns={columns}
          rows={rows.slice(0, MAX_ROWS)}
          keyOf={(row) => String(rows.indexOf(row))}
        />
      )}
      {rows.length > MAX_ROWS && (
        <p class="fine">
          The first {MAX_ROWS} of {rows.length}; the file and the JSON have all.
        </p>
      )}
    </>
  );
}
