/** A table of facts, with a heading for each column. The first cell of a row is the row's name. */
import type { ComponentChildren } from "preact";

interface Column {
  head: ComponentChildren;
  isNumber?: boolean;
}

interface Row {
  key: string;
  /** The tooltip. */
  title?: string | undefined;
  cells: ComponentChildren[];
}

export const number = (head: ComponentChildren): Column => ({ head, isNumber: true });
export const text = (head: ComponentChildren): Column => ({ head });

export function List({ columns, rows }: { columns: Column[]; rows: Row[] }) {
  return (
    <div class="scroller">
      <table class="list">
        <thead>
          <tr>
            {columns.map(({ head, isNumber }, i) => (
              <th key={`${i}`} scope="col" class={isNumber ? "number" : ""}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, title, cells: [name, ...cells] }) => (
            <tr key={key} title={title}>
              <th scope="row">{name}</th>
              {cells.map((cell, i) => (
                <td key={`${i}`} class={columns[i + 1]!.isNumber ? "number" : ""}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
